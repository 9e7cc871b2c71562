import express from 'express';
import { createServer, type Server } from 'node:http';
import serverless from 'serverless-http';
import { methodNotAllowed, patchOptions } from 'patch-options';

/** The part of an answer of a function that API Gateway sends. */
interface Answered {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function start(port: number): Server {
  // docs: AWS Lambda
  const app = express();

  app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
  app.patch('/notes/:id', (req, res) => void res.json({ id: req.params.id }));
  app.use(methodNotAllowed());

  const handler = serverless(app); // exported
  // end
  // As API Gateway calls it: an event of the version 2.0 for each request.
  return createServer((req, res) => {
    const { method = 'GET', url = '/', headers } = req;
    const { pathname, search } = new URL(url, 'http://localhost');
    const event = {
      version: '2.0',
      rawPath: pathname,
      rawQueryString: search.slice(1),
      headers,
      requestContext: { http: { method, path: pathname } },
      isBase64Encoded: false,
    };
    void Promise.resolve(handler(event, {})).then((answer) => {
      const { statusCode, headers: fields, body } = answer as Answered;
      res.writeHead(statusCode, fields).end(body);
    });
  }).listen(port);
}
