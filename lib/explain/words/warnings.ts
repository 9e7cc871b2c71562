import { shownText } from '../../config/shown-text';
import { toPath } from '../../http/target-path';
import type { WrittenHeaders } from './cors-report';
import { sayMountedLate, showAllowedHeaders } from './reasons';

/** The process warnings about CORS. `subject` is what the app called, such as `patchOptions()`. */

export function describeLateMount(subject: string, method: string, url: string): string {
  return sayMountedLate(subject, `${method} ${shownText(toPath(url))}`);
}

export function describeNpmCors(subject: string, method: string, url: string): string {
  return (
    `npm cors is mounted beside ${subject}: the preflight for ${method} ${shownText(toPath(url))} was ` +
    `answered by the policy of ${subject}, but npm cors sets the CORS headers of the response, ` +
    `also for origins that ${subject} refuses. Remove npm cors, and cors: true of Nest.`
  );
}

/** @param first - the function that made the instance in front */
export function describeShadowing(subject: string, first: string, request: string): string {
  return (
    `The policy of ${subject} does not apply to ${request}, nor to any other request there: each has passed ` +
    `an instance of ${first} before, which has another policy. ` +
    'Make one policy of them, or mount the one that is for fewer paths first.'
  );
}

export interface JudgedRequest {
  readonly method: string;
  readonly url: string;
  readonly origin: string;
}

/** @param allowOrigin - the Access-Control-Allow-Origin that the app has set */
export function describeAppAllowing(
  subject: string,
  { method, url, origin }: JudgedRequest,
  allowOrigin: string,
): string {
  return (
    `Your app set Access-Control-Allow-Origin: ${shownText(allowOrigin)} on its response to ${method} ` +
    `${shownText(toPath(url))}, so pages of ${shownText(origin)} can read it, ` +
    `but the policy of ${subject} refuses that origin. ` +
    'Remove the CORS headers of your app, such as those of npm cors, or change the option origin.'
  );
}

/** A header that the app has set, and what the policy would have set. */
export type HeaderPair = readonly [name: string, appValue: string, policyValue: string];

/** @param reads - what pages cannot read: `it`, or `it with credentials` */
export function describeAppRefusing(
  subject: string,
  { method, url, origin }: JudgedRequest,
  reads: string,
  pairs: readonly HeaderPair[],
): string {
  const showHeaders = (values: readonly (readonly [name: string, value: string])[]): string =>
    values.map(([name, value]) => `${name}: ${shownText(value)}`).join(' and ');
  const appHeaders = showHeaders(pairs.map(([name, appValue]) => [name, appValue]));
  const policyHeaders = showHeaders(pairs.map(([name, , policyValue]) => [name, policyValue]));
  return (
    `Your app set ${appHeaders} on its response to ${method} ${shownText(toPath(url))}, ` +
    `so pages of ${shownText(origin)} cannot read ${reads}, ` +
    `but the policy of ${subject} allows that, with ${policyHeaders}. Remove the CORS headers of your app, ` +
    'such as those of npm cors, or of a server whose answers it passes on.'
  );
}

/** @param what - what a function in the option `origin` did */
export function describeOriginFault(subject: string, what: string): string {
  // The callback of npm cors would otherwise refuse every origin without a word.
  return (
    `A function in the option origin of ${subject} ${what}, so the origin is refused. ` +
    'Write (origin, req) => boolean, or return a promise of a boolean; no callback is passed.'
  );
}

export function describeUnlistedHeader(
  subject: string,
  name: string,
  request: JudgedRequest,
  policy: { readonly allowedHeaders: WrittenHeaders; readonly credentials: boolean },
): string {
  const { method, url, origin } = request;
  return (
    `A page of ${shownText(origin)} sends ${name} with ${method} ${shownText(toPath(url))}, which ` +
    `${subject} does not allow, so the browser refuses the request. If pages may send it, write ` +
    `${showAllowedHeaders(policy.allowedHeaders, [name], policy.credentials)}.`
  );
}
