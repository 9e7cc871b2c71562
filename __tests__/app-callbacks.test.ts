import { thrownText } from '../lib/app-callbacks';

test.each([
  [new Error('down'), 'down'],
  ['down', 'down'],
  [undefined, 'undefined'],
  [Object.create(null), 'something that has no text'],
])('%p reads %j', (thrown: unknown, text) => {
  expect(thrownText(thrown)).toBe(text);
});
