import { once } from 'node:events';
import { createServer, request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { AnswerHead } from '../cors/fetch-steps';
import { listenToReport, type CorsReport } from '../cors/report';
import type { LocalTarget } from './target';

/** A request, as it is sent. */
export interface SentRequest {
  readonly url: URL;
  /** The request target, which can begin with two slashes. */
  readonly path: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
}

/** A request and its answer. */
export interface HttpExchange {
  readonly request: SentRequest;
  /** Undefined if there was no answer. */
  readonly answer: (AnswerHead & Pick<IncomingMessage, 'rawHeaders' | 'statusMessage'>) | undefined;
  /** The decision of `corsPreflight`, if the request reached one in this process. */
  readonly report: CorsReport | undefined;
  /** Whether the request was served in this process, so that `report` is complete. */
  readonly inProcess: boolean;
  /** Whether the time limit passed before the answer came. */
  readonly isLate: boolean;
  /** Whether a TLS message came instead of an answer. */
  readonly speaksTls: boolean;
  /** The error because of which there was no answer, or the app's error. */
  readonly error?: unknown;
}

/** Sends requests to a target, one after another. */
export interface Transport {
  /** The URL of the target's root. */
  readonly base: URL;
  send(request: SentRequest): Promise<HttpExchange>;
  close(): Promise<void>;
}

/** @param timeout - for all requests together, in milliseconds */
export async function openTransport(
  target: LocalTarget | URL,
  host: string | undefined,
  timeout: number,
): Promise<Transport> {
  const deadline = Date.now() + timeout;
  if (target instanceof URL) {
    return {
      base: target,
      send: (request) => sendRequest(request, request.url, deadline),
      close: () => Promise.resolve(),
    };
  }
  const served: ServedRequest = { report: undefined, thrown: [] };
  const server = createServer((req, res) => {
    serve(target, served, req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const local = new URL(`http://127.0.0.1:${port}`);
  const base = new URL(`${target.isSecure ? 'https' : 'http'}://${host ?? local.host}`);
  return {
    base,
    async send(request) {
      Object.assign(served, { report: undefined, thrown: [] });
      const exchange = await sendRequest(request, local, deadline);
      const { report, thrown } = served;
      const error = thrown.length > 0 ? { error: thrown[0] } : {};
      return { ...exchange, report, inProcess: true, ...error };
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The outcome of the request that is being served. */
interface ServedRequest {
  report: CorsReport | undefined;
  thrown: readonly [error?: unknown];
}

function serve(target: LocalTarget, served: ServedRequest, req: IncomingMessage, res: ServerResponse): void {
  // The property of a TLSSocket from which frameworks read the scheme of the request.
  if (target.isSecure) Object.defineProperty(req.socket, 'encrypted', { value: true });
  listenToReport(req, (report) => {
    served.report ??= report;
  });
  const fail = (error: unknown): void => {
    served.thrown = [error];
    res.destroy();
  };
  try {
    Promise.resolve(target.serve(req, res)).catch(fail);
  } catch (error) {
    fail(error);
  }
}

/**
 * Instrumentation, such as dd-trace, copies the headers as an object. Several headers with one name become
 * one, as in fetch().
 */
function toObject(headers: SentRequest['headers']): Readonly<Record<string, string>> {
  const fields = new Map<string, readonly [name: string, value: string]>();
  for (const [name, value] of headers) {
    const known = fields.get(name.toLowerCase());
    fields.set(name.toLowerCase(), known === undefined ? [name, value] : [known[0], `${known[1]}, ${value}`]);
  }
  return Object.fromEntries(fields.values());
}

/** Resolves at the head of the answer, and then hangs up: the content can be endless. */
function sendRequest(request: SentRequest, to: URL, deadline: number): Promise<HttpExchange> {
  const { method, path, headers, body } = request;
  const open = to.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const sending = open({
      host: to.hostname.replace(/^\[|\]$/g, ''),
      port: to.port,
      ...{ method, path, agent: false },
      headers: toObject(headers),
      // The limit of Chromium. Node's own limit, 16 KiB, is for servers.
      maxHeaderSize: 262_144,
    });
    sending.maxHeadersCount = 0;
    const settle = (outcome: Partial<HttpExchange>): void => {
      clearTimeout(timer);
      const silence = {
        answer: undefined,
        report: undefined,
        inProcess: false,
        isLate: false,
        speaksTls: false,
      };
      resolve({ request, ...silence, ...outcome });
      sending.destroy();
    };
    const timer = setTimeout(() => {
      settle({ isLate: true });
    }, deadline - Date.now());
    sending.on('error', (error) => {
      // RFC 8446 5.1: an alert (21), followed by a version that begins with 3.
      const bytes: unknown = Reflect.get(error, 'rawPacket');
      const speaksTls = Buffer.isBuffer(bytes) && bytes[0] === 21 && bytes[1] === 3;
      // The bytes of an answer that is not HTTP can contain secrets.
      Reflect.deleteProperty(error, 'rawPacket');
      settle({ error, speaksTls });
    });
    sending.on('response', ({ statusCode = 0, statusMessage, headers: fields, rawHeaders }) => {
      settle({ answer: { status: statusCode, statusMessage, headers: fields, rawHeaders } });
    });
    sending.end(body);
  });
}
