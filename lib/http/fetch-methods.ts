/** The methods of the Fetch standard. */

/** Fetch, CORS-safelisted method: only these need no preflight. */
export function isSafelistedMethod(method: string): boolean {
  return ['GET', 'HEAD', 'POST'].includes(method);
}

/** Fetch, normalize a method: only these are converted to upper case. */
export function normalizeMethod(method: string): string {
  return /^(?:DELETE|GET|HEAD|OPTIONS|POST|PUT)$/i.test(method) ? method.toUpperCase() : method;
}

/** Fetch, forbidden method: browsers do not let scripts send these, in any case. */
export function isForbiddenMethod(method: string): boolean {
  return /^(?:CONNECT|TRACE|TRACK)$/i.test(method);
}
