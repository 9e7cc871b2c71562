/** What is random has the same cases in each run, so that a change fails for what it changes: SEED=… tries others. */
export const seed = Number(process.env['SEED'] ?? 1);
