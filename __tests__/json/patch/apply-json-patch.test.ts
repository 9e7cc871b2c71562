import { applyJsonPatch, applyOperations } from '../../../lib/json/patch/apply-json-patch';
import { readOperations } from '../../../lib/json/patch/operation';
import { formatPointer } from '../../../lib/json/pointer';
import { JsonError } from '../../../lib/json/json-error';
import { patchLimits, type PatchLimits } from '../../../lib/patch/formats/patch-parser';
import { fc } from '../../support/properties';
import { deepFreeze, jsonValue } from './json-arbitraries';
import { operationDraft, operationOn, type PatchOperation } from './operation-arbitraries';
import { refusal } from '../../support/parse-context';
import { times } from '../../support/deep-scale';

const apply = (document: unknown, patch: readonly object[], limits: Partial<PatchLimits> = {}) =>
  applyJsonPatch(deepFreeze(document), deepFreeze(patch), patchLimits(limits));

const add = (path: string, value: unknown) => ({ op: 'add', path, value });
const copy = (from: string, path: string) => ({ op: 'copy', from, path });
const move = (from: string, path: string) => ({ op: 'move', from, path });

/** `levels` lists, each in the next. */
const nested = (levels: number): unknown => (levels === 0 ? 0 : [nested(levels - 1)]);

describe('copy-on-write', () => {
  const document = () => ({ left: { deep: { n: 1 } }, right: { list: [{ a: 1 }, { b: 2 }] } });

  test('what is not on the path is shared', () => {
    const before = document();
    const after = apply(before, [{ op: 'replace', path: '/left/deep/n', value: 2 }]) as typeof before;
    expect(after).toEqual({ left: { deep: { n: 2 } }, right: { list: [{ a: 1 }, { b: 2 }] } });
    expect(after.right).toBe(before.right);
    expect(before).toEqual(document());
  });

  test('the elements beside one that is inserted are shared', () => {
    const before = document();
    const after = apply(before, [add('/right/list/1', 0)]) as { right: { list: unknown[] } };
    expect(after.right.list[0]).toBe(before.right.list[0]);
    expect(after.right.list[2]).toBe(before.right.list[1]);
  });

  test('what is moved or copied is shared, and so are the values of the patch', () => {
    const before = document();
    const value = { c: [] };
    const after = apply(before, [
      copy('/left', '/copied'),
      move('/right/list', '/moved'),
      add('/added', value),
    ]) as Record<string, unknown>;
    expect(after.copied).toBe(before.left);
    expect(after.moved).toBe(before.right.list);
    expect(after.added).toBe(value);
  });

  test.each([
    { what: 'no operation', patch: [] },
    { what: 'tests alone', patch: [{ op: 'test', path: '/left/deep/n', value: 1 }] },
    { what: 'a move to where it is', patch: [move('/left', '/left')] },
  ])('$what gives the document itself', ({ patch }) => {
    const before = document();
    expect(apply(before, patch)).toBe(before);
  });

  test('each container is copied once in a patch, whatever the number of operations', () => {
    const marker = {};
    const patch = Array.from({ length: 1000 }, (_, value) => add('/list/-', value));
    const spread = jest.spyOn(Array.prototype, Symbol.iterator);
    const result = apply({ list: [marker] }, patch);
    const copies = spread.mock.contexts.filter((list) => Array.isArray(list) && list[0] === marker);
    spread.mockRestore();
    expect(result).toEqual({ list: [marker, ...patch.keys()] });
    expect(copies).toHaveLength(1);
  });

  test('a value of the patch is not written into by a later operation, nor by the same patch again', () => {
    const patch = [
      add('/a', { n: 1 }),
      add('/a/m', 2),
      copy('/a', '/b'),
      add('/b/list', []),
      add('/b/list/-', 3),
    ];
    const result = { a: { n: 1, m: 2 }, b: { n: 1, m: 2, list: [3] } };
    expect(apply({}, patch)).toEqual(result);
    expect(apply({}, patch)).toEqual(result);
  });

  test('a failure midway leaves nothing behind', () => {
    const before = document();
    expect(
      refusal(() => apply(before, [add('/left/deep/n', 5), move('/right', '/left/r'), add('/x/y', 1)])),
    ).toMatchObject({
      operation: 2,
    });
    expect(before).toEqual(document());
  });

  test('whatever the tokens, no prototype is reached and no result has another', () => {
    const token = fc.constantFrom(
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'a',
      '0',
      '-',
      'length',
    );
    const pointer = fc.array(token, { maxLength: 3 }).map(formatPointer);
    const value = fc.constantFrom<unknown>(1, {}, [], JSON.parse('{"__proto__":{"polluted":1}}'), {
      constructor: {},
    });
    const operation = fc.record({
      op: fc.constantFrom('add', 'replace', 'remove', 'move', 'copy'),
      path: pointer,
      from: pointer,
      value,
    });
    const prototypesOf = (made: unknown): unknown[] =>
      typeof made === 'object' && made !== null
        ? [Object.getPrototypeOf(made), ...Object.values(made).flatMap(prototypesOf)]
        : [];

    fc.assert(
      fc.property(value, fc.array(operation, { maxLength: 5 }), (document, operations) => {
        let current = document;
        for (const step of operations) {
          try {
            current = apply(current, [step]);
          } catch (error) {
            if (!(error instanceof JsonError)) throw error;
          }
        }
        const known = [Object.prototype, Array.prototype];
        expect(prototypesOf(current).every((prototype) => known.includes(prototype as object[]))).toBe(true);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: times(250, 100_000) },
    );
  });
});

describe('RFC 6902 3 to 5: what is refused before a value is looked at', () => {
  test.each([
    { title: 'no array', patch: { op: 'remove', path: '/a' }, index: undefined, says: 'must be an array' },
    { title: 'no object', patch: [null], index: 0, says: 'Operation 0 must be an object' },
    {
      title: '4.4 a move into its own child',
      patch: [{ op: 'move', from: '/a', path: '/a/b' }],
      ...{ index: 0, says: 'Operation 0 ("/a/b") moves a value into itself' },
    },
    {
      title: 'the whole removed, and something else added',
      patch: [
        { op: 'remove', path: '' },
        { op: 'add', path: '/a', value: 1 },
      ],
      ...{ index: 0, says: 'Operation 0 ("") removes the whole document' },
    },
    {
      title: 'the whole removed, and tested',
      patch: [
        { op: 'remove', path: '' },
        { op: 'test', path: '', value: 1 },
      ],
      ...{ index: 0, says: 'Operation 0 ("") removes the whole document' },
    },
    { title: 'the whole removed', patch: [{ op: 'remove', path: '' }], index: 0, says: 'removes the whole' },
  ])('$title', ({ patch, index, says }) => {
    const make = () => applyJsonPatch({ a: { b: 1 } }, patch as never, patchLimits());
    expect(make).toThrow(says);
    expect(make).toThrow(expect.objectContaining({ code: 'patch-malformed', operation: index }));
  });

  test.each([
    { title: 'a move to a name that begins alike', patch: [{ op: 'move', from: '/a', path: '/ab' }] },
    {
      title: 'the whole removed, and added again',
      patch: [
        { op: 'remove', path: '' },
        { op: 'add', path: '', value: { ab: { b: 1 } } },
      ],
    },
  ])('not $title', ({ patch }) => {
    expect(apply({ a: { b: 1 } }, patch)).toEqual({ ab: { b: 1 } });
  });
});

describe('limits.operations', () => {
  const patch = Array.from({ length: 1001 }, () => ({ op: 'test', path: '', value: 1 }));

  test('1,000 are taken', () => {
    expect(apply(1, patch.slice(1))).toBe(1);
  });

  test('one more is 413', () => {
    expect(refusal(() => apply(1, patch))).toEqual({
      status: 413,
      title: 'Content Too Large',
      code: 'limit-operations',
      detail: 'The patch has 1001 operations, but the limit is 1000. Split the patch.',
    });
  });
});

describe('limits.depth', () => {
  const tooDeep = (operation: number, pointer: string, depth = 100) => ({
    status: 413,
    title: 'Content Too Large',
    code: 'limit-depth',
    detail: `Operation ${operation} ("${pointer}") makes the result nest deeper than ${depth} levels. Send a flatter value.`,
    operation,
    pointer,
  });

  test.each([
    { what: 'add', document: {}, operation: add('/a', nested(2)) },
    { what: 'add below', document: { a: { b: {} } }, operation: add('/a/b/c', 0) },
    { what: 'add at the root', document: {}, operation: add('', nested(3)) },
    { what: 'replace', document: [0], operation: { op: 'replace', path: '/0', value: nested(2) } },
    { what: 'copy', document: { a: { b: [] } }, operation: copy('/a', '/c') },
    { what: 'move', document: { a: [], b: {} }, operation: move('/b', '/a/0') },
    { what: 'move up', document: { a: { b: { c: nested(5) } } }, operation: move('/a/b/c', '/d') },
  ])('$what within 3 levels is taken, or where it makes nothing deeper', ({ document, operation }) => {
    const limits = { depth: operation.path === '/d' ? 6 : 3 };
    expect(() => apply(document, [operation], limits)).not.toThrow();
  });

  test.each([
    { what: 'add', document: {}, operation: add('/a', nested(3)) },
    { what: 'add below', document: { a: { b: {} } }, operation: add('/a/b/c', []) },
    { what: 'replace', document: [0], operation: { op: 'replace', path: '/0', value: nested(3) } },
    { what: 'copy', document: { a: { b: [] } }, operation: copy('/a', '/a/c') },
    { what: 'move', document: { a: [[]], b: { c: {} } }, operation: move('/b', '/a/0/0') },
  ])('$what beyond 3 levels is 413', ({ document, operation }) => {
    expect(refusal(() => apply(document, [operation], { depth: 3 }))).toEqual(tooDeep(0, operation.path, 3));
  });

  test('a value deeper than the limit is refused wherever it is put', () => {
    expect(refusal(() => apply({}, [add('', nested(101))]))).toMatchObject({
      code: 'limit-depth',
      detail: 'Operation 0 ("") makes the result nest deeper than 100 levels. Send a flatter value.',
    });
  });

  test('patches one after the other, or copies, nest no deeper than 100', () => {
    const grow = (value: unknown) => apply(value, [copy('', '/a')]);
    let value: unknown = {};
    for (let i = 0; i < 99; i++) value = apply({}, [add('/a', value)]);
    expect(refusal(() => apply({ b: 0 }, [add('/a', value), copy('/a', '/a/a')]))).toMatchObject({
      code: 'limit-depth',
    });
    expect(refusal(() => grow(value))).toMatchObject({ code: 'limit-depth', operation: 0 });
  });

  test('moves are judged by where they leave things', () => {
    const document = { big: nested(97), a: { b: { c: {} } } };
    expect(apply(document, [move('/big', '/a/b/big')])).toEqual({ a: { b: { c: {}, big: nested(97) } } });
    expect(refusal(() => apply(document, [move('/big', '/a/b/c/big')]))).toEqual(tooDeep(0, '/a/b/c/big'));
    expect(apply(document, [move('/big', '/a/b/c/big'), move('/a/b/c/big', '/big')])).toEqual(document);
    expect(apply(document, [move('/big', '/a/b/c/big'), { op: 'remove', path: '/a/b/c/big' }])).toEqual({
      a: { b: { c: {} } },
    });
  });

  test.each([
    { what: 'what was moved is written to', patch: [move('/big', '/a/b/c/big'), add('/a/b/c/big/-', 0)] },
    {
      what: 'it is moved with what it was moved into',
      patch: [move('/big', '/a/big'), move('/a', '/d/a'), move('/d', '/e/d')],
    },
    { what: 'it is copied before', patch: [copy('/big', '/f'), move('/big', '/a/b/c/big')] },
    { what: 'what it was moved into is copied up', patch: [move('/big', '/a/b/c/big'), copy('/a/b', '/f')] },
  ])('also where $what', ({ patch }) => {
    const document = { big: nested(97), a: { b: { c: {} } }, d: {}, e: {} };
    expect(refusal(() => apply(document, patch))).toMatchObject({ code: 'limit-depth' });
  });

  test('whatever the operations, the result nests no deeper', () => {
    const depth = 4;
    const levelsOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? 1 + Math.max(0, ...Object.values(value).map(levelsOf))
        : 0;
    const drafts = fc.array(operationDraft('add', 'move', 'move', 'copy'), { minLength: 3, maxLength: 8 });
    const runs = times(250, 100_000);
    let refusals = 0;

    fc.assert(
      fc.property(jsonValue(3), drafts, (document, steps) => {
        const patch: PatchOperation[] = [];
        let current = document;
        for (const step of steps) {
          const operation = operationOn(current, step);
          try {
            current = apply(current, [operation]);
            patch.push(operation);
          } catch (error) {
            if (!(error instanceof JsonError)) throw error;
          }
        }
        try {
          expect(levelsOf(apply(document, patch, { depth }))).toBeLessThanOrEqual(depth);
        } catch (error) {
          if (!(error instanceof JsonError) || error.code !== 'limit-depth') throw error;
          refusals++;
        }
      }),
      { numRuns: runs },
    );
    expect(refusals).toBeGreaterThan(runs / 100);
  });

  test('what your app has stored deeper can be tested, removed and moved, but not deeper, and nests nothing new', () => {
    const document = { deep: nested(150) };
    const inside = '/deep' + '/0'.repeat(120);
    expect(apply(document, [{ op: 'test', path: inside, value: nested(30) }])).toBe(document);
    expect(apply(document, [{ op: 'remove', path: inside }])).toHaveProperty('deep');
    expect(apply(document, [move(inside, '/up')])).toHaveProperty('up', nested(30));
    expect(apply(document, [move('/deep', '/other')])).toEqual({ other: nested(150) });
    expect(apply(document, [{ op: 'replace', path: inside, value: 'scalar' }])).toHaveProperty('deep');
    expect(refusal(() => apply(document, [{ op: 'replace', path: inside, value: [] }]))).toMatchObject({
      code: 'limit-depth',
    });
  });
});

describe('limits.bytes', () => {
  const tooMuch = (operation: number, pointer: string, copied: number) => ({
    status: 413,
    title: 'Content Too Large',
    code: 'limit-copied',
    detail: `Operation ${operation} ("${pointer}") exceeds the copy limit: one patch can copy up to ${copied} bytes. Copy less, or split the patch.`,
    operation,
    pointer,
  });

  test.each([
    { what: 'null', value: null },
    { what: 'true', value: true },
    { what: 'an integer', value: 12345 },
    { what: 'a fraction', value: -1.5e-9 },
    { what: 'an exponent', value: 1e21 },
    { what: 'ASCII', value: 'text' },
    { what: 'escapes', value: '"\\\n\u0001' },
    { what: 'two bytes', value: 'é' },
    { what: 'four bytes', value: '😀' },
    { what: 'a lone surrogate, which is written escaped', value: '\ud800' },
    { what: 'an empty list', value: [] },
    { what: 'an empty object', value: {} },
    { what: 'a list', value: [1, [2], []] },
    { what: 'an object', value: { a: 1, 'é"': { b: [null] }, '': '' } },
  ])('$what counts as JSON.stringify writes it', ({ value }) => {
    const bytes = Buffer.byteLength(JSON.stringify(value));
    const patch = [copy('/a', '/b'), copy('/a', '/c')];
    expect(apply({ a: value }, patch, { bytes: 2 * bytes })).toEqual({ a: value, b: value, c: value });
    expect(refusal(() => apply({ a: value }, patch, { bytes: 2 * bytes - 1 }))).toEqual(
      tooMuch(1, '/a', 2 * bytes - 1),
    );
  });

  test('a bomb of copies that double', () => {
    const patch = Array.from({ length: 60 }, (_, i) => copy('', `/${i}`));
    expect(refusal(() => apply({ a: 'x'.repeat(1000) }, patch))).toMatchObject({
      code: 'limit-copied',
      operation: 10,
    });
  });

  test('600 copies of one string of a megabyte', () => {
    const patch = Array.from({ length: 600 }, () => copy('/0', '/-'));
    expect(refusal(() => apply(['x'.repeat(1_000_000)], patch))).toMatchObject({
      code: 'limit-copied',
      operation: 1,
    });
  });

  test('what is beyond the limit is not looked at', () => {
    const list = Array.from({ length: 1000 }, () => 0);
    const far = Object.defineProperty([...list, {}], 1000, {
      enumerable: true,
      get: () => {
        throw new Error('read');
      },
    });
    expect(
      refusal(() =>
        applyOperations({ far }, readOperations([copy('/far', '/b')], 1), patchLimits({ bytes: 100 })),
      ),
    ).toEqual(tooMuch(0, '/far', 100));
  });
});

describe('shifted elements, at most 10,000,000', () => {
  interface Row {
    readonly patch: readonly object[];
    /** Array elements that it shifts. */
    readonly shifted: number;
    /** The operation that exceeds the limit if one element more was shifted before. */
    readonly over?: { readonly operation: number; readonly pointer: string };
  }

  const remove = (path: string) => ({ op: 'remove', path });
  const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });

  /** Insertions into the 100,000 elements of `many` that shift so many elements. */
  function shift(elements: number): object[] {
    const operations: object[] = [];
    for (let length = 100_000, left = elements; left > 0; length++) {
      const shifted = Math.min(length, left);
      operations.push(add(`/many/${length - shifted}`, 0));
      left -= shifted;
    }
    return operations;
  }

  const rows: Record<string, Row> = {
    'an insertion at the front shifts all elements': {
      patch: [add('/five/0', 0)],
      shifted: 5,
      over: { operation: 0, pointer: '/five/0' },
    },
    'an insertion shifts the elements from its index on': {
      patch: [add('/five/3', 0)],
      shifted: 2,
      over: { operation: 0, pointer: '/five/3' },
    },
    'a removal shifts the elements behind it': {
      patch: [remove('/five/1')],
      shifted: 3,
      over: { operation: 0, pointer: '/five/1' },
    },
    'all operations of a patch, and all arrays, count together': {
      patch: [add('/five/0', 0), remove('/two/0'), add('/five/0', 0)],
      shifted: 5 + 1 + 6,
      over: { operation: 2, pointer: '/five/0' },
    },
    'a move counts where it removes': {
      patch: [move('/five/0', '/two/-')],
      shifted: 4,
      over: { operation: 0, pointer: '/five/0' },
    },
    'a move counts where it inserts': {
      patch: [move('/five/4', '/two/0')],
      shifted: 2,
      over: { operation: 0, pointer: '/two/0' },
    },
    'a move within an array counts both': {
      patch: [move('/five/0', '/five/1')],
      shifted: 4 + 3,
      over: { operation: 0, pointer: '/five/1' },
    },
    'a copy into an array counts as an insertion': {
      patch: [copy('/two', '/five/0')],
      shifted: 5,
      over: { operation: 0, pointer: '/five/0' },
    },
    'what is done at the end of an array shifts nothing': {
      patch: [add('/five/-', 0), add('/five/6', 0), remove('/five/6'), move('/five/5', '/two/2')],
      shifted: 0,
    },
    'replacing an element, moving a whole array and moving an element onto itself shift nothing': {
      patch: [replace('/five/0', 9), move('/five', '/moved'), move('/two/0', '/two/0')],
      shifted: 0,
    },
    'what is done to objects shifts nothing': { patch: [add('/0', 0), remove('/0')], shifted: 0 },
  };

  test.each(Object.entries(rows))('%s', (_, { patch, shifted, over }) => {
    const document = { five: [0, 1, 2, 3, 4], two: [0, 1], many: Array<number>(100_000).fill(0) };
    expect(() => apply(document, [...shift(10_000_000 - shifted), ...patch])).not.toThrow();
    if (over === undefined) return;
    const before = shift(10_000_001 - shifted);
    const operation = before.length + over.operation;
    expect(refusal(() => apply(document, [...before, ...patch]))).toEqual({
      status: 413,
      title: 'Content Too Large',
      code: 'limit-shifted',
      detail:
        `Operation ${operation} ("${over.pointer}") exceeds the shift limit: insertions and removals in one ` +
        `patch can shift up to 10000000 array elements. Work at the end of long arrays, or split the patch.`,
      operation,
      pointer: over.pointer,
    });
  });
});
