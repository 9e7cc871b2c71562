import { thrownText } from '../lib/app-callbacks';

test.each([
  { thrown: new Error('down'), text: 'down' },
  { thrown: 'down', text: 'down' },
  { thrown: undefined, text: 'undefined' },
  { thrown: Object.create(null), text: 'a value that cannot be converted to a string' },
])('$thrown reads "$text"', ({ thrown, text }: { thrown: unknown; text: unknown }) => {
  expect(thrownText(thrown)).toBe(text);
});
