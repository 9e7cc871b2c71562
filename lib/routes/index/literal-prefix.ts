import { givenPaths, type Layer } from '../../express/layers';

/**
 * The whole segments that a path must begin with for a layer to match it, in lower case, one entry for each of the
 * layer's paths; undefined where there is a path that may begin with anything. The layer itself still decides: a
 * prefix may be too short, but never too long.
 */
export function literalPrefixes(layer: Layer): readonly string[] | undefined {
  const prefixOf = syntaxOf(layer);
  const prefixes = givenPaths(layer).map((path) =>
    typeof path === 'string' ? prefixOf(path).replace(/\/+$/, '') : '',
  );
  // Only ASCII is folded by lower-casing as a RegExp without the flag `u` folds it. An empty list of paths matches all.
  const literal = prefixes.length > 0 && prefixes.every((prefix) => /^\/[\x21-\x7e]+$/.test(prefix));
  return literal ? prefixes.map((prefix) => prefix.toLowerCase()) : undefined;
}

function syntaxOf({ regexp, route }: Layer): (path: string) => string {
  if (regexp === undefined) return express5Prefix;
  // What is told of a mount of Express 4 is a literal.
  return route === undefined ? (path) => path : express4Prefix;
}

/** Up to the last slash: what comes after it may go on. */
function wholeSegments(text: string): string {
  return text.slice(0, text.lastIndexOf('/') + 1);
}

/** Express 5 (path-to-regexp 8): text up to a parameter, a wildcard, an optional group or an escape. */
function express5Prefix(path: string): string {
  const special = path.search(/[:*{\\]/);
  if (special === -1) return path;
  const text = path.slice(0, special);
  // Optional groups of whole segments leave the one before them whole: /users{/:id}.
  return /^(?:\{\/[^{}\\"]*\})+(?:\/|$)/.test(path.slice(special)) ? text : wholeSegments(text);
}

/**
 * Express 4 (path-to-regexp 0.1): a regular expression but for `:name`, `*` and dots. So a `?` takes back the
 * character before it (`/ab/?c` makes the slash optional), and a `|` anywhere makes two expressions of one.
 */
function express4Prefix(path: string): string {
  if (path.includes('|')) return '';
  const special = path.search(/[\\:*()?+[\]{}^$]/);
  // Before 0.1.10 a mount that ends with a slash matches without regard to what follows.
  if (special === -1) return path.endsWith('/') ? wholeSegments(path.replace(/\/+$/, '')) : path;
  const text = path.slice(0, special);
  if ('?+{'.includes(path.charAt(special))) return wholeSegments(text.slice(0, -1));
  // An optional parameter takes the slash before it along, so that what follows it may continue the segment before.
  const takesSlash = text.endsWith('/.') || /^:\w+(?:\(.*?\))?\*?[?{](?!\/|$)/.test(path.slice(special));
  return wholeSegments(takesSlash ? text.replace(/\/\.?$/, '') : text);
}
