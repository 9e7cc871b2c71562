/** RFC 9651 3.3.4, Token. A media type can begin with a digit, but a Token cannot. */
const token = /^[a-z*][a-z0-9!#$%&'*+.^_`|~:/-]*$/i;

/**
 * Media types as a List of Structured Fields: the value of Accept-Query (RFC 10008 3). Each is a Token or, if
 * that is not possible, a String.
 */
export function mediaTypeList(mediaTypes: readonly string[]): string {
  return mediaTypes.map((type) => (token.test(type) ? type : `"${type}"`)).join(', ');
}
