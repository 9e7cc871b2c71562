import parseUrl from 'parseurl';
import type { MountRules } from './layers';

/**
 * A request target as one router sees it: the URL that it trims, and the path that it matches its layers
 * against.
 */
export interface RouterUrl {
  readonly url: string;
  /** Undefined if the URL cannot be parsed: the router then passes the request back to its parent. */
  readonly path: string | undefined;
  /**
   * Scheme and authority of an absolute-form target (RFC 9112 3.2.2), which the router keeps when it trims.
   */
  readonly origin: string;
  /** Whether trimming and restoring gives back this exact URL, as it does for all usual URLs. */
  readonly isUsual: boolean;
}

export function routerUrl(url: string): RouterUrl {
  const path = plainPath(url);
  return path === undefined
    ? { url, path: parsedPath(url), origin: readOrigin(url), isUsual: false }
    : { url, path, origin: '', isUsual: true };
}

/**
 * The path of a target in visible ASCII, which parseurl returns unchanged; it may pass other targets to
 * Node's parser.
 */
function plainPath(url: string): string | undefined {
  if (!url.startsWith('/')) return undefined;
  let end = url.length;
  for (let i = 1; i < url.length; i++) {
    const code = url.charCodeAt(i);
    if (code < 0x21 || code > 0x7e || code === hash) return undefined;
    if (code === questionMark && end === url.length) end = i;
  }
  return end === url.length ? url : url.slice(0, end);
}

const hash = 0x23;
const questionMark = 0x3f;

/**
 * Parsed on an object of its own: parseurl caches its result there, and the cache on the request belongs to
 * Express.
 */
function parsedPath(url: string): string | undefined {
  try {
    return parseUrl({ url })?.pathname ?? undefined;
  } catch {
    return undefined;
  }
}

/** Reads it exactly as `getProtohost` of Express does, which differs from a URL parser. */
function readOrigin(url: string): string {
  if (url === '' || url.startsWith('/')) return '';
  const beforeQuery = url.split('?', 1)[0] ?? '';
  const scheme = beforeQuery.indexOf('://');
  return scheme === -1 ? '' : url.substring(0, url.indexOf('/', 3 + scheme));
}

/** A URL without the mount path, and what is needed to restore it. */
interface Trimmed {
  readonly url: string;
  readonly removed: string;
  readonly slashAdded: boolean;
}

/**
 * The URL that a mounted middleware sees; undefined if the match is not a prefix that ends with a segment.
 */
export function trim(at: RouterUrl, matched: string, rules: MountRules): Trimmed | undefined {
  const { url, path = '', origin } = at;
  if (matched === '') return { url, removed: '', slashAdded: false };
  if (!path.startsWith(matched)) return undefined;
  const next = path[matched.length];
  if (next !== undefined && next !== '/' && !(next === '.' && rules.endsBeforeDot)) return undefined;
  const rest = origin + url.slice(origin.length + matched.length);
  const slashAdded = origin === '' && !rest.startsWith('/');
  return { url: slashAdded ? `/${rest}` : rest, removed: matched, slashAdded };
}

/**
 * The position of a mounted router. The rest of a usual URL is usual, too, so its characters are not read again
 * at each of many nested routers.
 */
export function urlBelow({ path, isUsual }: RouterUrl, { url, removed, slashAdded }: Trimmed): RouterUrl {
  if (!isUsual || path === undefined) return routerUrl(url);
  const rest = path.slice(removed.length);
  return { url, path: slashAdded ? `/${rest}` : rest, origin: '', isUsual };
}

/** The URL that the next layer sees, after the mounted middleware left `url` on the request. */
export function restore(at: RouterUrl, trimmed: Trimmed, url: string, rules: MountRules): string {
  const { removed, slashAdded } = trimmed;
  let rest = url;
  if (slashAdded && !(rules.keepsRewritten && seemsRewritten(rest, removed))) rest = rest.slice(1);
  return removed === '' ? rest : at.origin + removed + rest.slice(at.origin.length);
}

function seemsRewritten(url: string, removed: string): boolean {
  const root = url === '/' || url.startsWith('/?');
  return !root && !(removed.endsWith('/') && url.startsWith('/'));
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
