import { MemoryStore } from '../../../lib/stores/memory/memory-store';
import { storeConformance } from '../../../lib/testing/store-conformance';
import { testCases } from '../../support/test-cases';

describe('MemoryStore keeps the contract of ResourceStore', () => {
  const cases = storeConformance(() => {
    const store = new MemoryStore();
    return { open: () => store };
  });
  testCases(cases);
});

describe('what it is created with', () => {
  test('is stored by key, as a copy, and each with a version of its own', async () => {
    const note = { title: 'Buy milk' };
    const store = new MemoryStore({ '1': note, '2': note });
    note.title = 'changed later';
    const [one, two] = [await store.get('1'), await store.get('2')];
    expect([one?.value, two?.value]).toEqual([{ title: 'Buy milk' }, { title: 'Buy milk' }]);
    expect(one?.version).not.toBe(two?.version);
    expect(one?.modified).toBeInstanceOf(Date);
    expect(await store.replace('1', one?.version ?? '', { title: 'Buy bread' })).toBeDefined();
    expect(await store.get('3')).toBeUndefined();
  });

  test.each([
    { what: 'a list', resources: [{ title: 'Buy milk' }] },
    { what: 'a map', resources: new Map([['1', {}]]) },
    { what: 'null', resources: null },
    { what: 'a key that no store holds', resources: { 'a\0': 1 } },
  ])('$what is a mistake', ({ resources }) => {
    expect(() => new MemoryStore(resources as never)).toThrow(
      expect.objectContaining({
        mistakes: [expect.objectContaining({ option: 'resources', code: 'option-type' })],
      }),
    );
  });

  test('a value that is not JSON is an error', () => {
    expect(() => new MemoryStore({ '1': 1n })).toThrow('it contains a BigInt');
  });
});

describe('MemoryStore treats values as JSON would', () => {
  class Money {
    constructor(private readonly cents: number) {}
    toJSON(key: string) {
      return `${key}:${this.cents}`;
    }
  }
  const twice = { a: 1 };
  const values: readonly { readonly title: string; readonly value: unknown }[] = [
    {
      title: 'members that are undefined, functions or symbols',
      value: { a: undefined, b: () => 1, c: Symbol('c'), d: 1 },
    },
    { title: 'elements that are', value: [undefined, () => 1, Symbol('c'), 1] },
    { title: 'holes', value: Object.assign([], { 2: 1 }) },
    { title: 'no finite numbers', value: [NaN, Infinity, -Infinity] },
    { title: '-0', value: [-0] },
    { title: 'toJSON', value: { date: new Date(0), price: new Money(5), list: [new Money(7)] } },
    { title: 'boxed primitives', value: [Object(1), Object('a'), Object(false)] },
    {
      title: 'class instances, maps, null prototypes',
      value: [new Map([[1, 2]]), Object.assign(Object.create(null), { a: 1 })],
    },
    {
      title: 'symbol and hidden members',
      value: Object.defineProperty({ [Symbol('s')]: 1, a: 1 }, 'hidden', { value: 1 }),
    },
    {
      title: '__proto__ as a plain member',
      value: JSON.parse('{"__proto__":{"admin":true},"a":{"__proto__":1}}'),
    },
    { title: 'one container in two places', value: [twice, { twice }] },
  ];

  test.each(values)('$title', async ({ value }) => {
    const store = new MemoryStore();
    await store.replace('key', null, value);
    const stored = await store.get('key');
    expect(stored?.value).toStrictEqual(JSON.parse(JSON.stringify(value)));
    expect(JSON.stringify(stored?.value)).toBe(JSON.stringify(value));
  });

  const circular: { self?: unknown } = {};
  circular.self = [circular];
  test.each([
    { what: 'itself', value: circular, reason: /it contains itself/ },
    { what: 'a BigInt', value: { n: 1n }, reason: /BigInt/ },
    { what: 'a boxed BigInt', value: { n: Object(1n) as unknown }, reason: /BigInt/ },
    { what: 'nothing', value: undefined, reason: /: it is undefined\. Store objects/ },
    { what: 'a function', value: () => 1, reason: /: it is a function\. Store objects/ },
    { what: 'a symbol', value: Symbol('a'), reason: /: it is a symbol\. Store objects/ },
    {
      what: 'a toJSON that gives nothing',
      value: { toJSON: () => undefined },
      reason: /: its toJSON returned undefined, a function or a symbol\. Store objects/,
    },
  ])('a value that is or holds $what is refused with a reason', async ({ value, reason }) => {
    const store = new MemoryStore();
    await expect(store.replace('key', null, value)).rejects.toMatchObject({
      name: 'NotJsonError',
      code: 'PATCH_OPTIONS_NOT_JSON',
      message: expect.stringMatching(reason) as string,
    });
    expect(await store.get('key')).toBeUndefined();
  });
});

describe('MemoryStore shares what nobody can change', () => {
  interface Note {
    readonly title: string;
    readonly tags: readonly string[];
  }

  test('what was given is copied, what is returned is frozen throughout', async () => {
    const store = new MemoryStore<{ tags: string[] }>();
    const given = { tags: ['a'] };
    await store.replace('key', null, given);
    given.tags.push('b');
    const stored = await store.get('key');
    expect(stored?.value).toEqual({ tags: ['a'] });
    expect(() => stored?.value.tags.push('c')).toThrow(TypeError);
  });

  test('a frozen container of the caller is copied: what it holds may change yet', async () => {
    const store = new MemoryStore<{ tags: string[] }>();
    const given = Object.freeze({ tags: ['a'] });
    await store.replace('key', null, given);
    given.tags.push('b');
    expect((await store.get('key'))?.value.tags).toEqual(['a']);
  });

  test('the parts of a stored value that the next one keeps are kept, not copied', async () => {
    const store = new MemoryStore<Note>();
    const first = await store.replace('key', null, { title: 'a', tags: ['x'] });
    if (first === undefined) throw new Error('not created');
    const second = await store.replace('key', first.version, { ...first.value, title: 'b' });
    expect(second?.value).toEqual({ title: 'b', tags: ['x'] });
    expect(second?.value.tags).toBe(first.value.tags);
  });

  test('modified belongs to whoever is given it', async () => {
    const store = new MemoryStore();
    const made = await store.replace('key', null, 1);
    made?.modified?.setTime(0);
    expect((await store.get('key'))?.modified?.getTime()).toBeGreaterThan(0);
  });

  test('entries lists keys with what is stored, in the order of creation', async () => {
    const store = new MemoryStore();
    const b = await store.replace('b', null, 1);
    const a = await store.replace('a', null, 2);
    expect([...store.entries()]).toEqual([
      ['b', b],
      ['a', a],
    ]);
  });
});
