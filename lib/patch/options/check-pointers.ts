import type { OptionsCheck } from '../../config/options-check';
import { readMember } from '../../config/prototype-pollution';
import { formatPointer, parsePointer, tokensIn } from '../../json/pointer';
import type { ResourceStore } from '../../stores/contract/resource-store';
import { coverage } from '../rules/protected-members';

type PointerOptions = Partial<
  Record<'readOnly' | 'writable' | 'hidden' | 'writeOnly' | 'stateMembers', unknown>
>;

/**
 * Reports the mistakes in the lists of JSON Pointers, and the conflicts between them.
 *
 * @param store - what it says of its members
 */
export function checkPointers(
  check: OptionsCheck,
  options: PointerOptions,
  store: Pick<ResourceStore, 'readOnly' | 'writeOnly'>,
): void {
  const hidden = readPointers(check, options, 'hidden');
  const writable = readPointers(check, options, 'writable');
  const readOnly = readPointers(check, options, 'readOnly');
  const writeOnly = readPointers(check, options, 'writeOnly');
  if (options.readOnly !== undefined && options.writable !== undefined) {
    check.mistake('writable', options.writable, {
      code: 'option-conflict',
      reason: 'cannot be combined with readOnly',
      fix: 'Use one of them: everything that is not writable is read-only.',
    });
  }
  for (const [name, paths] of [
    ['hidden', hidden],
    ['writeOnly', writeOnly],
  ] as const) {
    for (const [index, path] of paths) {
      if (path.length > 0) continue;
      const fix = 'Name the members to hide, or do not mount the handler.';
      check.mistake(`${name}[${index}]`, '', { code: 'option-value', reason: 'hides the whole value', fix });
    }
  }
  refuseBoth(check, ['writable', writable], ['hidden', hidden]);
  refuseBoth(check, ['writeOnly', writeOnly], ['hidden', hidden]);
  refuseBoth(check, ['writeOnly', writeOnly], ['readOnly', readOnly]);
  const unseen = [...hidden, ...writeOnly].map(([, path]) => path);
  const unseenByStore = (readMember(store, 'writeOnly') ?? []).map(tokensIn);
  const movedByStore = (readMember(store, 'readOnly') ?? []).map(tokensIn);
  for (const [index, path] of readPointers(check, options, 'stateMembers')) {
    const isUnseen = coverage([...unseen, ...unseenByStore], path) !== undefined;
    if (!isUnseen && coverage(movedByStore, path) === 'whole') continue;
    check.mistake(`stateMembers[${index}]`, formatPointer(path), {
      code: 'option-conflict',
      isName: true,
      reason: isUnseen
        ? 'has members that clients cannot see, so they cannot send it back'
        : 'is not a member that only the store writes',
      fix: isUnseen
        ? 'Name a member that is shown.'
        : 'Declare its column or path readOnly, under the name that is shown; ' +
          'over a store of JSON, write it in a store around that one, which names it in ' +
          'its own readOnly.',
    });
  }
}

type NamedPaths = readonly [name: keyof PointerOptions, paths: ReturnType<typeof readPointers>];

/** Reports members that clients could write by one list, and not by the other. */
function refuseBoth(check: OptionsCheck, [name, paths]: NamedPaths, [other, closed]: NamedPaths): void {
  for (const [index, path] of paths) {
    if (!closed.some(([, above]) => above.every((token, i) => token === path[i]))) continue;
    check.mistake(`${name}[${index}]`, formatPointer(path), {
      code: 'option-conflict',
      isName: true,
      reason: `is also ${other === 'readOnly' ? 'read-only' : other}, so no request can write it`,
      fix: `Remove it from ${name} or from ${other}.`,
    });
  }
}

/** The reference tokens of the valid pointers, each with its index in the list. */
function readPointers(
  check: OptionsCheck,
  options: PointerOptions,
  name: keyof PointerOptions,
): readonly (readonly [index: number, path: readonly string[]])[] {
  const { [name]: pointers } = options;
  if (!Array.isArray(pointers)) return [];
  return pointers.flatMap((pointer: unknown, index) => {
    const path = typeof pointer === 'string' ? parsePointer(pointer)?.tokens : undefined;
    if (path?.includes('*') === true) {
      // RFC 6901 has no wildcards: such a pointer would protect a member named `*`, and nothing else.
      const above = formatPointer(path.slice(0, path.indexOf('*')));
      check.mistake(`${name}[${index}]`, pointer, {
        code: 'option-value',
        isName: true,
        reason: 'has a *, which is no wildcard here',
        fix: above === '' ? 'Name each member.' : `Write '${above}' for everything in it.`,
      });
      return [];
    }
    if (path !== undefined) return [[index, path] as const];
    check.mistake(`${name}[${index}]`, pointer, {
      code: 'json-pointer-invalid',
      reason: 'is not a JSON Pointer',
      fix: "Write it as in RFC 6901, such as '/id'.",
    });
    return [];
  });
}
