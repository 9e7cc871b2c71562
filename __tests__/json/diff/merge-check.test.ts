/** The check of what was merged: elements that move between lists, or with them. */
import { deepFreeze } from '../../../lib/client/deep-freeze';
import { merge } from '../../../lib/json';

const card = { id: 1, title: 'milk' };
const renamed = { id: 1, title: 'oat milk' };
const bread = { id: 2, title: 'bread' };

/** Lists of cards by name. */
const board = (lists: Record<string, readonly unknown[]>) => ({ todo: [], doing: [], done: [], ...lists });

describe('one value, and a conflict, is the smallest container of all places', () => {
  test.each([
    {
      what: 'both drag a card to different lists',
      base: board({ todo: [card] }),
      mine: board({ doing: [card] }),
      theirs: board({ done: [card] }),
      path: '',
    },
    {
      what: '… of a board in the document',
      base: { title: 'a', board: board({ todo: [card] }) },
      mine: { title: 'a', board: board({ doing: [card] }) },
      theirs: { title: 'a', board: board({ done: [card] }) },
      path: '/board',
    },
    {
      what: '… of one column, in which they have lists of their own',
      base: [{ id: 'a', ...board({ todo: [card] }) }, { id: 'b' }],
      mine: [{ id: 'a', ...board({ doing: [card] }) }, { id: 'b' }],
      theirs: [{ id: 'a', ...board({ done: [card] }) }, { id: 'b' }],
      path: '/0',
    },
    {
      what: '… of columns with identities',
      base: {
        columns: [
          { id: 'a', cards: [card] },
          { id: 'b', cards: [] },
          { id: 'c', cards: [] },
        ],
      },
      mine: {
        columns: [
          { id: 'a', cards: [] },
          { id: 'b', cards: [card] },
          { id: 'c', cards: [] },
        ],
      },
      theirs: {
        columns: [
          { id: 'a', cards: [] },
          { id: 'b', cards: [] },
          { id: 'c', cards: [card] },
        ],
      },
      path: '/columns',
    },
    {
      what: 'one drags a card, the other renames it',
      base: board({ todo: [card, bread] }),
      mine: board({ todo: [bread], doing: [card] }),
      theirs: board({ todo: [renamed, bread] }),
      path: '',
    },
    {
      what: 'one drags a card, the other gives it another member',
      base: board({ todo: [card] }),
      mine: board({ doing: [card] }),
      theirs: board({ todo: [{ ...card, due: 'today' }] }),
      path: '',
    },
    {
      what: '… where somebody else has the same identity',
      base: { ...board({ todo: [card] }), people: [{ id: 1, name: 'Ada' }] },
      mine: { ...board({ doing: [card] }), people: [{ id: 1, name: 'Ada' }] },
      theirs: { ...board({ done: [card] }), people: [{ id: 1, name: 'Ada' }] },
      path: '',
    },
    {
      what: 'both add the same card to different lists',
      base: board({}),
      mine: board({ todo: [card] }),
      theirs: board({ done: [card] }),
      path: '',
    },
    {
      what: 'both drag a text',
      base: board({ todo: ['milk'] }),
      mine: board({ doing: ['milk'] }),
      theirs: board({ done: ['milk'] }),
      path: '',
    },
    {
      what: 'a reply that moves into an element that the other removes',
      base: {
        comments: [
          { id: 1, replies: [] },
          { id: 2, replies: [] },
        ],
      },
      mine: { comments: [{ id: 1, replies: [{ id: 2, replies: [] }] }] },
      theirs: { comments: [{ id: 2, replies: [] }] },
      path: '/comments',
    },
    {
      what: 'a card whose list is a value without identities on one side',
      base: board({ todo: [card] }),
      mine: board({ doing: [card] }),
      theirs: board({ doing: [card, { title: 'new' }] }),
      // The same list on both sides, in different ways: nothing is there twice.
      path: '/doing',
      result: { mine: board({ doing: [card] }), theirs: board({ doing: [card, { title: 'new' }] }) },
    },
    {
      what: 'what is joined holds another element that has moved out of it',
      base: { board: board({ todo: [card, bread] }), archive: [] },
      mine: { board: board({ doing: [card] }), archive: [bread] },
      theirs: { board: board({ todo: [bread], done: [card] }), archive: [] },
      path: '',
    },
  ])('$what', ({ base, mine, theirs, path, result = { mine, theirs } }) => {
    expect(merge<unknown>(deepFreeze(base), deepFreeze(mine), deepFreeze(theirs))).toEqual({
      paths: [path],
      withMine: result.mine,
      withTheirs: result.theirs,
    });
  });
});

describe('no conflict', () => {
  test.each([
    {
      what: 'only one side drags it',
      base: board({ todo: [card, bread] }),
      mine: board({ todo: [bread], doing: [card] }),
      theirs: board({ todo: [card, { ...bread, due: 1 }] }),
      result: board({ todo: [{ ...bread, due: 1 }], doing: [card] }),
    },
    {
      what: 'both drag it to the same list',
      base: board({ todo: [card] }),
      mine: board({ doing: [card] }),
      theirs: board({ doing: [bread, card] }),
      result: board({ doing: [bread, card] }),
    },
    {
      what: 'one drags it, the other removes it',
      base: board({ todo: [card] }),
      mine: board({ doing: [card] }),
      theirs: board({}),
      result: board({ doing: [card] }),
    },
    {
      what: 'the same tag for two notes',
      base: [
        { id: 1, tags: [] },
        { id: 2, tags: [] },
      ],
      mine: [
        { id: 1, tags: ['new'] },
        { id: 2, tags: [] },
      ],
      theirs: [
        { id: 1, tags: [] },
        { id: 2, tags: ['new'] },
      ],
      result: [
        { id: 1, tags: ['new'] },
        { id: 2, tags: ['new'] },
      ],
    },
    {
      what: 'a card and a person of the same identity',
      base: { cards: [], people: [] },
      mine: { cards: [card], people: [] },
      theirs: { cards: [], people: [{ id: 1, name: 'Ada' }] },
      result: { cards: [card], people: [{ id: 1, name: 'Ada' }] },
    },
    {
      what: 'a person who is in a list already',
      base: { a: [{ id: 7 }], b: [], c: [] },
      mine: { a: [{ id: 7 }], b: [{ id: 7 }], c: [] },
      theirs: { a: [{ id: 7 }], b: [], c: [{ id: 7 }] },
      result: { a: [{ id: 7 }], b: [{ id: 7 }], c: [{ id: 7 }] },
    },
    {
      what: 'numbers, which do not identify themselves',
      base: { a: [1], b: [], c: [] },
      mine: { a: [], b: [1], c: [] },
      theirs: { a: [], b: [], c: [1] },
      result: { a: [], b: [1], c: [1] },
    },
  ])('$what', ({ base, mine, theirs, result }) => {
    const merged = merge<unknown>(deepFreeze(base), deepFreeze(mine), deepFreeze(theirs));
    expect(merged).toEqual({ paths: [], withMine: result, withTheirs: result });
  });
});

test('numbers that identify themselves, as the app says', () => {
  const identity = (element: unknown) => element as number;
  const values = [board({ todo: [1] }), board({ doing: [1] }), board({ done: [1] })] as const;
  expect(merge<unknown>(...values, { identity }).paths).toEqual(['']);
});

test('elements that trade places in a long chain of lists are found in one go', () => {
  const names = Array.from({ length: 500 }, (_, i) => `list${i}`);
  const nest = (toList: (i: number) => readonly unknown[]) =>
    names.reduceRight<unknown>((inner, name, i) => ({ [name]: toList(i), inner }), null);
  const base = nest((i) => [{ id: i }]);
  const mine = nest((i) => [{ id: i - 1 }]);
  const theirs = nest((i) => [{ id: i + 1 }]);
  const { withMine, withTheirs } = merge(base, mine, theirs);
  for (const result of [withMine, withTheirs]) {
    const found = [...JSON.stringify(result).matchAll(/"id":(-?\d+)/g)].map(([, id]) => id);
    expect(new Set(found).size).toBe(found.length);
  }
});
