import { fc } from '../../support/properties';

/** Member names that collide, look like indices, or need escaping. */
export const memberName = fc.constantFrom(
  'a',
  'b',
  'c',
  '0',
  '1',
  '2',
  '01',
  '-',
  '',
  'a/b',
  'm~n',
  '~1',
  'é',
);

const scalar = fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 1.5, '', 'a', 'text');

/** JSON values of few members, so that random pointers lead somewhere. */
export function jsonValue(maxDepth: number): fc.Arbitrary<unknown> {
  if (maxDepth === 0) return scalar;
  const child = jsonValue(maxDepth - 1);
  return fc.oneof(
    scalar,
    fc.array(child, { maxLength: 3 }),
    fc.dictionary(memberName, child, { maxKeys: 3, noNullPrototype: true }),
  );
}

/** Freezes a value with all that is in it, so that whoever writes to it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
