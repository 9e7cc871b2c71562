/** A parsed Content-Type. */
export interface MediaType {
  /** The type and subtype, without parameters, in lower case. */
  readonly type: string;
  /** The parameters by name, which is in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** RFC 9110 5.6.2 */
const token = "[\\w!#$%&'*+.^`|~-]+";
/** RFC 9110 5.6.4 */
const quotedString = String.raw`"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*"`;
/** RFC 9110 8.3.1: media-type = type "/" subtype parameters */
const typeAndSubtype = new RegExp(String.raw`[\t ]*(${token}/${token})`, 'y');
/**
 * RFC 9110 5.6.6: parameters = *( OWS ";" OWS [ parameter ] ), so nothing needs to follow a semicolon. White
 * space around the "=" violates the grammar, but is accepted, as Express's own parsers do (2.4: a recipient
 * MAY attempt to recover).
 */
const parameterOrNone = new RegExp(
  String.raw`[\t ]*;(?:[\t ]*(${token})[\t ]*=[\t ]*(${token}|${quotedString}))?`,
  'y',
);
const end = /[\t ]*$/y;

/**
 * Reads a Content-Type; undefined if it is missing or malformed. If a parameter is repeated, the last one
 * counts.
 */
export function parseMediaType(field: string | undefined): MediaType | undefined {
  if (field === undefined) return undefined;
  const type = matchAt(typeAndSubtype, field, 0)?.[1];
  if (type === undefined) return undefined;
  // Without a prototype, so that no parameter name collides with Object.prototype.
  const parameters = Object.create(null) as Record<string, string>;
  let at = typeAndSubtype.lastIndex;
  for (let match; (match = matchAt(parameterOrNone, field, at)) !== null; at = parameterOrNone.lastIndex) {
    const [, name, value] = match;
    if (name !== undefined && value !== undefined) parameters[name.toLowerCase()] = unquoted(value);
  }
  return matchAt(end, field, at) === null ? undefined : { type: type.toLowerCase(), parameters };
}

function matchAt(grammar: RegExp, text: string, index: number): RegExpExecArray | null {
  grammar.lastIndex = index;
  return grammar.exec(text);
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value;
}
