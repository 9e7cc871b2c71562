/** A media type without its parameters, in lower case, and the parameters, their names in lower case. */
export interface MediaType {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** RFC 9110 5.6.2 */
const token = "[\\w!#$%&'*+.^`|~-]+";
/** RFC 9110 5.6.4 */
const quotedString = String.raw`"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*"`;
/** RFC 9110 8.3.1: media-type = type "/" subtype parameters */
const typeAndSubtype = new RegExp(String.raw`[\t ]*(${token}/${token})`, 'y');
/**
 * RFC 9110 5.6.6: parameters = *( OWS ";" OWS [ parameter ] ), so a semicolon may have nothing behind it. White space around
 * the "=" is against the grammar, and taken all the same, as Express's own parsers do (2.4: a recipient MAY recover it).
 */
const parameterOrNone = new RegExp(
  String.raw`[\t ]*;(?:[\t ]*(${token})[\t ]*=[\t ]*(${token}|${quotedString}))?`,
  'y',
);
const end = /[\t ]*$/y;

/** Reads a Content-Type; undefined where there is none or it is malformed. Of a parameter that is repeated, the last counts. */
export function parseMediaType(field: string | undefined): MediaType | undefined {
  if (field === undefined) return undefined;
  const type = matchAt(typeAndSubtype, field, 0)?.[1];
  if (type === undefined) return undefined;
  // No name that is sent may be one of Object.prototype.
  const parameters = Object.create(null) as Record<string, string>;
  let at = typeAndSubtype.lastIndex;
  for (let found; (found = matchAt(parameterOrNone, field, at)) !== null; at = parameterOrNone.lastIndex) {
    const [, name, value] = found;
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
