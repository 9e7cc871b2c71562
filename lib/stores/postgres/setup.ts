/** How an engine is asked to create what is missing. */
export interface SetupEngine {
  readonly send: (text: string) => PromiseLike<unknown>;
  /** Whether an error says that something a statement names does not exist. */
  readonly isMissing: (error: unknown) => boolean;
}

/**
 * Runs statements. If something that they name is missing, the next step creates it, and they run again; that
 * step can itself need the ones after it. So if nothing is missing, only the first step runs.
 */
export async function runSteps(
  engine: SetupEngine,
  texts: readonly string[],
  needed?: readonly string[],
  ...rest: (readonly string[])[]
): Promise<void> {
  try {
    for (const text of texts) await engine.send(text);
  } catch (error) {
    if (needed === undefined || !engine.isMissing(error)) throw error;
    await runSteps(engine, needed, ...rest);
    await runSteps(engine, texts);
  }
}
