import {
  changeMembers,
  copyJson,
  copyObject,
  differingNames,
  isDeeperThan,
  isEqualJson,
  setMember,
  type JsonObject,
} from '../../lib/json/value';

const parsed = (text: string): JsonObject => JSON.parse(text) as JsonObject;

describe('RFC 6902 4.6: equal as JSON', () => {
  test.each([
    { a: '{"a":1,"b":2}', b: '{"b":2,"a":1}', equal: true },
    { a: '{"a":1}', b: '{"a":1,"b":2}', equal: false },
    { a: '{"a":1}', b: '{"b":1}', equal: false },
    { a: '{"__proto__":1}', b: '{"__proto__":1}', equal: true },
    { a: '{"toString":1}', b: '{}', equal: false },
    { a: '{"a":[1,{"b":null}]}', b: '{"a":[1,{"b":null}]}', equal: true },
    { a: '[1,2]', b: '[1,2]', equal: true },
    { a: '[1,2]', b: '[2,1]', equal: false },
    { a: '[1]', b: '[1,2]', equal: false },
    { a: '[]', b: '{}', equal: false },
    { a: '-0', b: '0', equal: true },
    { a: '1', b: '"1"', equal: false },
    { a: 'null', b: '{}', equal: false },
    { a: 'null', b: '[]', equal: false },
    { a: '0', b: 'false', equal: false },
  ])('$a and $b: $equal', ({ a, b, equal }) => {
    expect(isEqualJson(parsed(a), parsed(b))).toBe(equal);
    expect(isEqualJson(parsed(b), parsed(a))).toBe(equal);
  });
});

describe('the names of members that differ', () => {
  const shared = { deep: 1 };
  test.each<{ title: string; before: JsonObject; after: JsonObject; names: string[] }>([
    { title: 'none', before: { a: shared, b: 1 }, after: { a: shared, b: 1 }, names: [] },
    { title: 'a changed one', before: { a: 1, b: 1 }, after: { a: 2, b: 1 }, names: ['a'] },
    { title: 'a removed one', before: { a: 1, b: 1 }, after: { b: 1 }, names: ['a'] },
    { title: 'an added one', before: { b: 1 }, after: { b: 1, a: 1 }, names: ['a'] },
    { title: 'a renamed one', before: { a: 1, c: 1 }, after: { b: 1, c: 1 }, names: ['a', 'b'] },
    { title: 'equal, but not the same', before: { a: { deep: 1 } }, after: { a: shared }, names: ['a'] },
    { title: 'named as what objects inherit', before: {}, after: { toString: 1 }, names: ['toString'] },
    { title: 'the same, the other way round', before: { toString: 1 }, after: {}, names: ['toString'] },
    { title: 'of the name __proto__', before: parsed('{"__proto__":1}'), after: {}, names: ['__proto__'] },
  ])('$title: $names', ({ before, after, names }) => {
    expect(differingNames(before, after)).toEqual(names);
  });
});

describe('copies', () => {
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`m${i}`, i]));

  test.each<{ title: string; value: JsonObject }>([
    { title: 'of few members', value: { a: { b: [1, { c: null }] } } },
    { title: 'of 1,001 members', value: { ...many, a: { b: 1 } } },
    { title: 'with a member __proto__', value: parsed('{"__proto__":{"a":1}}') },
    { title: 'of 1,001 members, with that', value: { ...many, ...parsed('{"constructor":{"a":1}}') } },
  ])('$title: deep, and shallow', ({ value }) => {
    const [deep, shallow] = [copyJson(value), copyObject(value)];
    for (const copy of [deep, shallow]) {
      expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
      expect(copy).not.toBe(value);
      expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    }
    for (const [name, child] of Object.entries(value)) {
      const [shared, copied] = [shallow, deep].map(
        (copy) => Object.getOwnPropertyDescriptor(copy, name)?.value === child,
      );
      expect([shared, copied]).toEqual([true, typeof child !== 'object']);
    }
    expect(copyJson([value])).toEqual([value]);
    expect(copyJson([value])[0]).not.toBe(value);
    expect(copyJson('a')).toBe('a');
  });

  test.each(['__proto__', 'constructor', 'a'])('a member %s is set as any other', (name) => {
    const object: JsonObject = {};
    setMember(object, name, 1);
    expect(Object.getOwnPropertyDescriptor(object, name)).toEqual({
      ...{ value: 1, writable: true, enumerable: true, configurable: true },
    });
    setMember(object, name, 2);
    expect(JSON.stringify(object)).toBe(`{"${name}":2}`);
  });

  test('changed members are those of a copy, of which there is none without a change', () => {
    const object = { a: 1, b: 2 };
    expect(changeMembers(object, ['a', 'c'], (_name, old) => old)).toBe(object);
    expect(changeMembers(object, ['a', 'b', 'c'], (name) => (name === 'b' ? undefined : name))).toEqual({
      ...{ a: 'a', c: 'c' },
    });
    expect(object).toEqual({ a: 1, b: 2 });
  });
});

test.each([
  { value: 1, depth: 0 },
  { value: [], depth: 1 },
  { value: { a: 1 }, depth: 1 },
  { value: [1, { a: [] }], depth: 3 },
])('%j nests $depth deep', ({ value, depth }) => {
  expect(isDeeperThan(depth, value)).toBe(false);
  if (depth > 0) expect(isDeeperThan(depth - 1, value)).toBe(true);
});
