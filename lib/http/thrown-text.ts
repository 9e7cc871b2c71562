/** What was thrown, for a person to read. Anything can be thrown, also what cannot be made a string. */
export function thrownText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return 'something that has no text';
  }
}
