import type { Exchange } from '../exchange.js';

/** A request in plain values, which can also be sent into a frame. */
export interface PlainRequest {
  readonly url: string;
  readonly init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
  };
}

/** What script cannot set: the browser does (Fetch, forbidden request-header). */
const browsersOwn = /^(?:Origin$|Access-Control-Request-)/i;

/** The request as a command for a POSIX shell; undefined where not all of its body is known. */
export function asCurl(api: string, exchange: Exchange): string | undefined {
  const { method, url, requestFields, requestBody } = exchange;
  const body = wholeBody(exchange);
  if (body === undefined) return undefined;
  const isPath = url.startsWith('/');
  const fields = requestFields.map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`));
  // Otherwise curl names a type by itself.
  const hasType = requestFields.some(([name]) => name === 'Content-Type');
  const all = requestBody === undefined || hasType ? fields : [...fields, 'Content-Type:'];
  return [
    // With -X HEAD, curl would wait for a body.
    method === 'HEAD'
      ? 'curl -I'
      : method === 'GET' && requestBody === undefined
        ? 'curl -i'
        : `curl -i -X ${quoted(method)}`,
    // As it is: neither brackets nor dots in it are for curl.
    `--globoff --path-as-is ${quoted(isPath ? api + url : api)}`,
    ...(isPath ? [] : [`--request-target ${quoted(url)}`]),
    ...all.map((field) => `-H ${quoted(field)}`),
    ...(requestBody === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}

/** The request as script for a page; undefined for what script cannot send. */
export function asFetch(api: string, exchange: Exchange): string | undefined {
  const { preflight, method, url, requestFields, requestBody } = exchange;
  const body = wholeBody(exchange);
  if (preflight || body === undefined || !url.startsWith('/')) return undefined;
  const headers = Object.fromEntries(requestFields.filter(([name]) => !browsersOwn.test(name)));
  return fetchSource({ url: api + url, init: { method, headers, ...(requestBody && { body }) } });
}

/** The call as one would write it. */
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

/** Empty where there is none; undefined where only a part of it is known, or where it is not text. */
function wholeBody({ requestBody }: Exchange): string | undefined {
  if (requestBody === undefined) return '';
  return requestBody.isWhole ? requestBody.text : undefined;
}

/** A word of a POSIX shell, in which nothing has a meaning but the quote that ends it. */
function quoted(text: string): string {
  return /^[\w.,:/@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A string of JavaScript in single quotes. */
function literal(text: string): string {
  const inside = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"');
  return `'${inside.replaceAll("'", String.raw`\'`)}'`;
}
