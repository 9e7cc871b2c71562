/** What the Fetch standard says of methods. */

/** Fetch, CORS-safelisted method: these alone need no preflight. */
export function isSafelistedMethod(method: string): boolean {
  return ['GET', 'HEAD', 'POST'].includes(method);
}

/** Fetch, normalize a method: these it upper-cases, and no others. */
export function normalizedMethod(method: string): string {
  return /^(?:DELETE|GET|HEAD|OPTIONS|POST|PUT)$/i.test(method) ? method.toUpperCase() : method;
}

/** Fetch, forbidden method: browsers send them for no script, in whatever case. */
export function isForbiddenMethod(method: string): boolean {
  return /^(?:CONNECT|TRACE|TRACK)$/i.test(method);
}
