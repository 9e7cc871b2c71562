import { warnOnce } from '../../config/process-warning';
import { inspectValue } from '../../config/inspect';

/**
 * Makes a decision function of the app return a boolean. Any other truthy result is an error: the object
 * `{ allowed: false }`, which clients of permission services return, would grant access. Any other falsy
 * result refuses, and is reported once in a process warning, because a function that forgets its `return`
 * refuses everyone.
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
