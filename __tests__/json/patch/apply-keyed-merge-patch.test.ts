/** Keyed merge patches: the elements of a list are addressed by their keys, wherever they are. */
import { JsonError } from '../../../lib/json/json-error';
import { applyKeyedMergePatch, type KeyedListTree } from '../../../lib/json/patch/apply-keyed-merge-patch';
import { applyMergePatch } from '../../../lib/json/patch/apply-merge-patch';
import { parsePointer } from '../../../lib/json/pointer';
import type { JsonObject } from '../../../lib/json/value';
import { times } from '../../support/deep-scale';
import { fc } from '../../support/properties';
import { oracle } from './oracle';

function listsOf(elements: Readonly<Record<string, string>>): KeyedListTree {
  const root: KeyedListTree = { children: new Map() };
  for (const [pointer, key] of Object.entries(elements)) {
    let node = root;
    for (const token of parsePointer(pointer)?.tokens ?? []) {
      const next: KeyedListTree = (token === '*' ? node.any : node.children.get(token)) ?? {
        children: new Map(),
      };
      if (token === '*') node.any = next;
      else node.children.set(token, next);
      node = next;
    }
    node.key = key;
  }
  return root;
}

const board = { '/items': 'id', '/items/*/labels': 'name', '/tags': 'self' };
const apply = (value: unknown, patch: unknown, elements: Readonly<Record<string, string>> = board) =>
  applyKeyedMergePatch(value, patch, listsOf(elements));

interface Row {
  readonly title: string;
  readonly elements?: Readonly<Record<string, string>>;
  readonly value: unknown;
  readonly patch: unknown;
  readonly result: unknown;
}

const three = [
  { id: 1, done: false },
  { id: 2, done: false },
  { id: 3, done: false },
];

const rows: readonly Row[] = [
  {
    title: 'an element is changed where it stands',
    value: { items: three },
    patch: { items: { 2: { done: true } } },
    result: { items: [three[0], { id: 2, done: true }, three[2]] },
  },
  {
    title: 'null removes an element, and the rest keeps its place',
    value: { items: three },
    patch: { items: { 1: null } },
    result: { items: [three[1], three[2]] },
  },
  {
    title: 'null for an element that is not there changes nothing',
    value: { items: three },
    patch: { items: { 9: null } },
    result: { items: three },
  },
  {
    title: 'an element whose key is sent is created, and appended',
    value: { items: three },
    patch: { items: { 4: { id: 4, done: false } } },
    result: { items: [...three, { id: 4, done: false }] },
  },
  {
    title: 'if it is there, it is changed',
    value: { items: three },
    patch: { items: { 3: { id: 3, done: true } } },
    result: { items: [three[0], three[1], { id: 3, done: true }] },
  },
  {
    title: 'the key has the type that is sent, and its place in the element, whatever the list has',
    elements: { '/a': 'id', '/b': 'id', '/c': 'id' },
    value: { a: [], b: [{ id: 1 }], c: [{ id: 'x' }] },
    patch: { a: { 4: { done: true, id: 4 } }, b: { 4: { id: '4' } }, c: { 4: { id: 4 } } },
    result: { a: [{ done: true, id: 4 }], b: [{ id: 1 }, { id: '4' }], c: [{ id: 'x' }, { id: 4 }] },
  },
  {
    title: 'new elements are appended in the order of their keys: numbers by value, then texts by code units',
    value: { items: [{ id: 5 }] },
    patch: {
      items: Object.fromEntries(['b', 10, 'a', 9, 'B', '10x', 1.5].map((id) => [id, { id }])),
    },
    result: {
      items: [5, 1.5, 9, 10, '10x', 'B', 'a', 'b'].map((id) => ({ id })),
    },
  },
  {
    title: 'null in a new element is left out, as of any merge patch',
    value: { items: [] },
    patch: { items: { a: { id: 'a', done: null, at: { x: 1, y: null } } } },
    result: { items: [{ id: 'a', at: { x: 1 } }] },
  },
  {
    title: 'null removes the list, and a list that is missing is created',
    value: { items: three },
    patch: { items: null, tags: { home: true } },
    result: { tags: ['home'] },
  },
  { title: 'an empty patch creates an empty list', value: {}, patch: { items: {} }, result: { items: [] } },
  {
    title: 'a list inside the elements of a list',
    value: { items: [{ id: 1, labels: [{ name: 'red', at: 1 }] }, { id: 2 }] },
    patch: {
      items: {
        1: { labels: { red: { at: 2 }, blue: { name: 'blue' } } },
        2: { labels: { green: { name: 'green' } } },
      },
    },
    result: {
      items: [
        { id: 1, labels: [{ name: 'red', at: 2 }, { name: 'blue' }] },
        { id: 2, labels: [{ name: 'green' }] },
      ],
    },
  },
  {
    title: 'inside a new element, too',
    value: { items: [] },
    patch: { items: { a: { id: 'a', labels: { red: { name: 'red' } } } } },
    result: { items: [{ id: 'a', labels: [{ name: 'red' }] }] },
  },
  {
    title: 'texts: true adds, null removes, true for one that is there leaves it in its place',
    value: { tags: ['b', 'a', 'old'] },
    patch: { tags: { new: true, a: true, old: null, none: null } },
    result: { tags: ['b', 'a', 'new'] },
  },
  {
    title: 'everything else is a merge patch',
    value: { title: 'a', list: [1, 2], size: { w: 1, h: 2 }, items: three },
    patch: { title: 'b', list: [3], size: { h: null }, more: { x: null } },
    result: { title: 'b', list: [3], size: { w: 1 }, items: three, more: {} },
  },
  {
    title: '* stands for any member',
    elements: { '/boards/*/cards': 'id' },
    value: { boards: { a: { cards: [{ id: 1 }] }, b: {} } },
    patch: { boards: { a: { cards: { 1: { done: true } } }, c: { cards: { x: { id: 'x' } } } } },
    result: { boards: { a: { cards: [{ id: 1, done: true }] }, b: {}, c: { cards: [{ id: 'x' }] } } },
  },
  {
    title: 'a name is more specific than *',
    elements: { '/boards/*': 'id', '/boards/main': 'name', '/boards/*/*/tags': 'self' },
    value: { boards: { main: [{ id: 1, name: 'a' }], other: [{ id: 1, name: 'a' }] } },
    patch: { boards: { main: { a: { tags: { x: true } } }, other: { 1: { tags: { y: true } } } } },
    result: {
      boards: { main: [{ id: 1, name: 'a', tags: ['x'] }], other: [{ id: 1, name: 'a', tags: ['y'] }] },
    },
  },
  {
    title: 'where a name leads further down, * has the key',
    elements: { '/boards/*': 'id', '/boards/main/a/tags': 'self' },
    value: { boards: { main: [{ id: 'a', tags: ['x'] }] } },
    patch: { boards: { main: { a: { tags: { y: true } } } } },
    result: { boards: { main: [{ id: 'a', tags: ['x', 'y'] }] } },
  },
  {
    title: 'a list inside one element alone, which its key names',
    elements: { '/boards': 'name', '/boards/main/cards': 'id' },
    value: {
      boards: [
        { name: 'main', cards: [{ id: 1 }] },
        { name: 'other', cards: [1] },
      ],
    },
    patch: { boards: { main: { cards: { 1: { done: true } } }, other: { cards: [2] } } },
    result: {
      boards: [
        { name: 'main', cards: [{ id: 1, done: true }] },
        { name: 'other', cards: [2] },
      ],
    },
  },
  {
    title: 'a key that begins with a colon is another than the one without',
    value: { items: [{ id: ':1' }, { id: '1' }] },
    patch: { items: { ':1': { n: 1 }, 1: { n: 2 } } },
    result: {
      items: [
        { id: ':1', n: 1 },
        { id: '1', n: 2 },
      ],
    },
  },
  {
    title: 'the resource itself is a list',
    elements: { '': 'id', '/*/tags': 'self' },
    value: [{ id: 'a', tags: ['x'] }],
    patch: { a: { tags: { x: null } }, b: { id: 'b' } },
    result: [{ id: 'a', tags: [] }, { id: 'b' }],
  },
  {
    title: 'names that objects inherit are names like any other',
    elements: { '/items': '__proto__', '/__proto__': 'self' },
    value: JSON.parse('{"items":[{"__proto__":"a"}],"__proto__":["constructor"]}') as unknown,
    patch: JSON.parse(
      '{"items":{"a":{"x":1},"__proto__":{"__proto__":"__proto__"},"toString":{"__proto__":"toString"}},' +
        '"__proto__":{"constructor":null,"valueOf":true}}',
    ) as unknown,
    result: JSON.parse(
      '{"items":[{"__proto__":"a","x":1},{"__proto__":"__proto__"},{"__proto__":"toString"}],"__proto__":["valueOf"]}',
    ) as unknown,
  },
  {
    title: 'names with every character of a pointer',
    elements: { '/a~1b': 'id' },
    value: { 'a/b': [{ id: '' }, { id: '*' }, { id: '~1' }] },
    patch: { 'a/b': { '': { n: 1 }, '*': { n: 2 }, '~1': { n: 3 } } },
    result: {
      'a/b': [
        { id: '', n: 1 },
        { id: '*', n: 2 },
        { id: '~1', n: 3 },
      ],
    },
  },
  {
    title: 'a list above which something else is stored is created',
    elements: { '/at/items': 'id' },
    value: { at: 5 },
    patch: { at: { items: { a: { id: 'a' } } } },
    result: { at: { items: [{ id: 'a' }] } },
  },
  {
    title: 'a list that the patch does not address is not looked at',
    value: { items: 'no list', tags: [1, 1], title: 'a' },
    patch: { title: 'b' },
    result: { items: 'no list', tags: [1, 1], title: 'b' },
  },
  {
    title: 'what is above a keyed list can be replaced as a whole',
    elements: { '/at/items': 'id' },
    value: { at: { items: [{ id: 1 }] } },
    patch: { at: [1] },
    result: { at: [1] },
  },
];

test.each(rows)('$title', ({ elements, value, patch, result }) => {
  const [wasValue, wasPatch] = [JSON.stringify(value), JSON.stringify(patch)];
  const made = apply(value, patch, elements);
  expect(JSON.stringify(made)).toBe(JSON.stringify(result));
  expect([JSON.stringify(value), JSON.stringify(patch)]).toEqual([wasValue, wasPatch]);
  // Applied again, as after a lost answer, it changes nothing: what is new is there, and what is gone stays away.
  expect(apply(made, patch, elements)).toEqual(made);
});

/** https://kubernetes.io/docs/tasks/manage-kubernetes-objects/update-api-object-kubectl-patch/ and lists of type set and map. */
describe('the lists of Kubernetes', () => {
  const pod = { '/containers': 'name', '/containers/*/ports': 'containerPort', '/finalizers': 'self' };
  const nginx = { name: 'nginx', image: 'nginx', ports: [{ containerPort: 80, protocol: 'TCP' }] };
  test.each([
    {
      title: 'map: a container is added beside the others',
      value: { containers: [nginx] },
      patch: { containers: { redis: { name: 'redis', image: 'redis' } } },
      result: { containers: [nginx, { name: 'redis', image: 'redis' }] },
    },
    {
      title: 'map: a container is changed, the others stay',
      value: { containers: [{ name: 'a', image: '1' }, nginx] },
      patch: { containers: { nginx: { image: 'nginx:2' } } },
      result: {
        containers: [
          { name: 'a', image: '1' },
          { ...nginx, image: 'nginx:2' },
        ],
      },
    },
    {
      title: 'map: $patch: delete is null',
      value: { containers: [{ name: 'a', image: '1' }, nginx] },
      patch: { containers: { a: null } },
      result: { containers: [nginx] },
    },
    {
      title: 'map in a map: a port by its number',
      value: { containers: [nginx] },
      patch: {
        containers: {
          nginx: { ports: { 80: { protocol: 'UDP' }, 443: { containerPort: 443, protocol: 'TCP' } } },
        },
      },
      result: {
        containers: [
          {
            ...nginx,
            ports: [
              { containerPort: 80, protocol: 'UDP' },
              { containerPort: 443, protocol: 'TCP' },
            ],
          },
        ],
      },
    },
    {
      title: 'set: a finalizer of another controller stays',
      value: { finalizers: ['theirs'] },
      patch: { finalizers: { ours: true } },
      result: { finalizers: ['theirs', 'ours'] },
    },
    {
      title: 'set: a finalizer is removed without a word of the others',
      value: { finalizers: ['theirs', 'ours'] },
      patch: { finalizers: { ours: null } },
      result: { finalizers: ['theirs'] },
    },
    {
      title: 'atomic: a list without a key is replaced',
      value: { tolerations: [{ key: 'a' }] },
      patch: { tolerations: [{ key: 'b' }] },
      result: { tolerations: [{ key: 'b' }] },
    },
  ])('$title', ({ value, patch, result }) => {
    expect(apply(value, patch, pod)).toEqual(result);
  });
});

interface Refusal {
  readonly title: string;
  readonly value: unknown;
  readonly patch: unknown;
  readonly code: string;
  readonly pointer: string;
}

const items = [{ id: 1, labels: [{ name: 'a' }] }];

test.each<Refusal>([
  ...[
    { what: 'no list', stored: 'text' },
    { what: 'an object', stored: {} },
    { what: 'null', stored: null },
    { what: 'a list with an element that is no object', stored: [{ id: 1 }, 2] },
    { what: 'a list with an element without a key', stored: [{ id: 1 }, {}] },
    { what: 'a list with a key that is null', stored: [{ id: null }] },
    { what: 'a list with a key twice', stored: [{ id: 1 }, { id: 1 }] },
    { what: 'a list with 1 beside "1"', stored: [{ id: 1 }, { id: '1' }] },
    { what: 'a list with a key that is only inherited', stored: [Object.create({ id: 1 })] },
  ].map(({ what, stored }) => ({
    ...{ title: `stored is ${what}`, value: { items: stored }, patch: { items: { 1: {} } } },
    ...{ code: 'patch-conflict', pointer: '/items' },
  })),
  ...[
    { what: 'a number', stored: ['a', 1] },
    { what: 'a text twice', stored: ['a', 'a'] },
    { what: 'an object', stored: [{ self: 'a' }] },
  ].map(({ what, stored }) => ({
    ...{ title: `stored among texts is ${what}`, value: { tags: stored }, patch: { tags: { b: null } } },
    ...{ code: 'patch-conflict', pointer: '/tags' },
  })),
  {
    title: 'stored inside an element, whose index names it',
    value: { items: [{ id: 7 }, { id: 8, labels: [{}] }] },
    patch: { items: { 8: { labels: {} } } },
    code: 'patch-conflict',
    pointer: '/items/1/labels',
  },
  ...[[], 'x', 5, true].map((sent) => ({
    ...{ title: `${JSON.stringify(sent)} for a list`, value: { items }, patch: { items: sent } },
    ...{ code: 'patch-kind', pointer: '/items' },
  })),
  ...[[], 'x', 5, true].flatMap((sent) => [
    {
      ...{ title: `${JSON.stringify(sent)} for an element`, value: { items }, patch: { items: { 1: sent } } },
      ...{ code: 'patch-kind', pointer: '/items/1' },
    },
    {
      ...{ title: `${JSON.stringify(sent)} for a new one`, value: { items }, patch: { items: { 2: sent } } },
      ...{ code: 'patch-kind', pointer: '/items/2' },
    },
  ]),
  ...[false, {}, 'a', 1].flatMap((sent) =>
    ['old', 'new'].map((name) => ({
      ...{
        title: `${JSON.stringify(sent)} for a text`,
        value: { tags: ['old'] },
        patch: { tags: { [name]: sent } },
      },
      ...{ code: 'patch-kind', pointer: `/tags/${name}` },
    })),
  ),
  ...[2, '1', null, {}].map((id) => ({
    ...{ title: `the key becomes ${JSON.stringify(id)}`, value: { items }, patch: { items: { 1: { id } } } },
    ...{ code: 'element-key', pointer: '/items/1' },
  })),
  ...[3, '3', '2.0', null, true].map((id) => ({
    ...{
      title: `a new element 2 has the key ${JSON.stringify(id)}`,
      value: { items },
      patch: { items: { 2: { id } } },
    },
    ...{ code: 'element-key', pointer: '/items/2' },
  })),
  {
    title: 'a new element undefined has a key that is no text',
    value: { items },
    patch: { items: { undefined: { id: true } } },
    ...{ code: 'element-key', pointer: '/items/undefined' },
  },
  ...[{ done: true }, {}, { labels: { a: { name: 'a' } } }].flatMap((change) =>
    [items, [], undefined].map((list) => ({
      title: `${JSON.stringify(change)} for an element that is not in ${JSON.stringify(list)}`,
      ...{ value: { items: list }, patch: { items: { 42: change } } },
      ...{ code: 'patch-conflict', pointer: '/items/42' },
    })),
  ),
  {
    title: 'a part of an element that is not there, inside a new one',
    value: { items },
    patch: { items: { 2: { id: 2, labels: { a: { at: 1 } } } } },
    code: 'patch-conflict',
    pointer: '/items/2/labels/a',
  },
  {
    title: 'the key of an element inside an element',
    value: { items },
    patch: { items: { 1: { labels: { a: { name: 'b' } } } } },
    code: 'element-key',
    pointer: '/items/1/labels/a',
  },
])('$title: $code at $pointer', ({ value, patch, code, pointer }) => {
  expect(() => apply(value, patch)).toThrow(JsonError);
  try {
    apply(value, patch);
  } catch (error) {
    expect(error).toMatchObject({ code, pointer });
  }
});

test('what the patch does not change is shared, and the value itself comes back if nothing is', () => {
  const value = { items: three, tags: ['a'] };
  expect(apply(value, { items: { 1: { done: false }, 9: null }, tags: { a: true } })).toBe(value);
  const made = apply(value, { items: { 1: { done: true } } }) as typeof value;
  expect([made.items[1] === three[1], made.tags === value.tags]).toEqual([true, true]);
});

describe('a model: by key is by index, resolved at the moment of the commit', () => {
  const id = fc.oneof(
    fc.nat(12),
    fc.nat(12).map((one) => `k${one}`),
    fc.constantFrom('', 'a/b', '~', '01'),
  );
  const element = fc.record({ n: fc.nat(3), more: fc.option(fc.record({ x: fc.nat(2) }), { nil: 0 }) });
  const list = fc
    .uniqueArray(fc.tuple(id, element), { selector: ([key]) => String(key), maxLength: 6 })
    .map((all) => all.map(([key, members]) => ({ id: key, ...members })));
  const members = fc.record({
    n: fc.option(fc.nat(3)),
    more: fc.oneof(fc.nat(1), fc.record({ x: fc.option(fc.nat(2)) })),
  });
  type Members = JsonObject & { readonly id?: string | number };
  /** @param weight - how many elements with their key there are for each without */
  const patchOf = (weight: number) =>
    fc
      .uniqueArray(
        fc.tuple(
          id,
          fc.oneof(
            fc.constant(() => null),
            members.map((change) => (): Members => change),
            {
              arbitrary: members.map((change) => (key: string | number): Members => ({ id: key, ...change })),
              weight,
            },
          ),
        ),
        { selector: ([key]) => String(key), maxLength: 5 },
      )
      .map((all): Record<string, Members | null> =>
        Object.fromEntries(all.map(([key, change]) => [String(key), change(key)])),
      );

  test('a keyed merge patch is a JSON Patch of the indexes of then, whatever moved before', () => {
    let [changed, refused] = [0, 0];
    const property = fc.property(list, patchOf(8), fc.array(fc.nat()), (items, byKey, moves) => {
      // Others have moved elements since the client has read.
      const moved = [...items];
      for (const move of moves) moved.push(...moved.splice(move % Math.max(1, moved.length), 1));
      const value = { items: moved, other: 1 };

      let expected: unknown = value;
      const added: { id: string | number }[] = [];
      for (const [name, change] of Object.entries(byKey)) {
        const now = (expected as typeof value).items;
        const index = now.findIndex(({ id: key }) => String(key) === name);
        const path = `/items/${index}`;
        if (index < 0 && change !== null) {
          if (change.id === undefined) {
            expect(() => apply(value, { items: byKey }, { '/items': 'id' })).toThrow('does not exist');
            refused++;
            return;
          }
          added.push(applyMergePatch({}, change) as { id: string | number });
        } else if (change === null && index >= 0) {
          expected = oracle(expected, [{ op: 'remove', path }]);
        } else if (index >= 0) {
          expected = oracle(expected, [{ op: 'replace', path, value: applyMergePatch(now[index], change) }]);
        }
      }
      const rank = ({ id: key }: { id: string | number }) => (typeof key === 'number' ? [0, key] : [1, key]);
      added.sort((one, other) => {
        const [[kind, key], [otherKind, otherKey]] = [rank(one), rank(other)] as [
          [number, string],
          [number, string],
        ];
        return kind - otherKind || (key < otherKey ? -1 : 1);
      });
      for (const one of added) expected = oracle(expected, [{ op: 'add', path: '/items/-', value: one }]);

      const made = apply(value, { items: byKey }, { '/items': 'id' });
      expect(JSON.stringify(made)).toBe(JSON.stringify(expected));
      if (made !== value) changed++;
    });
    const numRuns = times(250, 100_000);
    fc.assert(property, { numRuns });
    expect(changed).toBeGreaterThan(numRuns / 2);
    expect(refused).toBeGreaterThan(numRuns / 50);
  });

  test('patches of different elements give the same in either order, but for the order of what is new', () => {
    const patch = patchOf(8);
    const property = fc.property(list, patch, patch, (items, one, other) => {
      // A part of an element that is not there is refused: see above.
      const isThere = ([name, change]: readonly [string, Members | null]) =>
        change?.id !== undefined || items.some(({ id: key }) => String(key) === name);
      const some = Object.fromEntries(Object.entries(one).filter(isThere));
      const theirs = Object.fromEntries(
        Object.entries(other).filter((entry) => !Object.hasOwn(some, entry[0]) && isThere(entry)),
      );
      const lists = { '/items': 'id' };
      const inOrder = (value: unknown) =>
        [...(value as { items: { id: unknown }[] }).items].sort((a, b) =>
          String(a.id) < String(b.id) ? -1 : 1,
        );
      const mineFirst = apply(apply({ items }, { items: some }, lists), { items: theirs }, lists);
      const theirsFirst = apply(apply({ items }, { items: theirs }, lists), { items: some }, lists);
      const asTexts = (value: unknown) =>
        JSON.stringify(inOrder(value)).replace(/"id":"?([^,"]*)"?/g, '"id":$1');
      expect(asTexts(mineFirst)).toBe(asTexts(theirsFirst));
    });
    fc.assert(property, { numRuns: times(250, 100_000) });
  });
});
