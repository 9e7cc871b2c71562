import type { IncomingMessage, ServerResponse } from 'node:http';
import { shownText } from '../config/app-callbacks';
import { readMember } from '../config/prototype-pollution';
import { beforeHead } from '../http/before-head';
import { setIfUnset, varyOn } from '../http/response-head';
import { toPath } from '../http/target-path';
import type { CorsPolicy } from './policy/policy';

/** Warns once, by whatever shows first, that something else decides on the same responses. */
export type TellTwice = (describe: () => string) => void;

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
  tellTwice: TellTwice,
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
        const ofApp = origin === undefined ? undefined : res.getHeader('Access-Control-Allow-Origin');
        if (origin !== undefined && ofApp !== undefined) {
          const opens = ofApp === '*' || ofApp === origin;
          if (opens !== (allowOrigin !== undefined)) {
            tellTwice(() => decidedTwice(subject, method, url, origin, ofApp));
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
        if (varyNames !== '') varyOn(res, varyNames);
      });
    },
  };
}

function decidedTwice(
  subject: string,
  method: string,
  url: string,
  origin: string,
  ofApp: string | number | readonly string[],
): string {
  const opens = ofApp === '*' || ofApp === origin;
  return (
    `Your app set Access-Control-Allow-Origin: ${shownText(ofApp)} on its response to ${method} ` +
    `${shownText(toPath(url))}, so pages of ${shownText(origin)} ${opens ? 'can' : 'cannot'} read it, ` +
    `but the policy of ${subject} ${opens ? 'refuses' : 'allows'} that origin. ` +
    'Remove the CORS headers of your app, such as those of npm cors, or change the option origin.'
  );
}
