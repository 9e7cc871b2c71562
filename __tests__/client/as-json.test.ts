import { runInNewContext } from 'node:vm';
import { ArgumentError, resourceClient } from '../../lib/client';
import { copyAsJson } from '../../lib/client/as-json';
import { scriptedFetch, state } from './scripted-fetch';

const date = new Date(0);
class Money {
  constructor(readonly cents: number) {}
}

describe('what JSON.stringify writes without a loss is sent as it writes it', () => {
  test.each<[string, unknown, string]>([
    ['JSON', { a: [1, 'b', null, true, {}] }, '{"a":[1,"b",null,true,{}]}'],
    ['undefined members', { a: undefined, b: 1 }, '{"b":1}'],
    ['-0', -0, '0'],
    ['dates', { a: date }, '{"a":"1970-01-01T00:00:00.000Z"}'],
    ['what toJSON gives, even an empty object', { a: { toJSON: () => ({}) } }, '{"a":{}}'],
    ['null of toJSON', { a: { toJSON: () => null } }, '{"a":null}'],
    ['instances of classes', new Money(1), '{"cents":1}'],
    ['objects without a prototype', Object.create(null), '{}'],
    ['plain objects and arrays of other realms', runInNewContext('({ a: [{}] })'), '{"a":[{}]}'],
    ['proxies', new Proxy({ a: new Proxy([1], {}) }, {}), '{"a":[1]}'],
    ['wrapped strings', { a: Object('b') as unknown }, '{"a":"b"}'],
    ['a member named __proto__', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
  ])('%s', (_what, value, text) => {
    const copy = copyAsJson(value);
    expect(JSON.stringify(copy)).toBe(text);
    expect(JSON.parse(text)).toEqual(copy === 0 ? 0 : copy);
    if (typeof value === 'object') expect(copy).not.toBe(value);
  });
});

describe('everything else is an error that names it', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const gap = ['a', 'b', 'c'];
  Reflect.deleteProperty(gap, 1); // as recipes do it by mistake: delete list[1]

  test.each<[string, unknown, RegExp, string]>([
    ['undefined', undefined, /: it is undefined\. Use only/, ''],
    ['NaN', { a: { count: NaN } }, /: "\/a\/count" is NaN\. Use only/, '/a/count'],
    ['Infinity', [1, -Infinity], /"\/1" is -Infinity/, '/1'],
    [
      'a function, for instance one that was not called',
      { title: () => 'x' },
      /"\/title" is a function/,
      '/title',
    ],
    ['a symbol', [Symbol('x')], /"\/0" is a symbol/, '/0'],
    ['a bigint', { a: 1n }, /"\/a" is a BigInt/, '/a'],
    ['a gap', { tags: gap }, /"\/tags\/1" is undefined/, '/tags/1'],
    ['an undefined element', [undefined], /"\/0" is undefined/, '/0'],
    ['a Map', { a: new Map([[1, 2]]) }, /"\/a" is of the type Map/, '/a'],
    ['a Set', { tags: new Set(['a']) }, /"\/tags" is of the type Set/, '/tags'],
    ['a promise', { a: Promise.resolve(1) }, /"\/a" is of the type Promise/, '/a'],
    ['a RegExp', { a: /x/ }, /"\/a" is of the type RegExp/, '/a'],
    ['an Error', { a: new Error('x') }, /"\/a" is of the type Error/, '/a'],
    ['a Map of another realm', runInNewContext('({ a: new Map() })'), /"\/a" is of the type Map/, '/a'],
    ['an invalid date', { due: new Date('soon') }, /"\/due" is an invalid Date/, '/due'],
    ['a cycle', cyclic, /contains itself/, ''],
  ])('%s', (_what, value, message, pointer) => {
    const make = () => copyAsJson(value);
    expect(make).toThrow(ArgumentError);
    expect(make).toThrow(
      expect.objectContaining({ code: 'value-not-json', pointer, message: expect.stringMatching(message) }),
    );
  });

  const wrong: object = { tags: new Set(['a']) };
  const calls: Readonly<Record<string, (client: ReturnType<typeof resourceClient>) => Promise<unknown>>> = {
    change: (client) => client.change('/n', () => wrong),
    save: (client) => client.save('/n', {}, wrong),
    'save, of its base': (client) => client.save('/n', wrong, {}),
    'a decision': (client) => client.save('/n', 1, 2, { onConflict: () => wrong as never }),
    put: (client) => client.put('/n', wrong, { etag: '*' }),
  };
  test.each(Object.entries(calls))('%s: nothing is written', async (_what, call) => {
    const { fetch, sent } = scriptedFetch(state(1, {}));
    await expect(call(resourceClient('https://api.example', { fetch }))).rejects.toMatchObject({
      code: 'value-not-json',
    });
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
