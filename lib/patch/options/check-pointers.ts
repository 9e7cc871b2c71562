import type { OptionsCheck } from '../../configuration';
import { parsePointer } from '../../parsers/json/pointer';

type PointerOptions = Partial<Record<'readOnly' | 'writable' | 'hidden', unknown>>;

/** The mistakes in the options that are lists of JSON Pointers, and in what they say together. */
export function checkPointers(check: OptionsCheck, options: PointerOptions): void {
  const hidden = readPointers(check, options, 'hidden');
  const writable = readPointers(check, options, 'writable');
  readPointers(check, options, 'readOnly');
  if (options.readOnly !== undefined && options.writable !== undefined) {
    check.mistake('writable', options.writable, {
      code: 'option-conflict',
      reason: 'is given beside readOnly',
      fix: 'Give one of the two: what is not writable is read-only.',
    });
  }
  for (const [index, path] of hidden) {
    if (path.length === 0) {
      const fix = 'Give pointers to members of it, or no PATCH at all.';
      check.mistake(`hidden[${index}]`, '', { code: 'option-value', reason: 'hides the whole value', fix });
    }
  }
  for (const [index, path] of writable) {
    if (!hidden.some(([, above]) => above.length > 0 && above.every((token, i) => token === path[i])))
      continue;
    check.mistake(`writable[${index}]`, `/${path.join('/')}`, {
      code: 'option-conflict',
      reason: 'is hidden, and no patch can write it',
      fix: 'Take it out of one of the two lists.',
    });
  }
}

/** The reference tokens of those that are sound, each with its index. */
function readPointers(
  check: OptionsCheck,
  options: PointerOptions,
  name: keyof PointerOptions,
): readonly (readonly [index: number, path: readonly string[]])[] {
  const { [name]: given } = options;
  if (!Array.isArray(given)) return [];
  return given.flatMap((pointer: unknown, index) => {
    const path = typeof pointer === 'string' ? parsePointer(pointer)?.tokens : undefined;
    if (path !== undefined) return [[index, path] as const];
    check.mistake(`${name}[${index}]`, pointer, {
      code: 'json-pointer-invalid',
      reason: 'is no JSON Pointer',
      fix: "Write it as RFC 6901 does: '/id'.",
    });
    return [];
  });
}
