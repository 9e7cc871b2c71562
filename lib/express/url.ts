import parseUrl from 'parseurl';
import type { MountRules } from './layers';

/** Where a router stands in a request target: what it matches its layers against, and the URL that it trims. */
export interface Position {
  readonly url: string;
  /** undefined: the URL cannot be parsed, and the router leaves it to its parent. */
  readonly path: string | undefined;
  /** Scheme and authority of an absolute-form target (RFC 9112 3.2.2), which the router keeps in front. */
  readonly origin: string;
  /** Trimming and restoring gives back this very URL, as it does for all but the odd ones. */
  readonly restores: boolean;
}

export function positionAt(url: string): Position {
  const path = plainPath(url);
  return path === undefined
    ? { url, path: parsedPath(url), origin: originOf(url), restores: false }
    : { url, path, origin: '', restores: true };
}

/** The path of a target that parseurl would take as it is, in visible ASCII; the others it may hand to Node's parser. */
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

/** On an object of its own: parseurl remembers what it parsed, and the request's memory belongs to Express. */
function parsedPath(url: string): string | undefined {
  try {
    return parseUrl({ url })?.pathname ?? undefined;
  } catch {
    return undefined;
  }
}

/** As Express's `getProtohost`, to the letter: it is not what a URL parser would say. */
function originOf(url: string): string {
  if (url === '' || url.startsWith('/')) return '';
  const beforeQuery = url.split('?', 1)[0] ?? '';
  const scheme = beforeQuery.indexOf('://');
  return scheme === -1 ? '' : url.substring(0, url.indexOf('/', 3 + scheme));
}

/** A URL with a mount's part taken off, and the way back. */
export interface Trimmed {
  readonly url: string;
  readonly removed: string;
  readonly slashAdded: boolean;
}

/** The URL that a mount hands on; undefined where its match is no prefix that ends with a segment. */
export function trim(at: Position, matched: string, rules: MountRules): Trimmed | undefined {
  const { url, path = '', origin } = at;
  if (matched === '') return { url, removed: '', slashAdded: false };
  if (!path.startsWith(matched)) return undefined;
  const next = path[matched.length];
  if (next !== undefined && next !== '/' && !(next === '.' && rules.endsBeforeDot)) return undefined;
  const rest = origin + url.slice(origin.length + matched.length);
  const slashAdded = origin === '' && !rest.startsWith('/');
  return { url: slashAdded ? `/${rest}` : rest, removed: matched, slashAdded };
}

/** The URL that the next layer sees, where the mounted one left `url` behind. */
export function restore(at: Position, trimmed: Trimmed, url: string, rules: MountRules): string {
  const { removed, slashAdded } = trimmed;
  let rest = url;
  if (slashAdded && !(rules.keepsRewritten && seemsRewritten(rest, removed))) rest = rest.slice(1);
  return removed === '' ? rest : at.origin + removed + rest.slice(at.origin.length);
}

function seemsRewritten(url: string, removed: string): boolean {
  const root = url === '/' || url.startsWith('/?');
  return !root && !(removed.endsWith('/') && url.startsWith('/'));
}
