import { givenPaths, type Layer } from '../express/layers';

/**
 * The whole segments with which a path must begin for a layer to match it, in lower case, one entry for each
 * of the layer's paths; undefined if one of the layer's paths can match any beginning. The layer itself still
 * decides: a prefix can be too short, but never too long.
 */
export function literalPrefixes(layer: Layer): readonly string[] | undefined {
  const readPrefix = chooseSyntax(layer);
  const prefixes = givenPaths(layer).map((path) =>
    typeof path === 'string' ? readPrefix(path).replace(/\/+$/, '') : '',
  );
  // Only for ASCII does toLowerCase() fold as a RegExp without the flag `u` does. An empty list of paths
  // matches everything.
  const literal = prefixes.length > 0 && prefixes.every((prefix) => /^\/[\x21-\x7e]+$/.test(prefix));
  return literal ? prefixes.map((prefix) => prefix.toLowerCase()) : undefined;
}

function chooseSyntax({ regexp, route }: Layer): (path: string) => string {
  if (regexp === undefined) return express5Prefix;
  // The known paths of Express 4 mounts are literals.
  return route === undefined ? (path) => path : express4Prefix;
}

/** The text up to the last slash: the rest can be a part of a segment. */
function wholeSegments(text: string): string {
  return text.slice(0, text.lastIndexOf('/') + 1);
}

/** Express 5 (path-to-regexp 8): text up to a parameter, a wildcard, an optional group or an escape. */
function express5Prefix(path: string): string {
  const special = path.search(/[:*{\\]/);
  if (special === -1) return path;
  const text = path.slice(0, special);
  // Before an optional group of whole segments, the text ends with a whole segment: /users{/:id}.
  return /^(?:\{\/[^{}\\"]*\})+(?:\/|$)/.test(path.slice(special)) ? text : wholeSegments(text);
}

/**
 * Express 4 (path-to-regexp 0.1): a regular expression except for `:name`, `*` and dots. So a `?` makes the
 * character before it optional (the slash in `/ab/?c`), and a `|` anywhere makes two alternatives.
 */
function express4Prefix(path: string): string {
  if (path.includes('|')) return '';
  const special = path.search(/[\\:*()?+[\]{}^$]/);
  // Before 0.1.10, a mount path that ends with a slash matches any text after it.
  if (special === -1) return path.endsWith('/') ? wholeSegments(path.replace(/\/+$/, '')) : path;
  const text = path.slice(0, special);
  if ('?+{'.includes(path.charAt(special))) return wholeSegments(text.slice(0, -1));
  // An optional parameter includes the slash before it, so that the text after it can continue the previous
  // segment.
  const takesSlash = text.endsWith('/.') || /^:\w+(?:\(.*?\))?\*?[?{](?!\/|$)/.test(path.slice(special));
  return wholeSegments(takesSlash ? text.replace(/\/\.?$/, '') : text);
}
