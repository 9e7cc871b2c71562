/** Milliseconds before a request is sent again that failed so often before, where the server names none: with full jitter. */
export function backOff(failures: number): number {
  return Math.random() * Math.min(5_000, 100 * 2 ** failures);
}

/**
 * The milliseconds that Retry-After asks for, in seconds or as a date (RFC 9110 10.2.3); undefined where there is none that
 * can be read.
 */
export function retryAfter(field: string | null, now = Date.now()): number | undefined {
  if (field === null) return undefined;
  if (/^\s*\d+\s*$/.test(field)) return Number(field) * 1_000;
  const date = Date.parse(field);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
