/**
 * A layer's path of whole segments alone, each a literal or a parameter (`undefined`): `/notes/:id`. Express 4 and 5
 * read such a path alike, so whether it matches can be said without asking the layer, which would make an object of
 * the parameters, at ten times the cost. Most paths of most apps are of this kind.
 */
export type PlainPath = readonly (string | undefined)[];

/** undefined: the path has more in it than that. */
export function plainPathOf(path: unknown): PlainPath | undefined {
  if (typeof path !== 'string' || !/^(?:\/|(?:\/(?:[\w~.-]+|:[A-Za-z_]\w*))+)$/.test(path)) return undefined;
  const segments = path === '/' ? [] : path.slice(1).split('/');
  return segments.map((segment) => (segment.startsWith(':') ? undefined : segment));
}

/**
 * Whether what a plain path makes of a request's path can be said: there is nothing to decode, which can fail, no empty
 * segment, which the routers see differently, and no slash at the end, which they take or not as their hosts have set it.
 */
export function isComparable(path: string): boolean {
  if (path === '/') return true;
  return path.startsWith('/') && !path.endsWith('/') && !path.includes('//') && !path.includes('%');
}

/** The paths differ by case alone, which a router heeds or not as its host has set it. */
export const differsByCase = Symbol('differs by case');

/**
 * @param path - a comparable one
 * @param whole - a route takes the whole path, a mount what it begins with
 * @returns what is taken of the path; undefined where it does not match
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
