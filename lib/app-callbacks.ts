/** What was thrown, for a person to read. Anything can be thrown, even what cannot be made a string. */
export function thrownText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return 'something that has no text';
  }
}

/**
 * Calls a function of the app's at once, without waiting for what it returns: metrics are no reason for a request to fail or
 * to wait, nor for the process to end.
 *
 * @param onError - given what the function throws or rejects with; what it throws itself is dropped
 */
export function callAside(call: () => unknown, onError: (error: unknown) => unknown): void {
  settled(call)
    .catch(onError)
    .catch(() => undefined);
}

/** What is thrown at once comes as a rejection, too. */
async function settled(call: () => unknown): Promise<void> {
  await call();
}

/**
 * Makes a process warning of the first error and drops all others, so that a fault of every request does not flood the log.
 *
 * @param what - the subject of the sentence, as in `onRefused of corsPreflight()`
 * @param remedy - how to see each of them
 */
export function warnOnce(code: string, what: string, remedy?: string): (error: unknown) => void {
  let warned = false;
  return (error) => {
    if (warned) return;
    warned = true;
    const rest = remedy === undefined ? '' : `: ${remedy}`;
    const message = `${what} failed: ${thrownText(error)}. Further failures are not reported${rest}.`;
    process.emitWarning(message, { code });
  };
}

/** Makes a process warning when it is first called, and nothing after: a mistake that each request shows is told once. */
export function tellOnce(code: string, message: string): () => void {
  let told = false;
  return () => {
    if (told) return;
    told = true;
    process.emitWarning(message, { code });
  };
}
