/** What the Fetch standard says of methods. */

/** Fetch, CORS-safelisted method: these alone need no preflight. */
export function isSafelistedMethod(method: string): boolean {
  return ['GET', 'HEAD', 'POST'].includes(method);
}

/** Fetch, forbidden method: browsers send them for no script, in whatever case. */
export function isForbiddenMethod(method: string): boolean {
  return /^(?:CONNECT|TRACE|TRACK)$/i.test(method);
}
