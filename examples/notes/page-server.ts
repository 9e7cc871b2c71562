import express, { type Express, type RequestHandler } from 'express';
import type { CorsQuestion } from 'patch-options/explain';
import type { Verdict } from './exchange';
import type { ExchangeRecorder } from './exchange-recorder';

export interface PageOptions {
  /** The origin of the API that the page calls. */
  readonly api: string;
  readonly recorder: ExchangeRecorder;
  /** Explains what a browser would do with a request to the API. */
  readonly explain: (question: CorsQuestion) => Promise<Verdict>;
  /** The folders of its files: static files and compiled scripts. */
  readonly folders: readonly string[];
}

/** How many bytes can wait for a slow reader of the stream, in addition to the exchanges that the stream starts with. */
const mostBuffered = 256 * 1_024;

/**
 * The front end, on an origin of its own: static files, the exchanges of the API as Server-Sent Events, and explanations of
 * what CORS allows.
 */
export function pageApp({ api, recorder, explain, folders }: PageOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(securityFields(api));

  app.get('/config', (req, res) => {
    res.json({ api, stranger: strangerTo(req.socket.localPort) });
  });

  app.get('/exchanges', (req, res) => {
    res.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' }).flushHeaders();
    // How many milliseconds the browser waits before it reconnects.
    res.write('retry: 1000\n\n');
    let hasBegun = false;
    const unfollow = recorder.follow(req.get('Last-Event-ID'), (exchange) => {
      res.write(`id: ${exchange.id}\ndata: ${JSON.stringify(exchange)}\n\n`);
      // The browser reconnects, and sends the id of the last exchange it has seen.
      if (hasBegun && res.writableLength > mostBuffered) res.destroy();
    });
    hasBegun = true;
    // Exchanges from here on are new.
    res.write('event: live\ndata: live\n\n');
    res.once('close', unfollow);
  });

  app.get('/explain', async (req, res) => {
    const { origin, method, path, headers = '' } = req.query;
    const asked = [origin, method, path, headers];
    if (!asked.every((value) => typeof value === 'string')) {
      res.status(400).json({
        title:
          'The parameters origin, method and path are required; headers is optional. Each can occur only once.',
      });
      return;
    }
    const [ofPage = '', verb = '', target = '', names = ''] = asked;
    try {
      res.json(await explain({ origin: ofPage, method: verb, path: target, headers: names }));
    } catch (error) {
      if (!isMistake(error)) throw error;
      res.status(400).json({ title: error.message });
    }
  });

  for (const folder of folders) app.use(express.static(folder));
  return app;
}

/** A question that no browser asks. */
function isMistake(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'PATCH_OPTIONS_CONFIGURATION';
}

/** Browsers resolve every name under localhost to this machine, and the API's policy allows none of these origins. */
function strangerTo(port: number | undefined): string {
  return `http://stranger.localhost:${port ?? ''}`;
}

/** The page shows notes as text. If one were ever parsed as markup, nothing in it could run or be fetched. */
function securityFields(api: string): RequestHandler {
  return (req, res, next) => {
    const port = req.socket.localPort ?? '';
    const isFrame = req.path === '/frame.html';
    const ownOrigins = `http://127.0.0.1:${port} http://localhost:${port}`;
    const policy = [
      "default-src 'none'",
      // A sandboxed frame has an opaque origin, for which WebKit matches nothing with 'self': list the origins too.
      `script-src 'self'${isFrame ? ` ${ownOrigins}` : ''}`,
      "style-src 'self'",
      "img-src 'self'",
      `connect-src 'self' ${api}`,
      `frame-src 'self' ${strangerTo(req.socket.localPort)}`,
      // Only this page can embed the frames that send requests from other origins.
      `frame-ancestors ${isFrame ? ownOrigins : "'none'"}`,
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
    ];
    res.set({
      'Content-Security-Policy': policy.join('; '),
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
    next();
  };
}
