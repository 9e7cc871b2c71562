/**
 * Makes a function of the app that decides throw if it returns anything else that counts as true: the object
 * `{ allowed: false }`, as clients of permission services return it, would grant access.
 *
 * @param option - its name, for the error
 */
export function decisionBy<Arguments extends unknown[]>(
  option: 'may' | 'authorize',
  decide: (...args: Arguments) => unknown,
): (...args: Arguments) => Promise<boolean> {
  return async (...args) => {
    const decision = await decide(...args);
    if (!decision || decision === true) return decision === true;
    throw new TypeError(
      `The option ${option} returned a value of type ${typeof decision}. Return true or false.`,
    );
  };
}
