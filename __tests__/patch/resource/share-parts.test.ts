import { shareParts } from '../../../lib/patch/resource/put';

const known = Object.freeze({ a: { b: [1, { c: null }] }, list: [{ id: 1 }, { id: 2 }], n: 1 });
const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('an equal value is the known one', () => {
  expect(shareParts(copy(known), known)).toBe(known);
});

test('the equal parts of another value are the known ones', () => {
  const value = { ...(copy(known) as object), list: [{ id: 1 }, { id: 3 }, { id: 2 }], n: 2 };
  const text = JSON.stringify(value);
  const shared = shareParts(value, known) as typeof known;
  expect(shared).toBe(value);
  expect(JSON.stringify(shared)).toBe(text);
  expect(shared.a).toBe(known.a);
  expect(shared.list[0]).toBe(known.list[0]);
  expect(shared.list[2]).not.toBe(known.list[1]);
});

test.each<{ readonly what: string; readonly value: unknown; readonly stored: unknown }>([
  { what: 'in another order, which GET shows', value: { x: { b: 1, a: 2 } }, stored: { x: { a: 2, b: 1 } } },
  { what: 'a list beside an object', value: { x: ['a'] }, stored: { x: { 0: 'a' } } },
  { what: 'fewer members', value: { x: { a: 1 } }, stored: { x: { a: 1, b: 2 } } },
  { what: 'more elements', value: { x: [1, 2] }, stored: { x: [1] } },
  { what: 'fewer elements', value: { x: [1] }, stored: { x: [1, 2] } },
  { what: 'an inherited name', value: { x: { constructor: {} } }, stored: { x: {} } },
  { what: 'null', value: { x: {} }, stored: { x: null } },
  { what: 'a whole of another kind', value: [], stored: {} },
])('not equal: $what', ({ value, stored }) => {
  const sent = copy(value) as { x?: unknown };
  const shared = shareParts(sent, stored);
  expect(shared).toBe(sent);
  if (sent.x !== undefined) expect(sent.x).not.toBe((stored as { x?: unknown }).x);
  expect(JSON.stringify(shared)).toBe(JSON.stringify(value));
});

test('__proto__ is a name like others', () => {
  const text = '{"__proto__":{"a":1},"b":1}';
  const sent: unknown = JSON.parse(text);
  expect(JSON.stringify(shareParts(sent, JSON.parse('{"__proto__":{"a":1},"b":2}')))).toBe(text);
});
