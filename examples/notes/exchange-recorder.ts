import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { CorsQuestion } from 'patch-options/explain';
import type { Exchange, Fields, Verdict } from './exchange';
import { seeRequestBody, seeResponseBody, type SeenBody } from './exchange-body';

/** How many exchanges are kept for pages that connect later. */
const kept = 50;

/** Without Cookie and Authorization, because the person who watches may not be the client that sent them. */
const requestNames = [
  'Origin',
  'Access-Control-Request-Method',
  'Access-Control-Request-Headers',
  'Content-Type',
  'Content-Encoding',
  'If-Match',
  'If-None-Match',
  'If-Unmodified-Since',
  'Prefer',
  'Idempotency-Key',
];
const responseNames = [
  'Allow',
  'Accept-Patch',
  'ETag',
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Headers',
  'Access-Control-Expose-Headers',
  'Access-Control-Max-Age',
  'Vary',
  'Content-Type',
  'Content-Location',
  'Location',
  'Preference-Applied',
];

/**
 * Records the exchanges between browsers and a server. Scripts cannot see preflights, not even whether there was one: only
 * the server can show them.
 */
export class ExchangeRecorder {
  readonly #explain: (question: CorsQuestion) => Promise<Verdict>;
  readonly #recent: Exchange[] = [];
  readonly #listeners = new Set<(exchange: Exchange) => void>();
  #told = Promise.resolve();

  constructor(explain: (question: CorsQuestion) => Promise<Verdict>) {
    this.#explain = explain;
  }

  /** Wraps a listener: every exchange is recorded when its response has been sent. */
  watch(listener: RequestListener): RequestListener {
    return (req, res) => {
      // Express changes `url` while it routes.
      const { method = '', url = '' } = req;
      const at = Date.now();
      const bodies = { sent: seeRequestBody(req), answered: seeResponseBody(req, res) };
      res.once('finish', () => {
        this.#record({ method, url, at }, req, res, bodies);
      });
      listener(req, res);
    };
  }

  /** Calls back with the exchanges after the one with this id, or with all that are kept; then with each new one. */
  follow(after: string | undefined, listener: (exchange: Exchange) => void): () => void {
    const known = this.#recent.findIndex(({ id }) => id === after);
    this.#recent.slice(known + 1).forEach(listener);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #record(
    { method, url, at }: Pick<Exchange, 'method' | 'url' | 'at'>,
    req: IncomingMessage,
    res: ServerResponse,
    bodies: { readonly sent: SeenBody; readonly answered: SeenBody },
  ): void {
    const took = Date.now() - at;
    const [requestBody, responseBody] = [bodies.sent(), bodies.answered()];
    const exchange: Exchange = {
      id: randomUUID(),
      ...{ at, took, method, url },
      preflight: method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined,
      requestFields: pickFields(requestNames, (name) => req.headers[name.toLowerCase()]),
      ...(requestBody && { requestBody }),
      status: res.statusCode,
      phrase: res.statusMessage,
      responseFields: pickFields(responseNames, (name) => res.getHeader(name)),
      ...(responseBody && { responseBody }),
    };
    const question = toQuestion(req, method, url);
    // A request that no browser sends, such as one with a path in its origin, has no verdict.
    const asked = question && this.#explain(question).catch(() => undefined);
    // Verdicts take time, but a preflight must be shown before the request that it allowed.
    this.#told = this.#told.then(async () => {
      const verdict = await asked;
      this.#tell({ ...exchange, ...(verdict && { verdict }) });
    });
  }

  #tell(exchange: Exchange): void {
    this.#recent.push(exchange);
    if (this.#recent.length > kept) this.#recent.shift();
    for (const listener of this.#listeners) listener(exchange);
  }
}

/** Undefined if CORS does not apply, and for a request after a preflight, which has already answered the question. */
function toQuestion({ headers }: IncomingMessage, method: string, url: string): CorsQuestion | undefined {
  const { origin } = headers;
  if (origin === undefined) return undefined;
  const asked = headers['access-control-request-method'];
  const names = headers['access-control-request-headers'];
  if (method === 'OPTIONS' && asked !== undefined)
    return { origin, method: asked, path: url, ...(names !== undefined && { headers: names }) };
  return ['GET', 'HEAD', 'POST'].includes(method) ? { origin, method, path: url } : undefined;
}

function pickFields(
  names: readonly string[],
  readValue: (name: string) => number | string | readonly string[] | undefined,
): Fields {
  return names.flatMap((name) => {
    const value = readValue(name);
    return value === undefined ? [] : [[name, String(value)] as const];
  });
}
