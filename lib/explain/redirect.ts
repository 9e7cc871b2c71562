import { hideSecrets } from './hide-secrets';
import type { PageHeader } from './question';
import type { BrowserRefusal } from './words/reasons';

/** The request of a page, which redirects change. */
export interface Hop {
  readonly url: URL;
  readonly path: string;
  readonly method: string;
  readonly headers: readonly PageHeader[];
  readonly body: string | undefined;
  readonly pageOrigin: string;
  /** The Origin that the browser sends: `null` after another origin has redirected the request. */
  readonly origin: string;
  /** The URLs so far. */
  readonly urls: readonly URL[];
}

/** Fetch, HTTP-redirect fetch step 5. */
const maxRedirects = 20;

/** Fetch, HTTP-redirect fetch. */
export function followRedirect(hop: Hop, status: number, location: string): Hop | BrowserRefusal {
  const refuse = (step: string, reason: string): BrowserRefusal => ({
    code: 'cors-redirect-refused',
    step: `HTTP-redirect fetch step ${step}`,
    reason:
      `${hop.method} ${hideSecrets(hop.url.href)} was answered ${status} with Location: ` +
      `${hideSecrets(location)}. ${reason}`,
  });
  let url: URL;
  try {
    url = new URL(location, hop.url);
  } catch {
    return refuse('3: the location is not a URL', 'Send a Location that is a URL.');
  }
  if (!/^https?:$/.test(url.protocol)) {
    return refuse('4: the scheme is not http: or https:', 'Redirect to an http: or https: URL.');
  }
  if (hop.urls.length === maxRedirects) {
    return refuse(
      '5: too many redirects',
      `Browsers follow ${maxRedirects} redirects. Check what redirects in a circle.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('7: the location has a user name or password', 'Leave the user name and the password out.');
  }
  const isPost = hop.method === 'POST' && (status === 301 || status === 302);
  const isOther = status === 303 && hop.method !== 'GET' && hop.method !== 'HEAD';
  const toGet = isPost || isOther;
  const leavesOrigin = url.origin !== hop.url.origin;
  const isTainted = leavesOrigin && hop.pageOrigin !== hop.url.origin;
  const dropped = new Set([
    ...(toGet ? ['content-encoding', 'content-language', 'content-location', 'content-type'] : []),
    ...(leavesOrigin ? ['authorization'] : []),
  ]);
  return {
    ...hop,
    url,
    path: url.pathname + url.search,
    method: toGet ? 'GET' : hop.method,
    headers: hop.headers.filter(([name]) => !dropped.has(name.toLowerCase())),
    body: toGet ? undefined : hop.body,
    origin: isTainted ? 'null' : hop.origin,
    urls: [...hop.urls, hop.url],
  };
}
