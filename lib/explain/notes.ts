import type { BrowserRequests } from './browser-requests';
import type { Failure } from '../cors/fetch-steps';
import type { Dispatch } from './dispatch';

/** Chromium 156: client hints, and headers that it always sets itself. */
const unaskedByChromium =
  /^(?:user-agent|save-data|device-memory|dpr|width|viewport-width|rtt|downlink|ect)$/i;

/** Which request the result follows from, and what that request reaches. */
export interface AnsweredRequest {
  readonly dispatch: Dispatch;
  readonly decides: 'preflight' | 'response';
  /** The function that made the instance, or another of the app; undefined if the app has none. */
  readonly subject: string | undefined;
  /** Whether the instance finds its routes only if an app calls the router that was explained. */
  readonly needsRoot: boolean;
}

/** Remarks beside the result. */
export function notesOn(
  { page: { headers = [] }, leftOut }: BrowserRequests,
  failure: Failure | undefined,
  answered: AnsweredRequest | undefined,
): readonly string[] {
  const notes: string[] = [];
  const { subject = 'corsPreflight()' } = answered ?? {};
  const { instance, underPath, before = [], npmCors } = answered?.dispatch ?? {};
  if (before.length > 0) {
    notes.push(
      failure === undefined
        ? `Mounted before ${subject}: ${before.join(', ')}. ` +
            'If one of them answers, as authentication does without credentials, ' +
            'the page cannot read the answer, and the browser refuses a preflight. ' +
            `Mount ${subject} first.`
        : `Functions that get the request first: ${before.join(', ')}. ` +
            `Whether one answers it, sets CORS headers or calls ${subject} is not known.`,
    );
  }
  if (npmCors === true) {
    notes.push(
      'The request reaches npm cors, whose options are not known. ' +
        (answered?.subject === undefined
          ? 'Only a request to your server shows what it allows.'
          : `The CORS headers that it sets are kept, also for origins that ${subject} refuses. ` +
            'Remove npm cors.'),
    );
  } else if (failure !== undefined && answered?.decides === 'response') {
    notes.push('CORS headers that your app sets itself are kept, and can let the page read the response.');
  }
  if (answered?.needsRoot === true) {
    notes.push(
      'If no Express app calls the router, the preflight goes on to its functions and routes. ' +
        'To have it answered first, pass the router as root: ' +
        `${subject.replace('()', '({ root: router })')}.`,
    );
  }
  if (underPath === true) {
    notes.push(
      'This policy applies only under its mount path. ' +
        'Handlers that decode paths themselves, such as express.static or a proxy, also answer ' +
        'spellings like /%61dmin and //admin, which the mount path does not match.',
    );
  }
  if (leftOut.length > 0) {
    notes.push(`Browsers ignore these headers if a script sets them: ${leftOut.join(', ')}.`);
  }
  const unasked = headers.filter((name) => unaskedByChromium.test(name));
  if (unasked.length > 0) {
    notes.push(
      `Unlike the Fetch standard, Chromium does not ask for ${unasked.join(', ')}: ` +
        'it sends its own User-Agent, and always allows client hints.',
    );
  }
  const { allowedHeaders = 'requested' } = instance?.policy ?? {};
  const allowed = allowedHeaders === 'requested' ? [] : allowedHeaders.all;
  const named = headers.find((name) => /^authorization$/i.test(name));
  if (failure?.code === 'cors-header-not-allowed' && named !== undefined && allowed.includes('*')) {
    notes.push("Unlike the Fetch standard, Chromium lets '*' cover Authorization.");
  }
  return notes;
}
