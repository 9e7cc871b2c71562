import type { CorsReport } from './cors-report';
import { readRedirect, readValue, type AnswerHead, type PageRequest } from './fetch-steps';
import { hideSecrets } from './hide-secrets';
import { findRefusal } from './reasons';

/** A request whose answer is logged, as it was when it came in. */
export interface LoggedRequest {
  readonly page: PageRequest;
  /** The request target that the client sent. */
  readonly url: string;
  readonly report: CorsReport;
}

/** What DEBUG says of an answer. */
export function toDebugLine({ page, url, report }: LoggedRequest, answer: AnswerHead): string {
  const { preflight } = report;
  const refusal = findRefusal(page, { preflight, answer, report, inProcess: true });
  const what = `${preflight ? 'preflight for ' : ''}${page.method} ${url} from ${page.origin.slice(0, 100)}`;
  if (refusal !== undefined) return `${what}: ${refusal.step ?? ''}. ${refusal.reason}`;
  const location = preflight ? undefined : readRedirect(answer);
  if (location !== undefined) {
    return `${what}: The browser follows the redirect to ${hideSecrets(location)}, and the answer there decides.`;
  }
  const allows = readValue(answer, 'access-control-allow-credentials') === 'true';
  return `${what}: ${sayAllowed(page, preflight, allows)}`;
}

function sayAllowed(
  { method, credentials }: PageRequest,
  preflight: boolean,
  allowsCredentials: boolean,
): string {
  const isOpen = credentials === undefined && !allowsCredentials;
  return preflight
    ? `The browser lets the page send ${method}${isOpen ? ' without credentials' : ''}.`
    : `The browser lets the page read the response to ${method}` +
        `${isOpen ? ', if it was sent without credentials' : ''}.`;
}
