import { once } from 'node:events';
import { type IncomingMessage, request, STATUS_CODES } from 'node:http';

/** A request as it goes over the wire. What is not named is not sent, but for Host and Content-Length. */
export interface WireRequest {
  /** Method and target: `PATCH /notes/1`, `OPTIONS *`. */
  readonly line: string;
  /** `"tag 1"` in a value becomes the first entity tag that is known. Those of a list go as a line each. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Text and bytes as they are, all else as JSON. */
  readonly body?: unknown;
}

/**
 * Sends a request and writes down its first line and the answer: status, header fields sorted by name, content. Left out
 * are `Date`, what becomes of the connection, and the words of problem documents, which `__tests__/messages` lists.
 *
 * @param tags - the entity tags that are known, without `W/`: in the answer they are written by their numbers, and new
 *   ones are added
 */
export async function exchange(
  port: number,
  { line, headers = {}, body }: WireRequest,
  tags: string[],
): Promise<string> {
  const [method = '', path = ''] = line.split(' ');
  const content = bytesOf(body);
  const fields: Record<string, string | string[]> = { Host: 'api.example' };
  if (content !== undefined) fields['Content-Length'] = String(content.length);
  for (const [name, value] of Object.entries(headers)) {
    fields[name] = typeof value === 'string' ? withTags(value, tags) : [...value];
  }
  const sent = request({ host: '127.0.0.1', port, agent: false, method, path, headers: fields }).end(content);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const text = Buffer.concat((await answer.toArray()) as Buffer[]).toString();
  const head = [line, statusOf(answer), ...fieldsOf(answer, tags)].join('\n');
  return text === '' ? head : `${head}\n\n${withoutWords(text.trimEnd())}`;
}

/** Words are those of `__tests__/messages`, which has each once. */
function withoutWords(problem: string): string {
  return problem.replace(/"detail":"(?:[^"\\]|\\.)*"/g, '"detail":"…"');
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** With its phrase only where that is none of Node's, which differ by release. */
function statusOf({ statusCode = 0, statusMessage = '' }: IncomingMessage): string {
  return STATUS_CODES[statusCode] === statusMessage ? `${statusCode}` : `${statusCode} ${statusMessage}`;
}

function fieldsOf({ rawHeaders }: IncomingMessage, tags: string[]): string[] {
  const lines: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2);
    lines.push(`${name}: ${name === 'ETag' ? withNumber(value, tags) : withoutAmounts(name, value)}`);
  }
  return lines.filter((line) => !/^(?:Date|Connection):/.test(line)).sort();
}

/** Clocks differ, and Node's client compares the length with the content. */
function withoutAmounts(name: string, value: string): string {
  if (name === 'Content-Length' && value !== '0') return '…';
  return name === 'Last-Modified' || name === 'Retry-After' ? '…' : value;
}

function withTags(value: string, tags: readonly string[]): string {
  return value.replace(/"tag (\d)"/g, (name, number: string) => tags[Number(number) - 1] ?? name);
}

function withNumber(value: string, tags: string[]): string {
  return value.replace(/"[^"]*"/, (tag) => {
    if (!tags.includes(tag)) tags.push(tag);
    return `"tag ${tags.indexOf(tag) + 1}"`;
  });
}
