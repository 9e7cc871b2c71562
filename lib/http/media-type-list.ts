/** RFC 9651 3.3.4: what a Token begins with, and what follows. A media type may begin with a digit, which a Token may not. */
const token = /^[a-z*][a-z0-9!#$%&'*+.^_`|~:/-]*$/i;

/** Media types as a List of Structured Fields, each a Token, or else a String: the value of Accept-Query (RFC 10008 3). */
export function mediaTypeList(mediaTypes: readonly string[]): string {
  return mediaTypes.map((type) => (token.test(type) ? type : `"${type}"`)).join(', ');
}
