const string = String.raw`"(?:[ !#-[\]-~]|\\["\\])*"`;

/** RFC 9651 4.2.3.1: the value of a parameter. */
const bareItem = [
  String.raw`-?\d{1,12}\.\d{1,3}`, // Decimal
  String.raw`@?-?\d{1,15}`, // Integer, Date
  string,
  "[A-Za-z*][\\w!#$%&'*+.^`|~:/-]*", // Token
  String.raw`:[A-Za-z\d+/=]*:`, // Byte Sequence
  String.raw`\?[01]`, // Boolean
  String.raw`%"(?:[ !#$&-~]|%[\da-f]{2})*"`, // Display String
].join('|');

/** RFC 9651 4.2.3.2 */
const parameter = String.raw`; *[a-z*][a-z\d_.*-]*(?:=(?:${bareItem}))?`;

/**
 * The first characters decide each alternative, so that matching takes one pass over anything that a client
 * sends.
 */
const item = new RegExp(`^ *(${string})(?:${parameter})* *$`);

/** More than the 1,024 characters that parsers must support (RFC 9651 3.3.3), even if each is escaped. */
const maxLength = 8_192;

/**
 * Reads a structured field whose value is an Item of type String (RFC 9651 3.3.3). Parameters must be
 * well-formed, but are ignored, as parameters are that a field does not define (2.3).
 *
 * @param field - several lines joined by commas, as Node does, which is not an Item
 * @returns the content of the string; undefined if the field is anything else, or has more than 8,192
 *   characters
 */
export function parseStructuredString(field: string): string | undefined {
  if (field.length > maxLength) return undefined;
  const quoted = item.exec(field)?.[1];
  return quoted?.slice(1, -1).replaceAll(/\\(.)/g, '$1');
}
