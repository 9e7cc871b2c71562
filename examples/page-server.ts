import express, { type Express, type RequestHandler } from 'express';
import type { CorsQuestion } from 'patch-options';
import type { Verdict } from './exchange';
import type { ExchangeRecorder } from './exchange-recorder';

export interface PageOptions {
  /** The origin of the API that the page calls. */
  readonly api: string;
  readonly recorder: ExchangeRecorder;
  /** What a browser would make of a request to the API, and why. */
  readonly explain: (question: CorsQuestion) => Promise<Verdict>;
  /** Where its files are: what was written for the browser, and what was compiled. */
  readonly folders: readonly string[];
}

/** How many bytes may wait for a reader of the stream, beside the exchanges that it begins with. */
const mostBuffered = 256 * 1_024;

/**
 * The front end, on an origin of its own: static files, the exchanges that the API has seen as Server-Sent Events, and
 * explanations of what CORS makes of a request.
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
    // How many milliseconds the browser waits before it opens the stream again.
    res.write('retry: 1000\n\n');
    let hasBegun = false;
    const unfollow = recorder.follow(req.get('Last-Event-ID'), (exchange) => {
      res.write(`id: ${exchange.id}\ndata: ${JSON.stringify(exchange)}\n\n`);
      // The browser opens the stream again, and says after which exchange.
      if (hasBegun && res.writableLength > mostBuffered) res.destroy();
    });
    hasBegun = true;
    // What comes from here on is new.
    res.write('event: live\ndata: live\n\n');
    res.once('close', unfollow);
  });

  app.get('/explain', async (req, res) => {
    const { origin, method, path, headers = '' } = req.query;
    const asked = [origin, method, path, headers];
    if (!asked.every((value) => typeof value === 'string')) {
      res.status(400).json({
        title: 'The parameters origin, method and path are required, each once; headers may be given once.',
      });
      return;
    }
    const [ofPage = '', verb = '', target = '', names = ''] = asked;
    res.json(await explain({ origin: ofPage, method: verb, path: target, headers: names }));
  });

  for (const folder of folders) app.use(express.static(folder));
  return app;
}

/** The browser finds every name under localhost on this machine, and the API's policy names none of them. */
function strangerTo(port: number | undefined): string {
  return `http://stranger.localhost:${port ?? ''}`;
}

/** What a note holds is text to the page; were it ever markup, nothing in it could run or be fetched. */
function securityFields(api: string): RequestHandler {
  return (req, res, next) => {
    const port = req.socket.localPort ?? '';
    const isFrame = req.path === '/frame.html';
    const ownOrigins = `http://127.0.0.1:${port} http://localhost:${port}`;
    const policy = [
      "default-src 'none'",
      // By name too where it is sandboxed: its origin is opaque, and so WebKit takes nothing for its 'self'.
      `script-src 'self'${isFrame ? ` ${ownOrigins}` : ''}`,
      "style-src 'self'",
      "img-src 'self'",
      `connect-src 'self' ${api}`,
      `frame-src 'self' ${strangerTo(req.socket.localPort)}`,
      // The frames that send for other origins are for this page alone.
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
