/**
 * The answer to a write that a client prefers (RFC 7240 4.2): 204 without content, or the new representation.
 */
export type ReturnPreference = 'minimal' | 'representation';

/** An element of a list, in which commas inside quoted strings do not separate. */
const element = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;
/**
 * RFC 7240 2: preference = token [ BWS "=" BWS word ] *( OWS ";" [ OWS parameter ] ). The lookahead makes the
 * white space before the word match as a whole: otherwise an empty word could end anywhere in it, and
 * matching would backtrack.
 */
const returnElement = /^[\t ]*return[\t ]*(?:=[\t ]*(?![\t ])"?([^\t ;"]*)"?[\t ]*)?(?:;|$)/i;

/**
 * The preference in `Prefer: return=…`; undefined if it is neither, or is malformed: a preference is never a
 * reason to refuse a request (RFC 7240 2). If there are several, the first counts.
 *
 * @param field - the value of Prefer, with several lines joined by commas
 */
export function returnPreference(field: string | undefined): ReturnPreference | undefined {
  if (field === undefined) return undefined;
  for (const [text] of field.matchAll(element)) {
    const match = returnElement.exec(text);
    if (match === null) continue;
    const value = match[1]?.toLowerCase();
    return value === 'minimal' || value === 'representation' ? value : undefined;
  }
  return undefined;
}
