/**
 * A layer's path that consists of whole segments, each a literal or a parameter (`undefined`): `/notes/:id`.
 * Express 4 and 5 read such a path in the same way, so it can be matched without calling the layer, which
 * would create an object for the parameters, at ten times the cost. Most paths of most apps are of this kind.
 */
export type PlainPath = readonly (string | undefined)[];

/** The segments of a plain path; undefined for any other path. */
export function readPlainPath(path: unknown): PlainPath | undefined {
  if (typeof path !== 'string' || !/^(?:\/|(?:\/(?:[\w~.-]+|:[A-Za-z_]\w*))+)$/.test(path)) return undefined;
  const segments = path === '/' ? [] : path.slice(1).split('/');
  return segments.map((segment) => (segment.startsWith(':') ? undefined : segment));
}

/**
 * Whether a request's path can be compared with plain paths: it has nothing to decode, which can fail, no
 * empty segment, which the routers treat differently, and no trailing slash, which matches or not depending
 * on the app's settings.
 */
export function isComparable(path: string): boolean {
  if (path === '/') return true;
  return path.startsWith('/') && !path.endsWith('/') && !path.includes('//') && !path.includes('%');
}

/** The paths differ only by case, which matters or not depending on the app's settings. */
export const differsByCase = Symbol('differs by case');

/**
 * @param path - a path that `isComparable`
 * @param whole - true for a route, which matches the whole path; false for a mount, which matches a prefix
 * @returns the matched part of the path; undefined if it does not match
 */
export function matchPlainPath(
  pattern: PlainPath,
  path: string,
  whole: boolean,
): string | typeof differsByCase | undefined {
  if (pattern.length === 0) return path === '/' ? path : undefined;
  let taken = 0;
  for (const segment of pattern) {
    const start = taken + 1;
    const next = path.indexOf('/', start);
    taken = next === -1 ? path.length : next;
    if (taken <= start) return undefined;
    if (segment === undefined || (segment.length === taken - start && path.startsWith(segment, start)))
      continue;
    return path.slice(start, taken).toLowerCase() === segment.toLowerCase() ? differsByCase : undefined;
  }
  return whole && taken < path.length ? undefined : path.slice(0, taken);
}
