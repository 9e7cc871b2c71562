/**
 * Makes a function of the app that decides on access throw if it returns anything else that counts as true: the object
 * `{ allowed: false }`, as clients of permission services return it, would grant access.
 *
 * @param option - its name, for the error
 */
export function decisionBy<Arguments extends unknown[]>(
  option: 'may' | 'authorize',
  decide: (...given: Arguments) => unknown,
): (...given: Arguments) => Promise<boolean> {
  return async (...given) => {
    const decision = await decide(...given);
    if (!decision || decision === true) return decision === true;
    throw new TypeError(
      `The option ${option} returned a value of type ${typeof decision}. Return true or false.`,
    );
  };
}
