import { ServerResponse } from 'node:http';
import vary from 'vary';

/**
 * Ends a response with these headers. Headers that were set before are kept, and `Vary` is merged. If none
 * were set, as before Express runs, the whole head is written at once: setting headers one by one costs more
 * than the rest of an answer to OPTIONS. But not if something has replaced `writeHead`, as a middleware or a
 * serverless adapter: a flat list is new to many of them. on-headers before 1.1 reads it as a list of pairs,
 * and sends `a: l` for `Allow`.
 *
 * @param fields - a flat list of names and values, as `writeHead` takes it
 */
export function endResponse(res: ServerResponse, status: number, fields: string[], content?: string): void {
  const isUntouched = res.getHeaderNames().length === 0;
  if (isUntouched && Reflect.get(res, 'writeHead') === ServerResponse.prototype.writeHead) {
    res.writeHead(status, fields).end(content);
    return;
  }
  res.statusCode = status;
  for (let i = 0; i < fields.length; i += 2) {
    const [name = '', value = ''] = [fields[i], fields[i + 1]];
    if (name === 'Vary') varyOn(res, value);
    else res.setHeader(name, value);
  }
  res.end(content);
}

/**
 * Adds header names to Vary. If there is no Vary yet, setting it is cheaper than the package `vary`, which
 * parses it.
 */
export function varyOn(res: ServerResponse, names: string): void {
  if (res.hasHeader('Vary')) vary(res, names);
  else res.setHeader('Vary', names);
}

/** Sets a header, unless the app has set it. */
export function setIfUnset(res: ServerResponse, name: string, value: string): void {
  if (!res.hasHeader(name)) res.setHeader(name, value);
}
