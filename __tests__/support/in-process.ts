import { EventEmitter } from 'node:events';
import { IncomingMessage } from 'node:http';

/** What became of a request. */
export interface Outcome {
  /** 404 where nothing answered; an error's status, 500 where it has none. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string;
}

/** An app or router, as a server calls it. */
type Dispatch = (req: object, res: object, done: (error?: unknown) => void) => void;

/** Sends a request through an app or router without a socket: some 10 microseconds in place of some 1,000. */
export function dispatch(app: unknown, method: string, url: string, marks: object = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const server = new EventEmitter().on('request', app as () => void);
    const req = Object.create(IncomingMessage.prototype) as object;
    Object.assign(req, { method, url, headers: {}, socket: { server } }, marks);
    const headers: Record<string, string> = {};
    const finish = (status: number, content = ''): void => {
      resolve({ status, headers, content });
    };
    const set = (name: string, value: unknown): void => {
      headers[name.toLowerCase()] = String(value);
    };
    const res = {
      req,
      statusCode: 200,
      headersSent: false,
      setHeader: set,
      set,
      getHeader: (name: string) => headers[name.toLowerCase()],
      getHeaderNames: () => Object.keys(headers),
      writeHead: (status: number, fields: readonly string[]) => {
        res.statusCode = status;
        for (let i = 0; i < fields.length; i += 2) set(fields[i] ?? '', fields[i + 1]);
        return res;
      },
      end: (content?: string) => {
        finish(res.statusCode, content);
      },
      send: (content: string) => {
        finish(res.statusCode, content);
      },
    };
    (app as Dispatch)(req, res, (error) => {
      finish(error === undefined || error === null ? 404 : statusOf(error));
    });
  });
}

function statusOf(error: unknown): number {
  const status: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, 'status') : undefined;
  return typeof status === 'number' ? status : 500;
}
