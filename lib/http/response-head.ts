import { ServerResponse } from 'node:http';
import onHeaders from 'on-headers';
import { append } from 'vary';

/**
 * Ends a response with these headers. Headers that were set before are kept, and `Vary` is merged. In an Express app,
 * where X-Powered-By is set already, they are set one by one. Before Express runs, the whole head is written at once:
 * to set headers one by one costs more than the rest of an answer to OPTIONS.
 *
 * @param fields - a flat list of names and values, as `writeHead` takes it
 */
export function endResponse(res: ServerResponse, status: number, fields: string[], content?: string): void {
  const isUntouched = res.getHeaderNames().length === 0;
  // Not if a middleware or a serverless adapter has replaced `writeHead`: many do not know flat lists.
  // on-headers before 1.1 reads one as a list of pairs, and sends `a: l` for `Allow`.
  if (isUntouched && Reflect.get(res, 'writeHead') === ServerResponse.prototype.writeHead) {
    res.writeHead(status, fields).end(content);
    return;
  }
  res.statusCode = status;
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] ?? '';
    const value = fields[i + 1] ?? '';
    if (name === 'Vary') addNames(res, name, value);
    else res.setHeader(name, value);
  }
  res.end(content);
}

/**
 * Adds names to a header that lists names, each once, ignoring case. A star stays. In Vary it stays alone,
 * because it means every header (RFC 9110 12.5.5), and caches look only for a lone `*`. In
 * Access-Control-Expose-Headers the names are added to it, because for a request with credentials `*` is the
 * name of a header (Fetch, main fetch, CORS-exposed header-name list).
 */
export function addNames(res: ServerResponse, header: string, names: string): void {
  const present = res.getHeader(header);
  if (present === undefined) res.setHeader(header, names);
  else if (/^vary$/i.test(header)) res.setHeader(header, append(withoutRepeats(String(present)), names));
  else res.setHeader(header, withoutRepeats(`${String(present)},${names}`));
}

function withoutRepeats(list: string): string {
  const names = new Map<string, string>();
  for (const element of list.split(',')) {
    const name = element.trim();
    if (name !== '' && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return [...names.values()].join(', ');
}

/** Sets a header, unless the app has set it. */
export function setIfUnset(res: ServerResponse, name: string, value: string): void {
  if (!res.hasHeader(name)) res.setHeader(name, value);
}

/**
 * Calls `listener` when the head of a response is written, after the arguments of `writeHead` were applied to
 * `res`. Headers that the listener sets are still sent.
 */
export function beforeHead(res: ServerResponse, listener: () => void): void {
  onHeaders(res, listener);
  const writeHead: unknown = Reflect.get(res, 'writeHead');
  if (typeof writeHead !== 'function') return;
  // on-headers keeps only one of several headers with the same name from a list of pairs, but all of them
  // from a flat list.
  Object.assign(res, {
    writeHead(this: ServerResponse, ...args: unknown[]): unknown {
      return Reflect.apply(writeHead, this, args.map(flatList));
    },
  });
}

/**
 * Turns `[['Set-Cookie', 'a=1'], …]` into `['Set-Cookie', 'a=1', …]`, and returns anything else unchanged.
 */
function flatList(argument: unknown): unknown {
  if (!Array.isArray(argument) || !Array.isArray(argument[0])) return argument;
  const pairs = argument.filter((pair) => Array.isArray(pair) && Boolean(pair[0]));
  return pairs.flatMap((pair: readonly unknown[]) => [pair[0], pair[1]]);
}
