import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Middleware } from '../../lib/http/middleware';

export interface Answer {
  /** 500 where it went to the app's error handler. */
  readonly status: number;
  readonly tag?: string | undefined;
}

/** Runs a handler on a merge patch of `/{key}` that the app has read, without a socket or a turn of the event loop. */
export function patchInProcess(
  handler: Middleware,
  key: string,
  patch: unknown,
  headers: Readonly<Record<string, string>> = {},
  rawHeaders: readonly string[] = [],
): Promise<Answer> {
  const url = `/${key}`;
  const req = Object.assign(new IncomingMessage(new Socket()), {
    ...{ method: 'PATCH', url, originalUrl: url, baseUrl: '', params: { id: key } },
    headers: { 'content-type': 'application/merge-patch+json', ...headers },
    rawHeaders: [...rawHeaders],
    body: Buffer.from(JSON.stringify(patch)),
  });
  Object.defineProperty(req, 'readableDidRead', { value: true });
  const res = new ServerResponse(req);
  return new Promise((resolve) => {
    res.end = () => {
      resolve({ status: res.statusCode, tag: res.getHeader('ETag')?.toString() });
      return res;
    };
    handler(req, res, () => {
      resolve({ status: 500 });
    });
  });
}
