import { applyPatch } from 'rfc6902';
import { createJsonPatch } from '../../../lib/json';
import { deepFreeze } from '../../../lib/client/deep-freeze';
import { jsonPatch } from '../../../lib/patch/formats/json-patch';
import { times } from '../../support/deep-scale';
import { parseContext } from '../../support/parse-context';
import { fc } from '../../support/properties';
import { editedPair, jsonValue } from './json-values';

const item = (id: number, done = false) => ({ id, title: `item ${id}`, done });
const more = Array.from({ length: 9 }, (_, i) => item(10 + i));

const rows: readonly { what: string; before: unknown; after: unknown; patch: unknown }[] = [
  { what: 'equal values', before: { a: [1] }, after: { a: [1] }, patch: [] },
  { what: 'members in another order', before: { a: 1, b: 2 }, after: { b: 2, a: 1 }, patch: [] },
  { what: '-0 and 0', before: [-0], after: [0], patch: [] },
  {
    what: 'another kind of value',
    before: { a: [] },
    after: { a: {} },
    patch: [{ op: 'replace', path: '/a', value: {} }],
  },
  { what: 'another root', before: 1, after: [2], patch: [{ op: 'replace', path: '', value: [2] }] },
  {
    what: 'members that are removed, changed and added',
    before: { a: 1, b: 1 },
    after: { b: 2, c: 3 },
    patch: [
      { op: 'remove', path: '/a' },
      { op: 'replace', path: '/b', value: 2 },
      { op: 'add', path: '/c', value: 3 },
    ],
  },
  {
    what: 'names that a pointer escapes (RFC 6901 3)',
    before: {},
    after: { 'a/b': 1, 'm~n': 2, '': 3 },
    patch: [
      { op: 'add', path: '/a~1b', value: 1 },
      { op: 'add', path: '/m~0n', value: 2 },
      { op: 'add', path: '/', value: 3 },
    ],
  },
  {
    what: 'an object that differs in everything is not replaced whole: that could be above a hidden member',
    before: { a: { x: 1 } },
    after: { a: { y: 1 } },
    patch: [
      { op: 'remove', path: '/a/x' },
      { op: 'add', path: '/a/y', value: 1 },
    ],
  },
  {
    what: 'an element inserted in front',
    before: { list: [item(2), item(3), item(4)] },
    after: { list: [item(1), item(2), item(3), item(4)] },
    patch: [{ op: 'add', path: '/list/0', value: item(1) }],
  },
  ...['id', '_id', 'key'].map((name) => ({
    what: `an element inserted, and the next one changed, which its ${name} identifies`,
    before: { list: [{ [name]: 1, title: 'one, and more of it', done: false }] },
    after: {
      list: [
        { [name]: 0, title: 'zero' },
        { [name]: 1, title: 'one, and more of it', done: true },
      ],
    },
    patch: [
      { op: 'add', path: '/list/0', value: { [name]: 0, title: 'zero' } },
      { op: 'replace', path: '/list/1/done', value: true },
    ],
  })),
  {
    what: 'of two with one id, the first is gone',
    before: [{ id: 1, title: 'gone' }, { id: 1, title: 'stays' }, item(2)],
    after: [{ id: 1, title: 'stays' }, item(2)],
    patch: [{ op: 'remove', path: '/0' }],
  },
  {
    what: 'an element removed in front of equal ones, which stay at the end',
    before: ['first', 'gone', 'x', 'x', 'x'],
    after: ['first', 'x', 'x', 'x'],
    patch: [{ op: 'remove', path: '/1' }],
  },
  {
    what: 'one more of equal ones, at the end',
    before: ['x', 'x'],
    after: ['x', 'x', 'x'],
    patch: [{ op: 'add', path: '/2', value: 'x' }],
  },
  {
    what: 'an element removed behind one that stays at the beginning and is there again',
    before: ['the same', 'gone', 'the same', 'old', 'last', 'and more that keeps the list long'],
    after: ['the same', 'the same', 'new', 'last', 'and more that keeps the list long'],
    patch: [
      { op: 'remove', path: '/1' },
      { op: 'replace', path: '/2', value: 'new' },
    ],
  },
  {
    what: 'elements removed from the middle',
    before: { list: [item(1), item(2), item(3), item(4)] },
    after: { list: [item(1), item(4)] },
    patch: [
      { op: 'remove', path: '/list/1' },
      { op: 'remove', path: '/list/1' },
    ],
  },
  {
    what: 'a member of an element',
    before: { list: [item(1), item(2), item(3)] },
    after: { list: [item(1), item(2, true), item(3)] },
    patch: [{ op: 'replace', path: '/list/1/done', value: true }],
  },
  {
    what: 'all at once, from front to back',
    before: { list: [item(1), item(2), item(3), item(4), ...more] },
    after: { list: [item(0), item(1), item(3, true), item(4), item(5), ...more] },
    patch: [
      { op: 'add', path: '/list/0', value: item(0) },
      { op: 'remove', path: '/list/2' },
      { op: 'replace', path: '/list/2/done', value: true },
      { op: 'add', path: '/list/4', value: item(5) },
    ],
  },
  {
    what: 'an array of which little is left: replaced, as that is shorter',
    before: { list: ['a', 'b', 'c', 'd', 'e', 'f'] },
    after: { list: ['x', 'f'] },
    patch: [{ op: 'replace', path: '/list', value: ['x', 'f'] }],
  },
];

test.each(rows)('$what', ({ before, after, patch }) => {
  const made = createJsonPatch(deepFreeze(before), deepFreeze(after));
  expect(made).toStrictEqual(patch);
  // As text, in which -0 is 0.
  const text = JSON.stringify(applied(before, made));
  expect(JSON.parse(text)).toEqual(after);
});

describe('lists', () => {
  const numbers = (length: number) => Array.from({ length }, (_, i) => i);
  const many = times(20_000, 100_000);
  const rows = numbers(many).map((id) => item(id));
  const reversed = numbers(3_000).reverse();
  const toRow = (title: string) => ({ title, text: 'as it was'.repeat(9) });
  const titles = ['one', 'two', 'three'].map(toRow);
  const digits = numbers(1_000).map((i) => (i * i) % 10);
  const untitled = { title: 'untitled', tags: ['new'] };
  const equal = numbers(200).map(() => structuredClone(untitled));

  test.each([
    {
      what: 'many rows, of which the first and the last are edited',
      before: rows,
      after: rows.with(0, item(0, true)).with(-1, item(many - 1, true)),
      patch: [
        { op: 'replace', path: '/0/done', value: true },
        { op: 'replace', path: `/${many - 1}/done`, value: true },
      ],
    },
    {
      what: 'a row without an identity, of which the title is edited',
      before: titles,
      after: titles.with(1, toRow('2')),
      patch: [{ op: 'replace', path: '/1/title', value: '2' }],
    },
    {
      what: '… and of which another row is new',
      before: titles,
      after: [toRow('one'), toRow('2'), toRow('three'), toRow('four')],
      patch: [
        { op: 'replace', path: '/1/title', value: '2' },
        { op: 'add', path: '/3', value: toRow('four') },
      ],
    },
    {
      what: '1,000 digits, of which one is changed',
      before: digits,
      after: digits.with(500, 11),
      patch: [{ op: 'replace', path: '/500', value: 11 }],
    },
    {
      what: '200 equal rows, of which one is edited',
      before: equal,
      after: equal.with(77, { ...untitled, title: 'titled' }),
      patch: [{ op: 'replace', path: '/77/title', value: 'titled' }],
    },
    {
      what: 'one row that has moved: it is removed, and added',
      before: rows.slice(0, 9),
      after: [...rows.slice(1, 9), rows[0]],
      patch: [
        { op: 'remove', path: '/0' },
        { op: 'add', path: '/8', value: rows[0] },
      ],
    },
    {
      what: 'rows whose key is not unique: recognised by equality',
      before: titles.map((row) => ({ ...row, key: 'row' })),
      after: titles.slice(1).map((row) => ({ ...row, key: 'row' })),
      patch: [{ op: 'remove', path: '/0' }],
    },
    {
      what: 'ids in reverse order: the whole list',
      before: reversed.map((id) => ({ id })),
      after: reversed.map((id) => ({ id })).reverse(),
      patch: [{ op: 'replace', path: '', value: numbers(3_000).map((id) => ({ id })) }],
    },
    {
      what: 'numbers in reverse order: the whole list',
      before: numbers(3_000),
      after: reversed,
      patch: [{ op: 'replace', path: '', value: reversed }],
    },
    {
      what: 'an empty list and an empty object are not equal',
      before: [[], {}, 1],
      after: [{}, [], 1],
      patch: [{ op: 'replace', path: '', value: [{}, [], 1] }],
    },
  ])('$what', ({ before, after, patch }) => {
    expect(createJsonPatch(before, after)).toEqual(patch);
  });
});

describe('a patch of more than 1,000 operations, which servers refuse by default (413)', () => {
  const text = 'as it was'.repeat(30);
  /** 900 elements; 600 operations lead from one to the other. */
  const list = (done: boolean) =>
    Array.from({ length: 900 }, (_, id) => ({ id, text, ...(id % 3 === 0 && { done, shown: !done }) }));

  test('replaces the list with which it would have so many, and each later one that differs', () => {
    const value = (done: boolean) => ({ a: list(done), b: [{ list: list(done) }], c: list(false), d: done });
    const patch = createJsonPatch(value(false), value(true));
    expect(patch).toHaveLength(602);
    expect(patch[0]).toEqual({ op: 'replace', path: '/a/0/done', value: true });
    expect(patch.slice(600)).toEqual([
      { op: 'replace', path: '/b/0/list', value: list(true) },
      { op: 'replace', path: '/d', value: true },
    ]);
  });

  test('of objects only stays as it is: one of them can have a hidden member', () => {
    const members = (done: boolean) =>
      Object.fromEntries([...list(done), ...list(done)].map((one, i) => [i, one]));
    expect(createJsonPatch(members(false), members(true))).toHaveLength(1_200);
  });
});

const pairs = { numRuns: times(75, 20_000) };

describe.each([
  ['unrelated', fc.tuple(jsonValue, jsonValue)],
  ['edited', editedPair],
])('%s values: the patch makes the one of the other', (_what, values) => {
  test('by our parser', () => {
    fc.assert(
      fc.property(values, ([before, after]) => {
        expect(applied(before, createJsonPatch(before, after))).toEqual(after);
      }),
      pairs,
    );
  });

  test('by rfc6902', () => {
    fc.assert(
      fc.property(values, ([before, after]) => {
        const patch = createJsonPatch(before, after);
        // It has no replacing of the root, refuses `__proto__`, and finds nothing at `constructor`.
        const text = JSON.stringify(patch);
        fc.pre(!/__proto__|constructor/.test(text) && !text.includes('"path":""'));
        // Of this realm, as it asks by instanceof.
        const holder: unknown = JSON.parse(JSON.stringify(before));
        const errors = applyPatch(holder, JSON.parse(text) as never);
        expect(errors.filter((error) => error !== null)).toEqual([]);
        expect(holder).toEqual(after);
      }),
      pairs,
    );
  });

  test('and neither is changed; equal ones need none', () => {
    fc.assert(
      fc.property(values, ([before, after]) => {
        const texts = [JSON.stringify(before), JSON.stringify(after)];
        createJsonPatch(before, after);
        expect([JSON.stringify(before), JSON.stringify(after)]).toEqual(texts);
        expect(createJsonPatch(after, structuredClone(after))).toEqual([]);
      }),
      { numRuns: times(13, 2_000) },
    );
  });
});

function applied(before: unknown, patch: unknown): unknown {
  const parsed = jsonPatch().parse(Buffer.from(JSON.stringify(patch)), parseContext());
  return parsed(before);
}
