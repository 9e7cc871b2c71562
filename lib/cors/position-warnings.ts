import type { IncomingMessage } from 'node:http';
import { shownText, tellOnce } from '../config/app-callbacks';
import { readMember } from '../config/prototype-pollution';
import { isNpmCors } from '../express/handler-metadata';
import type { Middleware } from '../http/middleware';
import { toPath } from '../http/target-path';
import type { TargetFindings } from '../routes/target-methods';
import { sayBehindRoutes } from './fetch-steps';
import type { CorsPolicy } from './policy/policy';
import type { TellTwice } from './response-headers';

/**
 * Warns once if a preflight succeeds, but the policy of the actual response is another: because the
 * middleware is mounted after the route, so that the response has no CORS headers, or because npm cors is
 * mounted, too, whose headers are kept like all that the app sets.
 *
 * @returns a function that tells whether the middleware is mounted after the route
 */
export function createPositionWarnings(
  { subject }: CorsPolicy,
  tellTwice: TellTwice,
): (req: IncomingMessage, target: TargetFindings, middleware: Middleware) => boolean {
  const tellLate = tellOnce('PATCH_OPTIONS_CORS_BEHIND_ROUTES', mountedLate);
  return ({ headers }, { url, routes: { positions } }, middleware) => {
    const method = readMember(headers, 'access-control-request-method');
    if (method === undefined) return false;
    // If it is mounted several times, the first position is the one whose policy applies.
    const here = positions.find((position) => position.middleware === middleware);
    const isLate = here?.followsAllRoutes(method) === true;
    if (isLate) tellLate(subject, method, url);
    if (positions.some((position) => isNpmCors(position.middleware))) {
      tellTwice(() => mountedTwice(subject, method, url));
    }
    return isLate;
  };
}

function mountedLate(subject: string, method: string, url: string): string {
  return sayBehindRoutes(subject, `${method} ${shownText(toPath(url))}`);
}

function mountedTwice(subject: string, method: string, url: string): string {
  return (
    `npm cors is mounted beside ${subject}: the preflight for ${method} ${shownText(toPath(url))} was ` +
    `answered by the policy of ${subject}, but npm cors sets the CORS headers of the response, ` +
    `also for origins that ${subject} refuses. Remove npm cors, and cors: true of Nest.`
  );
}
