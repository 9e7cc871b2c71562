import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * Runs a handler of a resource on a document that a parser of the app's has read, without a socket.
 *
 * @returns the status
 */
export function requestInProcess(handler, { method = 'PATCH', key, type, body }) {
  const url = `/${key}`;
  const req = Object.assign(new IncomingMessage(new Socket()), {
    method,
    url,
    originalUrl: url,
    baseUrl: '',
    params: { id: key },
    headers: { 'content-type': type },
    body,
  });
  Object.defineProperty(req, 'readableDidRead', { value: true });
  const res = new ServerResponse(req);
  return new Promise((resolve, reject) => {
    res.end = () => {
      resolve(res.statusCode);
      return res;
    };
    handler(req, res, (error) => reject(error ?? new Error('The handler has passed the request on')));
  });
}
