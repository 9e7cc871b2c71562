import { applyJsonPatch } from '../../../lib/json/patch/apply-json-patch';
import { isContainer } from '../../../lib/json/value';
import { JsonError } from '../../../lib/json/json-error';
import { toFrozenJson } from '../../../lib/stores/memory/frozen-json';
import { jsonValue } from '../../json/patch/json-arbitraries';
import { operationDraft, operationOn, type PatchOperation } from '../../json/patch/operation-arbitraries';
import { times } from '../../support/deep-scale';
import { fc } from '../../support/properties';

const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});

test('a value has the copy that its JSON text would be read as, or is refused where it has none', () => {
  fc.assert(
    fc.property(anything, (value) => {
      const text = textOf(value);
      if (text === undefined) expect(() => toFrozenJson(value)).toThrow('cannot be written as JSON');
      else {
        const copy = toFrozenJson(value);
        expect(JSON.stringify(copy)).toBe(text);
        expect(copy).toEqual(JSON.parse(text)); // -0 is told from 0, and members named by symbols are seen
      }
    }),
    { numRuns: times(50, 20_000) },
  );
});

test('members named by symbols are left out, and -0 is 0, as JSON text has it', () => {
  expect(toFrozenJson({ [Symbol('hidden')]: 1, zeros: [-0, { zero: -0 }] })).toEqual({
    zeros: [0, { zero: 0 }],
  });
});

test('the copy is frozen throughout, and shared where it is known in the same place', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy = toFrozenJson(value);
      expect(isFrozenThroughout(copy)).toBe(true);
      expect(toFrozenJson([1, copy], [2, copy])[1]).toBe(copy);
    }),
  );
});

test('objects of every size have the copy that their JSON text would be read as', () => {
  const member = fc.oneof(fc.integer(), fc.constant(undefined), fc.constant({ a: [1] }));
  const names = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', '0', '10'));
  fc.assert(
    fc.property(fc.array(fc.tuple(names, member), { maxLength: 30 }), (members) => {
      const value = Object.fromEntries([...members, [Symbol('hidden'), 1]]);
      const copy = toFrozenJson(value);
      expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
      expect(copy).toEqual(JSON.parse(JSON.stringify(value)));
      expect(isFrozenThroughout(copy)).toBe(true);
    }),
  );
  const large = Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`n${i}`, [i]]));
  expect(JSON.stringify(toFrozenJson(large))).toBe(JSON.stringify(large));
});

describe('what is known is shared', () => {
  const known = toFrozenJson({
    a: { b: [1] },
    list: [[0], { id: 1 }, { id: 2 }, [3], { id: 4, tags: ['home'] }],
    c: { d: {} },
  });
  const { a, c, list } = known;
  const [zero, one, two, three, four] = list;

  interface Row {
    readonly value: unknown;
    /** Pairs of what is in the copy, and what it is to be. */
    readonly shared: (copy: typeof known) => readonly (readonly [unknown, unknown])[];
  }

  const rows: Record<string, Row> = {
    'members beside one that is changed': {
      value: { ...known, c: 1 },
      shared: (copy) => [
        [copy.a, a],
        [copy.list, list],
      ],
    },
    'members of a copied object': {
      value: { ...known, a: { ...a, new: {} } },
      shared: (copy) => [
        [copy.a.b, a.b],
        [copy.c, c],
      ],
    },
    'elements beside one that is changed': {
      value: { ...known, list: [zero, one, { id: 9 }, three, four] },
      shared: ({ list: [first, second, , fourth, fifth] }) => [
        [first, zero],
        [second, one],
        [fourth, three],
        [fifth, four],
      ],
    },
    'elements behind one that is inserted': {
      value: { ...known, list: [{}, zero, one, two, three, four] },
      shared: (copy) => list.map((element, index) => [copy.list[index + 1], element]),
    },
    'elements behind one that is removed': {
      value: { ...known, list: [one, two, three, four] },
      shared: (copy) => [one, two, three, four].map((element, index) => [copy.list[index], element]),
    },
    'members of an element behind one that has moved': {
      value: { ...known, list: [one, null, null, null, { tags: memberOf(four, 'tags'), id: 9 }] },
      shared: ({ list: copy }) => [
        [copy[0], one],
        [memberOf(copy[4], 'tags'), memberOf(four, 'tags')],
      ],
    },
    'elements in another order': {
      value: { ...known, list: [four, one, three, zero, 1, two] },
      shared: ({ list: copy }) => [
        [copy[0], four],
        [copy[1], one],
        [copy[2], three],
        [copy[3], zero],
        [copy[5], two],
      ],
    },
  };

  test.each(Object.entries(rows))('%s', (_, { value, shared }) => {
    const copy = toFrozenJson(value, known) as typeof known;
    expect(copy).toEqual(value);
    expect(isFrozenThroughout(copy)).toBe(true);
    for (const [part, original] of shared(copy)) expect(part).toBe(original);
  });

  test('whatever a patch makes of it: the copy is right, and shares what stands in its place', () => {
    fc.assert(
      fc.property(
        jsonValue(4),
        fc.array(operationDraft('add', 'remove', 'replace', 'move', 'copy'), { maxLength: 5 }),
        (document, drafts) => {
          const before = toFrozenJson(document);
          let next: unknown = before;
          for (const draft of drafts) next = patched(next, operationOn(next, draft));
          const after = toFrozenJson(next, before);
          expect(JSON.stringify(after)).toBe(JSON.stringify(next));
          expect(isFrozenThroughout(after)).toBe(true);
          expectSharing(before, next, after, placesOf(next));
        },
      ),
    );
  });
});

test('what others have frozen is copied: there may be something below that they can change', () => {
  const inner = { changes: 1 };
  const value = Object.freeze({ inner, list: Object.freeze([Object.freeze({ inner })]) });
  const copy = toFrozenJson(value, toFrozenJson({ inner: {}, list: [{}] }));
  inner.changes = 2;
  expect(copy).toEqual({ inner: { changes: 1 }, list: [{ inner: { changes: 1 } }] });
});

test.each([
  { what: 'an object', value: cyclic({}) },
  { what: 'an array', value: cyclic([]) },
  {
    what: 'a large object',
    value: cyclic(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`m${i}`, [i]]))),
  },
])('$what that holds itself is refused', ({ value }) => {
  expect(() => toFrozenJson(value)).toThrow('it contains itself');
});

test('members that containers share are copied once, so that what is small stays small', () => {
  let value: unknown = ['the innermost'];
  for (let level = 0; level < 60; level++) value = [value, value];
  let copy: unknown = toFrozenJson(value);
  for (let level = 0; level < 60; level++) copy = (copy as unknown[])[0];
  expect(copy).toEqual(['the innermost']);
});

test('more levels than can be walked are refused, not a crash', () => {
  let value: unknown = [];
  for (let level = 0; level < 100_000; level++) value = [value];
  expect(() => toFrozenJson(value)).toThrow(expect.objectContaining({ code: 'PATCH_OPTIONS_NOT_JSON' }));
});

function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function isFrozenThroughout(value: unknown): boolean {
  return typeof value !== 'object' || value === null
    ? true
    : Object.isFrozen(value) && Object.values(value).every(isFrozenThroughout);
}

function cyclic(value: object): object {
  const inner = { value };
  return Object.assign(value, { 0: inner });
}

function patched(document: unknown, operation: PatchOperation): unknown {
  try {
    return applyJsonPatch(document, [operation]);
  } catch (error) {
    if (error instanceof JsonError) return document;
    throw error;
  }
}

/**
 * Each container of `next` that stands in the same place of `before` is the same in `after`. Not asked below a container
 * that `next` holds several times: it is copied once, for the first of its places.
 */
function expectSharing(
  before: unknown,
  next: unknown,
  after: unknown,
  places: ReadonlyMap<unknown, number>,
): void {
  if (!isContainer(next)) return;
  if (before === next) {
    expect(after).toBe(before);
    return;
  }
  if (places.get(next) !== 1) return;
  for (const name of Object.keys(next))
    expectSharing(memberOf(before, name), memberOf(next, name), memberOf(after, name), places);
}

/** In how many places each container of the value stands. */
function placesOf(value: unknown, places = new Map<unknown, number>()): Map<unknown, number> {
  if (!isContainer(value)) return places;
  places.set(value, (places.get(value) ?? 0) + 1);
  for (const member of Object.values(value)) placesOf(member, places);
  return places;
}

function memberOf(value: unknown, name: string): unknown {
  return isContainer(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}
