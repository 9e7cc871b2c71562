import type { Exchange } from '../exchange.js';

/** A request as plain values, which can also be posted to a frame. */
export interface PlainRequest {
  readonly url: string;
  readonly init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
  };
}

/** Headers that scripts cannot set, because the browser does (Fetch, forbidden request-header). */
const browsersOwn = /^(?:Origin$|Access-Control-Request-)/i;

/** The request as a command for a POSIX shell; undefined if its body is not completely known. */
export function asCurl(api: string, exchange: Exchange): string | undefined {
  const { method, url, requestFields, requestBody } = exchange;
  const body = wholeBody(exchange);
  if (body === undefined) return undefined;
  const isPath = url.startsWith('/');
  const fields = requestFields.map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`));
  // Otherwise curl sends a Content-Type of its own.
  const hasType = requestFields.some(([name]) => name === 'Content-Type');
  const all = requestBody === undefined || hasType ? fields : [...fields, 'Content-Type:'];
  return [
    // With -X HEAD, curl would wait for a body.
    method === 'HEAD'
      ? 'curl -I'
      : method === 'GET' && requestBody === undefined
        ? 'curl -i'
        : `curl -i -X ${quoted(method)}`,
    // With these options, curl leaves brackets and dots in the URL unchanged.
    `--globoff --path-as-is ${quoted(isPath ? api + url : api)}`,
    ...(isPath ? [] : [`--request-target ${quoted(url)}`]),
    ...all.map((field) => `-H ${quoted(field)}`),
    ...(requestBody === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}

/** The request as a script for a page; undefined if a script cannot send it. */
export function asFetch(api: string, exchange: Exchange): string | undefined {
  const { preflight, method, url, requestFields, requestBody } = exchange;
  const body = wholeBody(exchange);
  if (preflight || body === undefined || !url.startsWith('/')) return undefined;
  const headers = Object.fromEntries(requestFields.filter(([name]) => !browsersOwn.test(name)));
  return fetchSource({ url: api + url, init: { method, headers, ...(requestBody && { body }) } });
}

/** The call as a person would write it. */
export function fetchSource({ url, init }: PlainRequest): string {
  const { method, headers, body } = init;
  const fields = Object.entries(headers).map(([name, value]) => `    ${literal(name)}: ${literal(value)},\n`);
  return [
    `await fetch(${literal(url)}, {\n  method: ${literal(method)},\n`,
    fields.length > 0 ? `  headers: {\n${fields.join('')}  },\n` : '',
    body === undefined ? '' : `  body: ${literal(body)},\n`,
    '});',
  ].join('');
}

/** Empty if there is no body; undefined if only a part of it is known, or if it is not text. */
function wholeBody({ requestBody }: Exchange): string | undefined {
  if (requestBody === undefined) return '';
  return requestBody.isWhole ? requestBody.text : undefined;
}

/** A word of a POSIX shell in single quotes, in which no other character is special. */
function quoted(text: string): string {
  return /^[\w.,:/@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A JavaScript string literal in single quotes. */
function literal(text: string): string {
  const inside = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"');
  return `'${inside.replaceAll("'", String.raw`\'`)}'`;
}
