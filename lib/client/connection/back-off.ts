/**
 * The pause in milliseconds before the next attempt of a request that failed this often: exponential, with
 * full jitter.
 */
export function backOffDelay(failures: number): number {
  return Math.random() * Math.min(5_000, 100 * 2 ** failures);
}

/**
 * The pause in milliseconds that Retry-After asks for, in seconds or as a date (RFC 9110 10.2.3); undefined
 * if it is missing or malformed.
 */
export function retryAfter(field: string | null, now = Date.now()): number | undefined {
  if (field === null) return undefined;
  if (/^\s*\d+\s*$/.test(field)) return Number(field) * 1_000;
  // Date.parse takes much for a date in the past, such as -1 and 1.5.
  const date = / GMT$/.test(field) ? Date.parse(field) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
