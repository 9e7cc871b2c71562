import type { ServerResponse } from 'node:http';
import { beforeHead } from '../http/before-head';
import { setIfUnset, varyOn } from '../http/response-head';
import type { CorsPolicy } from './policy/policy';

/**
 * Adds the CORS headers to a response when its head is written, after all changes by handlers, error handlers
 * and `writeHead`. Set earlier, they would be lost in an error handler that removes all headers, and a
 * handler that sets `Vary` would let a cache serve a response for one origin to another.
 *
 * Headers that the app has set itself are kept.
 *
 * @returns a function of the response and the value of Access-Control-Allow-Origin, which is undefined if the
 *   origin is not allowed, or if the request has none
 */
export function createResponseDecorator({
  credentials,
  exposedHeaders,
  vary,
}: CorsPolicy): (res: ServerResponse, allowOrigin: string | undefined) => void {
  const varyNames = vary.join(', ');
  const exposedNames = exposedHeaders.join(', ');
  return (res, allowOrigin) => {
    beforeHead(res, () => {
      if (varyNames !== '') varyOn(res, varyNames);
      if (allowOrigin === undefined) return;
      setIfUnset(res, 'Access-Control-Allow-Origin', allowOrigin);
      if (credentials) setIfUnset(res, 'Access-Control-Allow-Credentials', 'true');
      if (exposedNames !== '') setIfUnset(res, 'Access-Control-Expose-Headers', exposedNames);
    });
  };
}
