import { warnOnce } from '../../config/process-warning';
import { inspectValue } from '../../config/inspect';

/**
 * Makes a function of the app that decides return a boolean. Anything else that counts as true is an error:
 * the object `{ allowed: false }`, as clients of permission services return it, would grant access. Anything
 * else that counts as false refuses, and is warned of once: a function that forgets its `return` refuses everyone.
 *
 * @param option - its name, for messages
 * @param subject - the function whose option it is, as in `patchHandler()`
 */
export function decisionBy<Arguments extends unknown[]>(
  option: 'may' | 'authorize',
  decide: (...args: Arguments) => unknown,
  subject: string,
): (...args: Arguments) => Promise<boolean> {
  const warn = warnOnce(
    'PATCH_OPTIONS_DECISION',
    (decision: unknown) =>
      `The option ${option} of ${subject} returned ${inspectValue(decision)}, so the request was refused. ` +
      'Return true or false.',
  );
  return async (...args) => {
    const decision = await decide(...args);
    if (typeof decision === 'boolean') return decision;
    if (!decision) {
      warn(decision);
      return false;
    }
    throw new TypeError(
      `The option ${option} returned a value of type ${typeof decision}. Return true or false.`,
    );
  };
}
