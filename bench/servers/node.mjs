import { createServer } from 'node:http';
import { allowedHeaders, maxAge, methods, origin } from './cors-policy.mjs';

/** Ends 200, with no work. */
export const bare = () => createServer((_req, res) => res.end());

/** Answers every request as a preflight, with the same headers: writing them is the larger part of the work. */
export const recited = () =>
  createServer((_req, res) => {
    res.writeHead(200, {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': allowedHeaders.join(', '),
      'Access-Control-Max-Age': maxAge,
      Vary: 'Origin, Access-Control-Request-Method',
      'Content-Length': 0,
    });
    res.end();
  });
