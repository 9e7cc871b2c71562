import { METHODS } from 'node:http';
import type { Application, ErrorRequestHandler, RequestHandler } from 'express';
import request from 'supertest';
import { ConfigurationError } from '../../lib/configuration';
import { ProblemError } from '../../lib/http/problem';
import { methodNotAllowed, type MethodNotAllowedOptions } from '../../lib/options/method-not-allowed';
import { frameworks } from '../support/frameworks';

const answer: RequestHandler = (_req, res) => {
  res.send('the handler');
};
const pass: RequestHandler = (_req, _res, next) => {
  next();
};

describe.each(frameworks)('methodNotAllowed on %s', (_name, express) => {
  function notes(options?: MethodNotAllowedOptions): Application {
    const app = express();
    app.all(/.*/, pass);
    app.get('/notes', answer);
    const nested = express.Router();
    nested.put('/', answer);
    app.use('/notes', nested);
    app.get('/missing', pass);
    app.all('/all', pass);
    app.use(methodNotAllowed(options));
    return app;
  }

  describe('RFC 9110 15.5.6: 405 and Allow where the target has routes, but none for the method', () => {
    const parsed = METHODS.filter((method) => !['CONNECT', 'GET', 'HEAD', 'OPTIONS', 'PUT'].includes(method));
    it.each(parsed)('%s', async (method) => {
      const response = await send(notes(), method, '/notes');
      expect(response.status).toBe(405);
      expect(response.headers).toMatchObject({
        allow: 'GET, HEAD, OPTIONS, PUT',
        'content-type': 'application/problem+json',
      });
      expect(JSON.parse(response.text)).toEqual({
        status: 405,
        title: 'Method Not Allowed',
        detail: `${method} is not allowed on this target. Allowed are GET, HEAD, OPTIONS, PUT.`,
        code: 'method-not-allowed',
      });
    });

    it('HEAD gets no content', async () => {
      const app = express();
      app.post('/notes', answer);
      app.use(methodNotAllowed());
      const response = await request(app).head('/notes');
      expect(response.status).toBe(405);
      expect(response.headers).toMatchObject({ allow: 'OPTIONS, POST' });
      expect(response.text).toBeFalsy();
    });
  });

  describe('everything else is left to your app', () => {
    it.each([
      { method: 'GET', path: '/notes', status: 200, because: 'a route handles it' },
      { method: 'POST', path: '/nowhere', status: 404, because: 'no route but a wildcard for all verbs' },
      {
        method: 'POST',
        path: '/all',
        status: 404,
        because: 'no route but one for all verbs, which let it pass',
      },
      { method: 'GET', path: '/missing', status: 404, because: 'a handler passed it on' },
      {
        method: 'OPTIONS',
        path: '/missing',
        status: 200,
        because: 'OPTIONS never gets 405: here Express itself answers it',
      },
    ])('$method $path: $status ($because)', async ({ method, path, status }) => {
      const response = await send(notes(), method, path);
      expect(response.status).toBe(status);
    });

    it('an answer that was sent before', async () => {
      const app = express();
      app.get('/notes', answer);
      app.use((_req, res, next) => {
        res.send('already');
        next();
      });
      app.use(methodNotAllowed());
      const response = await request(app).post('/notes');
      expect(response.text).toBe('already');
    });

    it("errors: 'next' hands the 405 to the error handler", async () => {
      const app = notes({ errors: 'next' });
      const onError: ErrorRequestHandler = (error: unknown, _req, res, next) => {
        if (!(error instanceof ProblemError)) next(error);
        else res.status(error.status).set(error.headers).send(`own: ${error.code}`);
      };
      app.use(onError);
      const response = await request(app).post('/notes');
      expect(response.status).toBe(405);
      expect(response.text).toBe('own: method-not-allowed');
      expect(response.headers).toMatchObject({ allow: 'GET, HEAD, OPTIONS, PUT' });
    });
  });
});

function send(app: Application, method: string, path: string) {
  return request(app)
    .get(path)
    .buffer(true)
    .parse((response, done) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        done(null, text);
      });
    })
    .use((sent) => {
      sent.method = method;
    })
    .then((response) => ({
      status: response.status,
      headers: response.headers,
      text: String(response.body),
    }));
}

describe('methodNotAllowed() with options that cannot work', () => {
  it.each([
    {
      options: { error: 'next' },
      message: "error: 'next' belongs to no option of that name. Did you mean 'errors'?",
    },
    { options: { errors: 'send' }, message: "errors: 'send' is not known." },
    { options: { root: {} }, message: 'root: {} is neither an Express app nor a router.' },
  ])('$message', ({ options, message }) => {
    const make = () => methodNotAllowed(options as MethodNotAllowedOptions);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });
});
