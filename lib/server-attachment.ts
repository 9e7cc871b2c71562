import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import { isObject, OptionsCheck } from './configuration';

/** What it does not answer itself it hands on: without an error, to whoever else listens. */
export type Front = (req: IncomingMessage, res: ServerResponse, goOn: () => void) => void;

/**
 * Makes the function that puts `front` before all listeners of a server's `'request'` events.
 *
 * It takes the event's place, not that of the listeners: socket.io copies those, removes all of them and adds one of its own,
 * and a framework adds its app whenever it is ready. Whoever was there before, or comes later, is called by the event.
 */
export function attacherOf(front: Front): (server: Server) => () => void {
  const attached = new WeakMap<Server, () => void>();
  return (server) => {
    checkServer(server);
    const before = attached.get(server);
    if (before !== undefined) return before;
    const takeAway = interceptRequests(server, front);
    const detach = (): void => {
      if (attached.get(server) !== detach) return;
      attached.delete(server);
      takeAway();
    };
    attached.set(server, detach);
    return detach;
  };
}

interface Emitting {
  readonly emit: (this: Server, ...event: Event) => boolean;
}

type Event = [name: string | symbol, ...values: unknown[]];

type RequestEvent = [name: 'request', req: IncomingMessage, res: ServerResponse, ...rest: unknown[]];

/** Replaces `emit`, as tracing agents do, who then call this one or are called by it. */
function interceptRequests(server: Server, front: Front): () => void {
  const own = Object.getOwnPropertyDescriptor(server, 'emit');
  const emitting: Emitting = server;
  const { emit } = emitting;
  let inPlace = true;
  function intercepting(this: Server, ...event: Event): boolean {
    if (!inPlace || !isRequest(event)) return emit.apply(this, event);
    const [, req, res] = event;
    front(req, res, () => void emit.apply(this, event));
    return true;
  }
  Object.defineProperty(server, 'emit', { value: intercepting, configurable: true, writable: true });
  return () => {
    inPlace = false;
    // Where others have replaced it since, theirs goes on to call this one, which now does nothing.
    if (Reflect.get(server, 'emit') !== intercepting) return;
    if (own === undefined) Reflect.deleteProperty(server, 'emit');
    else Object.defineProperty(server, 'emit', own);
  };
}

function isRequest(event: Event): event is RequestEvent {
  const [name, req, res] = event;
  return name === 'request' && isObject(req) && isObject(res);
}

function checkServer(server: unknown): void {
  if (isHttpServer(server)) return;
  const check = new OptionsCheck('optionsListener().attach()');
  check.mistake('server', server, {
    code: 'option-type',
    reason: 'must be an HTTP server',
    fix: 'Give what http.createServer(), app.listen() of Express or app.getHttpServer() of Nest returns.',
  });
  check.done();
}

/** Those of `http`, `https` and `http2` have a timeout to set, those of `net` and `tls` have none; an Express app is a function. */
function isHttpServer(value: unknown): boolean {
  return (
    isObject(value) &&
    ['emit', 'listen', 'setTimeout'].every((name) => typeof Reflect.get(value, name) === 'function')
  );
}
