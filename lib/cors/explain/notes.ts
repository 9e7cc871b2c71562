import type { BrowserRequests } from './asked-request';
import type { Failure } from './explanation';
import type { CorsInstance } from './instances';
import type { Way } from './way';

/** Chromium 156: client hints, and what it always writes itself. */
const unaskedByChromium =
  /^(?:user-agent|save-data|device-memory|dpr|width|viewport-width|rtt|downlink|ect)$/i;

/** What is worth knowing besides the step that fails, or that none does. */
export function notesOn(
  own: CorsInstance,
  { asked: { headers = [] }, leftOut }: BrowserRequests,
  failure: Failure | undefined,
  way: Way | undefined,
): readonly string[] {
  const notes: string[] = [];
  const { instance, underPath } = way ?? {};
  if (instance !== undefined && instance !== own) {
    notes.push('Another corsPreflight() claims this path, and it is that one whose verdict this is.');
  }
  if (underPath === true) {
    notes.push(
      'This policy holds under a mount path. What decodes paths itself, such as express.static or a proxy, also answers spellings like /%61dmin and //admin, which the mount does not cover.',
    );
  }
  if (leftOut.length > 0) {
    notes.push(`Browsers let no script set ${leftOut.join(', ')}, and send the request without it.`);
  }
  const unasked = headers.filter((name) => unaskedByChromium.test(name));
  if (unasked.length > 0) {
    notes.push(
      `Chromium, against Fetch, does not ask for ${unasked.join(', ')}: it sends its own User-Agent, and lets client hints pass.`,
    );
  }
  const allowed = instance?.policy.allowedHeaders ?? [];
  const named = headers.find((name) => /^authorization$/i.test(name));
  if (failure?.code === 'cors-header-not-allowed' && named !== undefined && allowed.includes('*')) {
    notes.push("Chromium, against Fetch, lets '*' cover Authorization.");
  }
  return notes;
}
