import type { IncomingMessage, ServerResponse } from 'node:http';
import { readMember } from '../config/prototype-pollution';
import type { HeaderPair, JudgedRequest } from '../explain/words/warnings';
import { addNames, beforeHead } from '../http/response-head';
import { isOwnPage } from './origin/check-origin';
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
 * Headers that the app has set are kept, and names are added to those that list names. If a browser would decide
 * otherwise by the app's headers than by those of the policy, a process warning says so, once.
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
      const origin = readMember(headers, 'origin');
      beforeHead(res, () => {
        if (varyNames !== '') addNames(res, 'Vary', varyNames);
        const appOrigin = readValue(res, 'Access-Control-Allow-Origin');
        const appCredentials = credentials ? readValue(res, 'Access-Control-Allow-Credentials') : undefined;
        const isSet = appOrigin !== undefined || appCredentials !== undefined;
        if (isSet && origin !== undefined && !isOwnPage(req)) {
          // What is sent, after middlewares in front that change it.
          process.nextTick(() => {
            const sentCredentials = credentials
              ? readValue(res, 'Access-Control-Allow-Credentials')
              : undefined;
            const sentOrigin = readValue(res, 'Access-Control-Allow-Origin');
            judge({ method, url, origin, headers }, allowOrigin, sentOrigin, sentCredentials);
          });
        }
        if (allowOrigin === undefined) return;
        if (appOrigin === undefined) res.setHeader('Access-Control-Allow-Origin', allowOrigin);
        if (credentials && appCredentials === undefined)
          res.setHeader('Access-Control-Allow-Credentials', 'true');
        if (exposedNames !== '') addNames(res, 'Access-Control-Expose-Headers', exposedNames);
      });
    },
    decorateUndecided(res) {
      beforeHead(res, () => {
        addNames(res, 'Vary', varyNames);
      });
    },
  };

  /** Warns if a browser decides otherwise by the app's headers than by those of the policy (Fetch, CORS check). */
  function judge(
    request: JudgedRequest & Pick<IncomingMessage, 'headers'>,
    allowOrigin: string | undefined,
    appOrigin: string | undefined,
    appCredentials: string | undefined,
  ): void {
    const opens = appOrigin === '*' || appOrigin === request.origin;
    if (allowOrigin === undefined) {
      if (opens) warnOfSecondPolicy(() => loadWords().describeAppAllowing(subject, request, appOrigin));
      return;
    }
    // Browsers load fonts and other subresources without credentials, unless the page asks for them: `*` is usual.
    const destination = readMember(request.headers, 'sec-fetch-dest') ?? 'empty';
    const includes = credentials && destination === 'empty';
    const refused: HeaderPair[] = [];
    if (appOrigin !== undefined && (!opens || (includes && appOrigin === '*')))
      refused.push(['Access-Control-Allow-Origin', appOrigin, allowOrigin]);
    if (includes && appCredentials !== undefined && appCredentials !== 'true')
      refused.push(['Access-Control-Allow-Credentials', appCredentials, 'true']);
    if (refused.length === 0) return;
    const reads = opens || appOrigin === undefined ? 'it with credentials' : 'it';
    warnOfSecondPolicy(() => loadWords().describeAppRefusing(subject, request, reads, refused));
  }
}

/** A header as the browser reads it: several lines joined by a comma (Fetch, get a header). */
function readValue(res: ServerResponse, name: string): string | undefined {
  const value = res.getHeader(name);
  return value === undefined ? undefined : [value].flat().join(', ').trim();
}
