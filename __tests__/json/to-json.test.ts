/** What patch-options/json makes of values that JavaScript has and JSON has not. */
import { runInNewContext } from 'node:vm';
import {
  applyJsonPatch,
  applyMergePatch,
  createJsonPatch,
  createMergePatch,
  JsonError,
  merge,
} from '../../lib/json';
import { fc } from '../support/properties';

const [soon, later] = [new Date(0), new Date(1e12)];
const laterText = '2001-09-09T01:46:40.000Z';

describe('an undefined member is absent, and toJSON is asked, as JSON.stringify does', () => {
  test.each([
    {
      what: 'a cleared field, as a merge patch',
      made: createMergePatch({ due: 'x' }, { due: undefined }),
      is: { due: null },
    },
    {
      what: 'a cleared field, as a JSON Patch',
      made: createJsonPatch({ due: 'x' }, { due: undefined }),
      is: [{ op: 'remove', path: '/due' }],
    },
    {
      what: 'another date, as a merge patch',
      made: createMergePatch({ due: soon }, { due: later }),
      is: { due: laterText },
    },
    {
      what: 'another date, as a JSON Patch',
      made: createJsonPatch({ due: soon }, { due: later }),
      is: [{ op: 'replace', path: '/due', value: laterText }],
    },
    { what: 'the same date', made: createJsonPatch({ due: soon }, { due: new Date(0) }), is: [] },
    {
      what: 'a merge of another date',
      made: merge({ due: soon, t: 1 }, { due: later, t: 1 }, { due: soon, t: 2 }).withMine,
      is: { due: laterText, t: 2 },
    },
    {
      what: 'a merge of a field that both have cleared',
      made: merge<{ a?: number | undefined }>({ a: 1 }, { a: undefined }, {}).paths,
      is: [],
    },
    {
      what: 'a merge patch that names an undefined member',
      made: applyMergePatch({ a: 1 }, { a: undefined, b: later }),
      is: { a: 1, b: laterText },
    },
    {
      what: 'an operation with a date',
      made: applyJsonPatch({}, [{ op: 'add', path: '/due', value: later }]),
      is: { due: laterText },
    },
  ])('$what', ({ made, is }) => {
    expect(made).toStrictEqual(is);
  });

  test('what is JSON already is shared, and nothing is modified', () => {
    const shared = { deep: [1, { a: 'b' }] };
    const before = Object.freeze({ shared });
    const after = applyMergePatch(before, { due: soon, more: shared }) as Record<string, unknown>;
    expect(after).toStrictEqual({ shared, due: soon.toISOString(), more: shared });
    expect([after['shared'], after['more']]).toEqual([shared, shared]);
    expect(after['shared']).toBe(shared);
    expect(applyMergePatch(shared, {})).toBe(shared);
  });
});

const holey = ['a', 'b', 'c'];
Reflect.deleteProperty(holey, 1);
const circular: Record<string, unknown> = {};
circular['self'] = circular;

describe('what JSON cannot hold is an error that names it, with its pointer', () => {
  test.each([
    { value: { a: { 'b/c': NaN } }, says: 'is NaN', pointer: '/a/b~1c' },
    { value: [1, -Infinity], says: 'is -Infinity', pointer: '/1' },
    { value: { due: new Date(NaN) }, says: 'is an invalid Date', pointer: '/due' },
    { value: { id: 1n }, says: 'is a BigInt', pointer: '/id' },
    { value: { id: Object(1n) as object }, says: 'is a BigInt', pointer: '/id' },
    { value: { tags: new Set([1]) }, says: 'is of the type Set', pointer: '/tags' },
    { value: [new Map()], says: 'is of the type Map', pointer: '/0' },
    { value: runInNewContext('[new Map()]') as unknown, says: 'is of the type Map', pointer: '/0' },
    { value: { a: () => 1 }, says: 'is a function', pointer: '/a' },
    { value: { a: Symbol('s') }, says: 'is a symbol', pointer: '/a' },
    { value: { a: Promise.resolve(1) }, says: 'is of the type Promise', pointer: '/a' },
    { value: { a: /x/ }, says: 'is of the type RegExp', pointer: '/a' },
    { value: { a: Object.assign(new Error('x'), { code: 1 }) }, says: 'is of the type Error', pointer: '/a' },
    { value: { a: Object.assign(new Set([1]), { kind: 'x' }) }, says: 'is of the type Set', pointer: '/a' },
    { value: [new Uint8Array([1])], says: 'is of the type Uint8Array', pointer: '/0' },
    { value: holey, says: 'is undefined', pointer: '/1' },
    { value: undefined, says: 'is undefined', pointer: '' },
    { value: { a: { toJSON: () => undefined } }, says: 'whose toJSON returns undefined', pointer: '/a' },
    { value: circular, says: 'contains itself', pointer: '' },
  ])('$pointer $says', ({ value, says, pointer }) => {
    const calls = [
      () => createJsonPatch({}, value),
      () => createJsonPatch(value, {}),
      () => createMergePatch({}, value),
      () => merge<unknown>(value, {}, {}),
      () => merge<unknown>({}, value, {}),
      () => merge<unknown>({}, {}, value),
      () => applyMergePatch({}, value),
    ];
    for (const call of calls) {
      expect(call).toThrow(JsonError);
      expect(call).toThrow(
        expect.objectContaining({ code: 'not-json', pointer, message: expect.stringContaining(says) }),
      );
    }
  });

  test('a value of an operation', () => {
    const patch = [{ op: 'add', path: '/a', value: NaN }];
    expect(() => applyJsonPatch({}, patch)).toThrow(
      expect.objectContaining({ code: 'not-json', pointer: '/0/value' }),
    );
  });
});

test('an object without members of its own is an empty one, and what toJSON throws is thrown', () => {
  class Nothing {
    #hidden = 1;
    get seen(): number {
      return this.#hidden;
    }
  }
  expect(createMergePatch({}, { a: new Nothing() })).toEqual({ a: {} });
  const late = {
    toJSON() {
      return new Date(NaN).toISOString();
    },
  };
  expect(() => createMergePatch({}, { late })).toThrow(new RangeError('Invalid time value'));
});

test('the document that a patch is applied to is shared, and not looked at', () => {
  const document = { at: later, kept: { deep: new Map([[1, 2]]) } };
  expect(applyMergePatch(document, { a: 1 })).toEqual({ ...document, a: 1 });
  expect(applyJsonPatch(document, [{ op: 'remove', path: '/at' }])).toEqual({ kept: document.kept });
});

test('the differences of any two values are those of what JSON.stringify writes', () => {
  const scalar = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((double) => !Object.is(double, -0)),
    fc.string(),
    fc.boolean(),
    fc.constantFrom(null, 1e300),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      scalar,
      fc.date({ noInvalidDate: true }),
      fc.integer().map((number) => Object(number) as object),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'id'), fc.option(tie('any'), { nil: undefined })),
    ),
  })).any;
  const json = (of: unknown): unknown => JSON.parse(JSON.stringify(of));
  fc.assert(
    fc.property(value, value, (before, after) => {
      const patch = createJsonPatch(before, after);
      expect(patch).toEqual(createJsonPatch(json(before), json(after)));
      expect(json(applyJsonPatch(json(before), patch))).toEqual(json(after));
    }),
  );
});
