import type { ServerResponse } from 'node:http';
import vary from 'vary';

/**
 * Ends a response with these header fields and those that others have set: they stay, and what they say in `Vary` is
 * joined. Where nobody has set any, as in front of Express, the whole head is written at once: setting field by field
 * costs more than all else that is done for an answer to OPTIONS.
 *
 * @param fields - names and values in turn, as `writeHead` takes them
 */
export function endResponse(res: ServerResponse, status: number, fields: string[], content?: string): void {
  if (res.getHeaderNames().length === 0) {
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

/** Adds field names to Vary. Npm `vary` reads what is there, which where nothing is costs more than to set the field. */
export function varyOn(res: ServerResponse, names: string): void {
  if (res.hasHeader('Vary')) vary(res, names);
  else res.setHeader('Vary', names);
}

/** What the app has set itself it keeps. */
export function setIfUnset(res: ServerResponse, name: string, value: string): void {
  if (!res.hasHeader(name)) res.setHeader(name, value);
}
