import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { OptionsCheck } from '../config/options-check';
import { isRoot } from '../express/apps';
import { isRouter } from '../express/layers';
import { isHttpServer } from '../http/server-attachment';

/**
 * The target of `explainCors`: an app or another request listener, a server, or the URL of a running server.
 */
export type CorsTarget = ((req: never, res: never, next: never) => unknown) | Server | URL | string;

/** A target in this process. */
export interface LocalTarget {
  /** Passes a request to the app. An error that it throws or rejects with is the app's. */
  readonly serve: (req: IncomingMessage, res: ServerResponse) => unknown;
  /** Whether the app sees TLS connections. */
  readonly isSecure: boolean;
}

/** @returns a target in this process, or the URL of a server */
export function readCorsTarget(target: unknown, check: OptionsCheck): LocalTarget | URL | undefined {
  if (typeof target === 'string' || target instanceof URL) return readUrl(target, check);
  if (isListener(target)) return { serve: createServe(target), isSecure: false };
  if (isHttpServer(target)) {
    const serve = (req: IncomingMessage, res: ServerResponse): void => {
      if (!target.emit('request', req, res)) throw new Error('The server has no listener for requests.');
    };
    return { serve, isSecure: target instanceof TlsServer };
  }
  check.mistake('target', target, {
    code: 'option-type',
    reason: 'must be an Express app, a router, a request listener, an HTTP server or a URL',
    fix: "Pass what the server calls with every request, the server, or a URL such as 'https://api.example'.",
  });
  return undefined;
}

type Listener = (...args: readonly unknown[]) => unknown;

function isListener(target: unknown): target is Listener {
  return typeof target === 'function';
}

function createServe(target: Listener): LocalTarget['serve'] {
  // An app has an error handler of its own.
  const isApp = isRoot(target) && !isRouter(target);
  return (req, res) => {
    const next = (error?: unknown): void => {
      endUnhandled(res, error);
    };
    return isApp ? target(req, res) : target(req, res, next);
  };
}

/** The answer to a request that a router has passed on. */
function endUnhandled(res: ServerResponse, error: unknown): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const status: unknown = error === undefined ? 404 : Reflect.get(Object(error) as object, 'status');
  const isError = Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599;
  res.statusCode = isError ? Number(status) : 500;
  res.end();
}

function readUrl(target: string | URL, check: OptionsCheck): URL | undefined {
  const url = parseUrl(target);
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (isOrigin) return url;
  const isHttp = url !== undefined && /^https?:$/.test(url.protocol);
  check.mistake('target', String(target), {
    code: 'option-value',
    reason: isHttp ? 'must be an origin' : 'is not an http: or https: URL',
    fix: isHttp
      ? `Write '${url.origin}', and pass the rest as path.`
      : "Write the scheme and the host of the server, such as 'https://api.example'.",
  });
  return undefined;
}

function parseUrl(target: string | URL): URL | undefined {
  try {
    return new URL(target);
  } catch {
    return undefined;
  }
}
