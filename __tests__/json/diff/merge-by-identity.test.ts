/** What a merge makes of three lists whose elements are recognised wherever they stand. */
import { deepFreeze } from '../../../lib/client/deep-freeze';
import { merge } from '../../../lib/json/diff/merge';

interface Row {
  readonly what: string;
  readonly base: readonly unknown[];
  readonly mine: readonly unknown[];
  readonly theirs: readonly unknown[];
  readonly result?: readonly unknown[];
  readonly conflict?: {
    readonly paths: readonly string[];
    readonly withMine: readonly unknown[];
    readonly withTheirs: readonly unknown[];
  };
}

/** Cards with these ids, and an `a` of 0. */
const cards = (...ids: readonly (string | number)[]) => ids.map((id) => ({ id, a: 0 }));
const [one, two] = cards(1, 2);

const presence: readonly Row[] = [
  {
    what: 'removed by either: gone',
    base: cards(1, 2, 3),
    mine: cards(2, 3),
    theirs: cards(1, 2),
    result: cards(2),
  },
  {
    what: 'removed by both: gone',
    base: cards(1, 2),
    mine: cards(2),
    theirs: cards(2),
    result: cards(2),
  },
  {
    what: 'removed here and moved there: gone',
    base: cards(1, 2),
    mine: cards(2),
    theirs: cards(2, 1),
    result: cards(2),
  },
  {
    what: 'removed here and changed there: a conflict on the element',
    base: cards(1, 2),
    mine: cards(2),
    theirs: [{ id: 1, a: 5 }, two],
    conflict: { paths: ['/0'], withMine: cards(2), withTheirs: [{ id: 1, a: 5 }, two] },
  },
  {
    what: 'I remove 1 and change 2, they remove both: 1 is gone, 2 is a conflict',
    base: cards(1, 2),
    mine: [{ id: 2, a: 5 }],
    theirs: [],
    conflict: { paths: ['/1'], withMine: [{ id: 2, a: 5 }], withTheirs: [] },
  },
  {
    what: 'replaced here by one of another id, and changed there: a conflict; the new one is kept',
    base: cards(1),
    mine: cards(7),
    theirs: [{ id: 1, a: 5 }],
    conflict: {
      paths: ['/0'],
      withMine: cards(7),
      withTheirs: [
        { id: 7, a: 0 },
        { id: 1, a: 5 },
      ],
    },
  },
  {
    what: 'an addition beside a removal of everything',
    base: cards(1),
    mine: cards(1, 50),
    theirs: [],
    result: cards(50),
  },
  {
    what: '… and saved again onto that',
    base: cards(1),
    mine: cards(1, 50),
    theirs: cards(50),
    result: cards(50),
  },
  {
    what: 'an empty list that both fill',
    base: [],
    mine: cards(1),
    theirs: cards(2),
    result: cards(1, 2),
  },
];

const members: readonly Row[] = [
  {
    what: 'different members of one element, which they have moved as well',
    base: [{ id: 1, a: 0, b: 0 }, two],
    mine: [{ id: 1, a: 5, b: 0 }, two],
    theirs: [two, { id: 1, a: 0, b: 5 }],
    result: [two, { id: 1, a: 5, b: 5 }],
  },
  {
    what: 'the same member of one element: a conflict there, at its index in base',
    base: cards(1, 2),
    mine: [one, { id: 2, a: 5 }],
    theirs: [{ id: 2, a: 6 }],
    conflict: { paths: ['/1/a'], withMine: [{ id: 2, a: 5 }], withTheirs: [{ id: 2, a: 6 }] },
  },
  {
    what: 'the same id added by both: one element, with the members of both',
    base: cards(1),
    mine: [one, { id: 9, a: 1, b: 1 }],
    theirs: [one, { id: 9, a: 1, c: 1 }],
    result: [one, { id: 9, a: 1, b: 1, c: 1 }],
  },
  {
    what: 'the same id added by both, with a member that differs: a conflict, named by the list',
    base: cards(1),
    mine: [one, { id: 9, a: 1, b: 1 }],
    theirs: [one, { id: 9, a: 2, c: 1 }],
    conflict: {
      paths: [''],
      withMine: [one, { id: 9, a: 1, b: 1, c: 1 }],
      withTheirs: [one, { id: 9, a: 2, b: 1, c: 1 }],
    },
  },
  {
    what: 'lists in elements: by identity as well',
    base: [{ id: 1, cards: cards(1, 2) }, two],
    mine: [{ id: 1, cards: [...cards(2), { id: 1, a: 5 }] }, two],
    theirs: [two, { id: 1, cards: [one, { id: 2, a: 6 }, ...cards(3)] }],
    result: [two, { id: 1, cards: [{ id: 2, a: 6 }, ...cards(3), { id: 1, a: 5 }] }],
  },
  {
    what: '1 and "1" are two',
    base: cards(1, '1'),
    mine: [{ id: 1, a: 5 }, ...cards('1')],
    theirs: [{ id: '1', a: 6 }],
    conflict: {
      paths: ['/0'],
      withMine: [
        { id: 1, a: 5 },
        { id: '1', a: 6 },
      ],
      withTheirs: [{ id: '1', a: 6 }],
    },
  },
  {
    what: 'ids that every object inherits are ids like any others',
    base: cards('__proto__', 'constructor'),
    mine: cards('constructor', '__proto__'),
    theirs: [...cards('__proto__', 'constructor', 'toString')],
    result: cards('constructor', 'toString', '__proto__'),
  },
];

const order: readonly Row[] = [
  {
    what: 'moved here: moved',
    base: cards(1, 2, 3),
    mine: cards(3, 1, 2),
    theirs: [one, { id: 2, a: 5 }, ...cards(3)],
    result: [...cards(3, 1), { id: 2, a: 5 }],
  },
  {
    what: 'moved by both to the same place: moved',
    base: cards(1, 2, 3),
    mine: cards(2, 3, 1, 7),
    theirs: cards(2, 3, 1),
    result: cards(2, 3, 1, 7),
  },
  {
    what: 'moved by both to different places: one conflict, on the list',
    base: cards(1, 2, 3),
    mine: cards(2, 1, 3),
    theirs: cards(2, 3, 1),
    conflict: { paths: [''], withMine: cards(2, 1, 3), withTheirs: cards(2, 3, 1) },
  },
  {
    what: 'sorted by both, in different ways: nobody loses an element, or an insertion',
    base: cards(3, 1, 2),
    mine: cards(1, 2, 3, 4),
    theirs: cards(5, 2, 1, 3),
    conflict: { paths: [''], withMine: cards(5, 1, 2, 3, 4), withTheirs: cards(5, 2, 1, 3, 4) },
  },
  {
    what: 'an insertion follows its predecessor, also where that was moved',
    base: cards(1, 2, 3),
    mine: cards(1, 7, 2, 3),
    theirs: cards(2, 3, 1),
    result: cards(2, 3, 1, 7),
  },
  {
    what: '… or the one before that, where it was removed',
    base: cards(1, 2, 3),
    mine: cards(1, 2, 7, 3),
    theirs: cards(1, 3),
    result: cards(1, 7, 3),
  },
  {
    what: 'insertions at one place: both are kept, the smaller id first',
    base: cards(1, 2),
    mine: cards(1, 10, 2),
    theirs: cards(1, 9, 2),
    result: cards(1, 9, 10, 2),
  },
  {
    what: '… whoever saves first',
    base: cards(1, 2),
    mine: cards(1, 9, 2),
    theirs: cards(1, 10, 2),
    result: cards(1, 9, 10, 2),
  },
  {
    what: 'what each has inserted together stays together',
    base: [],
    mine: cards('b', 'a'),
    theirs: cards('d', 'c', 'e'),
    result: cards('b', 'a', 'd', 'c', 'e'),
  },
  {
    what: 'the same id added at different places: one element, whoever saves first, behind the smaller id',
    base: cards(1, 2),
    mine: cards(9, 1, 2),
    theirs: cards(1, 2, 9),
    result: cards(1, 2, 9),
  },
  {
    what: '… and what I have inserted behind it follows it there',
    base: cards(1, 2),
    mine: cards(9, 10, 1, 2),
    theirs: cards(1, 9, 2),
    result: cards(1, 9, 10, 2),
  },
];

const texts: readonly Row[] = [
  {
    what: 'tags that each has added and removed',
    base: ['a', 'b'],
    mine: ['a', 'b', 'd'],
    theirs: ['b', 'c'],
    result: ['b', 'c', 'd'],
  },
  {
    what: 'the same tag added by both, at different places: once',
    base: ['a', 'b'],
    mine: ['x', 'a', 'b'],
    theirs: ['a', 'b', 'x'],
    result: ['a', 'b', 'x'],
  },
  {
    what: 'moved by both to different places: one conflict, on the list, and none is there twice',
    base: ['1', '2', '3'],
    mine: ['2', '1', '3'],
    theirs: ['2', '3', '1'],
    conflict: { paths: [''], withMine: ['2', '1', '3'], withTheirs: ['2', '3', '1'] },
  },
  {
    what: 'each has replaced another one',
    base: ['a', 'b'],
    mine: ['x', 'b'],
    theirs: ['a', 'y'],
    result: ['x', 'y'],
  },
  {
    what: 'both have replaced the same one: the list is one value, and a conflict',
    base: ['a', 'b'],
    mine: ['x', 'b', 'c'],
    theirs: ['y', 'b'],
    conflict: { paths: [''], withMine: ['x', 'b', 'c'], withTheirs: ['y', 'b'] },
  },
  {
    what: '… by the same',
    base: ['a', 'b'],
    mine: ['x', 'b', 'c'],
    theirs: ['x', 'b'],
    result: ['x', 'b', 'c'],
  },
  {
    what: 'both have removed the same one, and only one side has added some',
    base: ['a', 'b'],
    mine: ['b', 'x'],
    theirs: ['b'],
    result: ['b', 'x'],
  },
];

describe.each([
  ['which elements there are', presence],
  ['their members', members],
  ['their order', order],
  ['texts, each its own identity', texts],
])('%s', (_what, rows) => {
  test.each(rows)('$what', ({ base, mine, theirs, result, conflict }) => {
    const expected = conflict ?? { paths: [], withMine: result, withTheirs: result };
    expect(merge(deepFreeze(base), deepFreeze(mine), deepFreeze(theirs))).toEqual(expected);
  });
});

describe('the option identity', () => {
  const base = [
    { slug: 'a', id: 1 },
    { slug: 'b', id: 1 },
  ];
  const mine = [
    { slug: 'b', id: 1 },
    { slug: 'a', id: 1, x: 1 },
  ];
  const theirs = [
    { slug: 'a', id: 1, y: 1 },
    { slug: 'b', id: 1 },
  ];
  const result = [
    { slug: 'b', id: 1 },
    { slug: 'a', id: 1, x: 1, y: 1 },
  ];

  test.each([
    ['a name', 'slug'],
    ['names, of which the first counts that is unique', ['id', 'slug']],
    ['a function', (element: unknown) => (element as { slug: string }).slug],
  ])('%s', (_what, identity) => {
    expect(merge(base, mine, theirs, { identity })).toEqual({
      paths: [],
      withMine: result,
      withTheirs: result,
    });
  });

  test('no names: objects are merged by position', () => {
    const merged = merge([{ id: 1 }], [{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 3 }], { identity: [] });
    expect(merged.paths).toEqual(['']);
  });

  test('of several names the same counts in all three lists', () => {
    const [a, b] = [
      { _id: 'a', id: 1 },
      { _id: 'b', id: 2 },
    ];
    // Mine has an element without an id.
    const result = [b, { _id: 'c' }, a];
    expect(merge([a, b], [a, b, { _id: 'c' }], [b, a]).withMine).toEqual(result);
  });

  test('an id that is null, true or an object identifies nothing', () => {
    for (const id of [null, true, {}]) expect(merge([], [{ id, a: 1 }], [{ id, a: 2 }]).paths).toEqual(['']);
  });

  test('a function can also recognise scalars, and leave out lists', () => {
    const identity = (element: unknown, path: string) =>
      path === '/tags' && typeof element === 'string' ? element.toLowerCase() : undefined;
    const value = (...tags: readonly string[]) => ({ tags, ids: [{ id: 1 }] });
    expect(merge(value('A'), value('A', 'b'), value('A', 'B', 'c'), { identity })).toEqual({
      paths: ['/tags'],
      withMine: value('A', 'b', 'c'),
      withTheirs: value('A', 'B', 'c'),
    });
  });

  test('a function gets the elements of all three lists, with the pointer of the list in base', () => {
    const identity = jest.fn((element: unknown) => Reflect.get(element as object, 'name') as string);
    const board = (...columns: readonly (readonly [string, readonly string[]])[]) => ({
      'a/b': columns.map(([name, cards]) => ({ name, cards: cards.map((card) => ({ name: card })) })),
    });
    const { withMine } = merge(
      board(['x', []], ['y', ['1']]),
      board(['y', ['1', '2']], ['x', []]),
      board(['x', []], ['y', ['3', '1']]),
      { identity },
    );
    expect(withMine).toEqual(board(['y', ['3', '1', '2']], ['x', []]));
    const paths = identity.mock.calls.map((call: readonly unknown[]) => call[1]);
    expect([...new Set(paths)]).toEqual(['/a~1b', '/a~1b/1/cards']);
  });

  test('a list inside an element has the index of it in base in its pointer, and - where base does not have it', () => {
    const paths = new Set<string>();
    const identity = (element: unknown, path: string) => {
      paths.add(path);
      return Reflect.get(element as object, 'id') as number;
    };
    const same = { id: 4, cards: [{ id: 6 }] };
    merge(
      { columns: [{ id: 1, cards: [{ id: 5, a: 1 }] }, same] },
      { columns: [{ id: 1, cards: [] }, same, { id: 2, cards: [{ id: 5, a: 1 }] }] },
      { columns: [{ id: 1, cards: [{ id: 5, a: 2 }] }, same, { id: 3, cards: [] }] },
      { identity },
    );
    expect([...paths]).toEqual(['/columns', '/columns/0/cards', '/columns/1/cards', '/columns/-/cards']);
  });

  test('what a function throws is thrown', () => {
    const identity = () => {
      throw new RangeError('no');
    };
    expect(() => merge([{}], [], [{ a: 1 }], { identity })).toThrow(new RangeError('no'));
  });

  test.each([
    [null, 'null (object)'],
    [true, 'true (boolean)'],
    [NaN, 'NaN (number)'],
    [5n, '5 (bigint)'],
    [Symbol.iterator, 'Symbol(Symbol.iterator) (symbol)'],
    [Promise.resolve(1), 'an object'],
    [['a'], 'an object'],
  ])('a function that returns %p', (id, shown) => {
    const message =
      `identity() returned ${shown} for an element of "/list". ` + 'Return a string, a number or undefined.';
    const identity = () => id as never;
    expect(() => merge({ list: [{}] }, { list: [] }, { list: [{ a: 1 }] }, { identity })).toThrow(
      new TypeError(message),
    );
  });
});

test.each([[7], [null], [{ name: 'slug' }], [['slug', 7]]])('an identity that is %j', (identity) => {
  expect(() => merge([], [1], [2], { identity: identity as never })).toThrow(
    new TypeError('identity must be a name, a list of names, or a function.'),
  );
});

test('10,000 elements, in another order, of which half have changed', () => {
  const base = Array.from({ length: 10_000 }, (_, id) => ({ id, title: `item ${id}`, done: false }));
  const mine = base.toSorted((a, b) => ((a.id * 7_919) % 10_000) - ((b.id * 7_919) % 10_000));
  const theirs = base
    .map((item) => (item.id % 2 ? { ...item, done: true } : item))
    .concat(cards(-1) as never);
  const { paths, withMine } = merge(base, mine, theirs);
  expect(paths).toEqual([]);
  expect((withMine as typeof base).filter(({ done }) => done)).toHaveLength(5_000);
});

test('numbers are one value, unless the app says that they identify themselves', () => {
  const identity = (element: unknown) => (typeof element === 'number' ? element : undefined);
  const [base, mine, theirs] = [
    [1, 2],
    [3, 1, 2],
    [2, 4],
  ];
  expect(merge(base, mine, theirs)).toEqual({ paths: [''], withMine: mine, withTheirs: theirs });
  const result = [3, 2, 4];
  expect(merge(base, mine, theirs, { identity })).toEqual({
    paths: [],
    withMine: result,
    withTheirs: result,
  });
});
