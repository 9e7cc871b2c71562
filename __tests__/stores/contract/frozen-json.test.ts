import fc from 'fast-check';
import { frozenJson } from '../../../lib/stores/contract/frozen-json';
import { times } from '../../support/deep-scale';

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
      if (text === undefined) expect(() => frozenJson(value)).toThrow('cannot be written as JSON');
      else {
        const copy = frozenJson(value);
        expect(JSON.stringify(copy)).toBe(text);
        expect(copy).toEqual(JSON.parse(text)); // -0 is told from 0, and members named by symbols are seen
      }
    }),
    { numRuns: times(200, 20_000) },
  );
});

test('members named by symbols are left out, and -0 is 0, as JSON text has it', () => {
  expect(frozenJson({ [Symbol('hidden')]: 1, zeros: [-0, { zero: -0 }] })).toEqual({
    zeros: [0, { zero: 0 }],
  });
});

test('the copy is frozen throughout, and shared where it is known in the same place', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy = frozenJson(value);
      expect(isFrozenThroughout(copy)).toBe(true);
      expect(frozenJson([1, copy], [2, copy])[1]).toBe(copy);
    }),
  );
});

test('members that containers share are copied once, so that what is small stays small', () => {
  let value: unknown = ['the innermost'];
  for (let level = 0; level < 60; level++) value = [value, value];
  let copy: unknown = frozenJson(value);
  for (let level = 0; level < 60; level++) copy = (copy as unknown[])[0];
  expect(copy).toEqual(['the innermost']);
});

test('more levels than can be walked are refused, not a crash', () => {
  let value: unknown = [];
  for (let level = 0; level < 100_000; level++) value = [value];
  expect(() => frozenJson(value)).toThrow(expect.objectContaining({ code: 'PATCH_OPTIONS_NOT_JSON' }));
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
