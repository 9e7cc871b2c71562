import type { IncomingMessage, ServerResponse } from 'node:http';
import { readMember } from '../config/prototype-pollution';
import { beforeHead } from '../http/before-head';
import { setIfUnset, varyOn } from '../http/response-head';
import type { CorsPolicy } from './policy/policy';
import { loadWords } from './words';

/** Warns once, by whatever shows first, that something else decides on the same responses. */
export type WarnOfSecondPolicy = (describe: () => string) => void;

/** Adds the headers to a response; made once for each policy. */
export interface ResponseDecorator {
  /** @param allowOrigin - undefined if the origin is not allowed, or if the request has none */
  decorate(req: IncomingMessage, res: ServerResponse, allowOrigin: string | undefined): void;
  /** For a response that can be sent before it is known whether the origin is allowed. */
  decorateUndecided(res: ServerResponse): void;
}

/**
 * Adds the CORS headers to a response when its head is written, after all changes by handlers, error handlers
 * and `writeHead`. Set earlier, they would be lost in an error handler that removes all headers, and a
 * handler that sets `Vary` would let a cache serve a response for one origin to another.
 *
 * Headers that the app has set itself are kept. If a browser would decide otherwise by them than the policy
 * does, a process warning says so, once.
 */
export function createResponseDecorator(
  { subject, credentials, exposedHeaders, vary }: CorsPolicy,
  warnOfSecondPolicy: WarnOfSecondPolicy,
): ResponseDecorator {
  const varyNames = vary.join(', ');
  const exposedNames = exposedHeaders.join(', ');
  return {
    decorate(req, res, allowOrigin) {
      const { method = '', url = '/', headers } = req;
      // To a page of its own origin CORS does not apply, although browsers may send Origin.
      const isOfPage = readMember(headers, 'sec-fetch-site') !== 'same-origin';
      const origin = isOfPage ? readMember(headers, 'origin') : undefined;
      beforeHead(res, () => {
        if (varyNames !== '') varyOn(res, varyNames);
        const appOrigin = origin === undefined ? undefined : res.getHeader('Access-Control-Allow-Origin');
        if (origin !== undefined && appOrigin !== undefined) {
          const opens = appOrigin === '*' || appOrigin === origin;
          if (opens !== (allowOrigin !== undefined)) {
            warnOfSecondPolicy(() =>
              loadWords().describeAppHeaders(subject, { method, url, origin }, appOrigin),
            );
          }
        }
        if (allowOrigin === undefined) return;
        setIfUnset(res, 'Access-Control-Allow-Origin', allowOrigin);
        if (credentials) setIfUnset(res, 'Access-Control-Allow-Credentials', 'true');
        if (exposedNames !== '') setIfUnset(res, 'Access-Control-Expose-Headers', exposedNames);
      });
    },
    decorateUndecided(res) {
      beforeHead(res, () => {
        varyOn(res, varyNames);
      });
    },
  };
}
