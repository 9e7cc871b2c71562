/** Reads what a server has sent on one connection as the answers of HTTP/1.1, strictly (RFC 9112). */

interface RawAnswer {
  readonly status: number;
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * The answers that the bytes are, to the last one; undefined where they are none.
 *
 * @param mayLackBodies - whether HEAD may have been asked: an answer may then have the length of a body that it lacks
 */
export function answersIn(text: string, mayLackBodies: boolean): readonly RawAnswer[] | undefined {
  if (text === '') return [];
  const head = /^HTTP\/1\.1 (\d{3}) [\t\x20-\x7e\x80-\xff]*\r\n((?:[^\r\n]+\r\n)*)\r\n/.exec(text);
  if (head === null) return undefined;
  const [whole, digits, block = ''] = head;
  const status = Number(digits);
  const fields = fieldsIn(block);
  if (status < 100 || status > 599 || fields === undefined) return undefined;
  const rest = text.slice(whole.length);
  const bodies = bodyless(status) ? [''] : [...bodyIn(rest, fields), ...(mayLackBodies ? [''] : [])];
  for (const body of bodies) {
    const others = answersIn(rest.slice(body.length), mayLackBodies);
    if (others !== undefined) return [{ status, fields, body }, ...others];
  }
  return undefined;
}

const bodyless = (status: number): boolean => status < 200 || status === 204 || status === 304;

function fieldsIn(block: string): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\r\n').slice(0, -1)) {
    const field =
      /^([!#$%&'*+.^_`|~\w-]+):[\t ]*((?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?)[\t ]*$/.exec(
        line,
      );
    if (field === null) return undefined;
    const [, name = '', value = ''] = field;
    const key = name.toLowerCase();
    // Of those that frame a message one alone may be there.
    if (fields.has(key) && ['content-length', 'transfer-encoding', 'content-type', 'etag'].includes(key))
      return undefined;
    fields.set(key, value);
  }
  return fields.has('content-length') && fields.has('transfer-encoding') ? undefined : fields;
}

/** The body with which the rest begins, as it is framed: none, where the framing is broken. */
function bodyIn(rest: string, fields: ReadonlyMap<string, string>): readonly string[] {
  const length = fields.get('content-length');
  if (length !== undefined)
    return /^\d+$/.test(length) && rest.length >= Number(length) ? [rest.slice(0, Number(length))] : [];
  if (fields.get('transfer-encoding') !== 'chunked') return fields.has('transfer-encoding') ? [] : [rest];
  let at = 0;
  for (;;) {
    const size = /^([\da-f]+)\r\n/i.exec(rest.slice(at, at + 20));
    if (size === null) return [];
    const bytes = parseInt(size[1] ?? '', 16);
    at += size[0].length + bytes + 2;
    if (rest.slice(at - 2, at) !== '\r\n') return [];
    if (bytes === 0) return [rest.slice(0, at)];
  }
}
