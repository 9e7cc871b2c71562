import { thrownText } from '../../lib/http/thrown-text';

test.each([
  [new Error('down'), 'down'],
  ['down', 'down'],
  [undefined, 'undefined'],
  [Object.create(null), 'something that has no text'],
])('%p reads %j', (thrown: unknown, text) => {
  expect(thrownText(thrown)).toBe(text);
});
