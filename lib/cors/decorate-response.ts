import type { ServerResponse } from 'node:http';
import { beforeHead } from '../http/before-head';
import { setIfUnset, varyOn } from '../http/response-head';
import type { CorsPolicy } from './policy/policy';

/** @param allowOrigin - undefined: the origin is not allowed, or there was none */
export type ResponseDecorator = (res: ServerResponse, allowOrigin: string | undefined) => void;

/**
 * Puts the CORS fields on a response at the moment its head is written, after whatever handlers, error handlers and
 * `writeHead` have done to it. Set any earlier, an error handler that starts afresh would lose them, and a handler
 * that sets `Vary` would leave a response for one origin in the cache of another.
 *
 * What the host has set itself it keeps.
 */
export function responseDecorator({ credentials, exposedHeaders, vary }: CorsPolicy): ResponseDecorator {
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
