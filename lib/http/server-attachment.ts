import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import { isObject } from '../config/object';
import { OptionsCheck } from '../config/options-check';

/** Answers a request, or calls `next` to leave it to the server's own listeners. */
export type RequestInterceptor = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

/**
 * Creates the function that runs `interceptor` before all listeners of a server's `'request'` event.
 *
 * It intercepts the event instead of replacing the listeners: socket.io copies the listeners, removes all of
 * them and adds its own, and a framework adds its app when it is ready. The event calls earlier and later
 * listeners alike.
 */
export function createAttach(interceptor: RequestInterceptor): (server: Server) => () => void {
  const attached = new WeakMap<Server, () => void>();
  return (server) => {
    checkServer(server);
    const before = attached.get(server);
    if (before !== undefined) return before;
    const restore = interceptRequests(server, interceptor);
    const detach = (): void => {
      if (attached.get(server) !== detach) return;
      attached.delete(server);
      restore();
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

/**
 * Replaces `emit`, as tracing agents do. Several replacements call each other, the last installed one first.
 */
function interceptRequests(server: Server, interceptor: RequestInterceptor): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(server, 'emit');
  const emitting: Emitting = server;
  const { emit } = emitting;
  let inPlace = true;
  function intercepting(this: Server, ...event: Event): boolean {
    if (!inPlace || !isRequest(event)) return emit.apply(this, event);
    const [, req, res] = event;
    interceptor(req, res, () => void emit.apply(this, event));
    return true;
  }
  Object.defineProperty(server, 'emit', { value: intercepting, configurable: true, writable: true });
  return () => {
    inPlace = false;
    // A later replacement still calls this one, which then only passes events through.
    if (Reflect.get(server, 'emit') !== intercepting) return;
    if (descriptor === undefined) Reflect.deleteProperty(server, 'emit');
    else Object.defineProperty(server, 'emit', descriptor);
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
    fix:
      'Pass the return value of http.createServer(), app.listen() of Express, ' +
      'or app.getHttpServer() of Nest.',
  });
  check.done();
}

/**
 * Servers of `http`, `https` and `http2` have `setTimeout`, but servers of `net` and `tls` do not; an Express
 * app is a function.
 */
export function isHttpServer(value: unknown): value is Server {
  return (
    isObject(value) &&
    ['emit', 'listen', 'setTimeout'].every((name) => typeof Reflect.get(value, name) === 'function')
  );
}
