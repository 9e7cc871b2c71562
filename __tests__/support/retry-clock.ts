/**
 * For the tests of a `describe`: stores retry a write for as long as it takes. They do so for a second, which passes within one attempt
 * where the machine is busy.
 */
export function stopTheClockOfRetries(): void {
  let now: jest.SpyInstance | undefined;
  beforeAll(() => {
    now = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  });
  afterAll(() => now?.mockRestore());
}
