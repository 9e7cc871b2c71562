import { changedPointers, changesWithin } from '../../../lib/patch/rules/changed-pointers';
import { formatPointer } from '../../../lib/json/pointer';
import { isArray, isContainer } from '../../../lib/json/value';
import { jsonValue } from '../../json/patch/json-arbitraries';
import { fc } from '../../support/properties';

describe('the pointers of what differs', () => {
  interface Row {
    readonly before: unknown;
    readonly after: unknown;
    readonly pointers: readonly string[];
  }

  const rows: Record<string, Row> = {
    'nothing, in values that are equal': {
      before: { a: [1, { b: null }] },
      after: { a: [1, { b: null }] },
      pointers: [],
    },
    'nothing, in one scalar': { before: 1, after: 1, pointers: [] },
    'the whole value': { before: 1, after: 2, pointers: [''] },
    'an array where an object was': { before: { a: {} }, after: { a: [] }, pointers: ['/a'] },
    'a container where a scalar was': { before: { a: null }, after: { a: { b: 1 } }, pointers: ['/a'] },
    'what was removed, changed and added, in this order': {
      before: { gone: { deep: 1 }, kept: 1, changed: { x: 1, y: 2 } },
      after: { added: [1], changed: { x: 1, y: 3 }, kept: 1 },
      pointers: ['/gone', '/changed/y', '/added'],
    },
    'elements, by index': { before: [1, 2, 3], after: [2, 3], pointers: ['/0', '/1', '/2'] },
    'elements that are added': { before: [], after: [[], 1], pointers: ['/0', '/1'] },
    'names that are escaped': {
      before: { 'a/b': 1, '~': { '/~/': 1 } },
      after: { 'a/b': 2, '~': {} },
      pointers: ['/a~1b', '/~0/~1~0~1'],
    },
    'names beyond ASCII': {
      before: {},
      after: { é: 1, '€': 1, '😀': 1, '\ud800': 1 },
      pointers: ['/é', '/€', '/😀', '/\ud800'],
    },
    'names that objects inherit': {
      before: JSON.parse('{"constructor":1,"__proto__":{"a":1}}'),
      after: JSON.parse('{"toString":1,"__proto__":{"a":2}}'),
      pointers: ['/constructor', '/__proto__/a', '/toString'],
    },
  };

  test.each(Object.entries(rows))('%s', (_, { before, after, pointers }) => {
    expect(changedPointers(before, after)).toEqual(pointers);
    expect(changesWithin(before, after, Infinity)).toEqual({ bytes: bytesOf(pointers), pointers });
  });
});

test('they are listed where they have no more bytes than the limit, else there is no list', () => {
  fc.assert(
    fc.property(jsonValue(4), jsonValue(4), fc.nat(40), (before, after, limit) => {
      const expected = oracle(before, after);
      const bytes = bytesOf(expected);
      expect(changedPointers(before, after)).toEqual(expected);
      expect(changesWithin(before, after, bytes)).toEqual({ bytes, pointers: expected });
      if (bytes > 0) expect(changesWithin(before, after, bytes - 1)).toBeUndefined();
      expect(changesWithin(before, after, limit) === undefined).toBe(bytes > limit);
    }),
  );
});

test('they are made once, when they are first read', () => {
  const after = { a: 1 };
  const changes = changesWithin({}, after, 100);
  Object.assign(after, { b: 1 });
  const pointers = changes?.pointers;
  expect(pointers).toEqual(['/a', '/b']);
  expect(changes?.pointers).toBe(pointers);
});

test('pointers of 12 GB are counted, and not made', () => {
  const long = (value: number) => ({ ['k'.repeat(400_000)]: Array<number>(30_000).fill(value) });
  expect(changesWithin(long(0), long(1), 1_048_576)).toBeUndefined();
  expect(changesWithin(long(0), long(1), Infinity)?.bytes).toBe(30_000 * 400_002 + 138_890);
});

function bytesOf(pointers: readonly string[]): number {
  return pointers.reduce((sum, pointer) => sum + Buffer.byteLength(pointer), 0);
}

/** The same written as plainly as can be. */
function oracle(before: unknown, after: unknown, path: readonly string[] = []): string[] {
  if (before === after) return [];
  if (!isContainer(before) || !isContainer(after) || isArray(before) !== isArray(after)) {
    return [formatPointer(path)];
  }
  const members = new Map<string, unknown>(Object.entries(before));
  const nextMembers = new Map<string, unknown>(Object.entries(after));
  const names = new Set([...members.keys(), ...nextMembers.keys()]);
  return [...names].flatMap((name) => {
    const below = [...path, name];
    if (!members.has(name) || !nextMembers.has(name)) return [formatPointer(below)];
    return oracle(members.get(name), nextMembers.get(name), below);
  });
}
