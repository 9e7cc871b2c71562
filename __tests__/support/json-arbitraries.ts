import fc from 'fast-check';

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

/** JSON values of a few members, so that random pointers lead somewhere. */
export const jsonValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(memberName, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

/** Freezes a value with all that is in it, so that whoever writes to it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
