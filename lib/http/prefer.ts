/** RFC 7240 4.2 */
export type ReturnPreference = 'minimal' | 'representation';

/** The elements of a list, of which the commas inside quoted strings are no delimiters. */
const element = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;
/**
 * RFC 7240 2: preference = token [ BWS "=" BWS word ] *( OWS ";" [ OWS parameter ] ). The white space before the word is
 * taken whole: an empty word could else end anywhere within it, and reading take as many passes.
 */
const returnElement = /^[\t ]*return[\t ]*(?:=[\t ]*(?![\t ])"?([^\t ;"]*)"?[\t ]*)?(?:;|$)/i;

/**
 * What `Prefer: return=…` asks for; undefined where it asks for neither, or the field cannot be read: a preference
 * is never a reason to refuse a request (RFC 7240 2). Of several, the first counts.
 *
 * @param field - the value of Prefer, lines joined by commas
 */
export function returnPreference(field: string | undefined): ReturnPreference | undefined {
  if (field === undefined) return undefined;
  for (const [text] of field.matchAll(element)) {
    const found = returnElement.exec(text);
    if (found === null) continue;
    const value = found[1]?.toLowerCase();
    return value === 'minimal' || value === 'representation' ? value : undefined;
  }
  return undefined;
}
