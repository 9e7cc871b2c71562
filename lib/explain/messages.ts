import type { PageRequest } from '../cors/fetch-steps';
import { hideSecrets, type BrowserRefusal } from '../cors/messages';
import type { HttpExchange } from './transport';

/**
 * Fetch, HTTP-redirect fetch: a redirect that has passed the CORS check. The answer at the other address decides.
 */
export function explainRedirect(
  { method, origin, headers }: PageRequest,
  url: URL,
  status: number,
  location: string,
): BrowserRefusal {
  const what = `${method} ${hideSecrets(url.href)} was answered ${status} with Location: ${hideSecrets(location)}.`;
  const next = resolve(location, url);
  if (next === undefined) {
    const reason = `${what} Browsers follow only http: and https: URLs, and none with a user name or a password.`;
    return { code: 'cors-redirected', step: undefined, reason };
  }
  const isPost = method === 'POST' && (status === 301 || status === 302);
  const toGet = isPost || (status === 303 && method !== 'HEAD');
  const leaves = next.origin !== url.origin;
  const sends = [
    `the method ${toGet ? 'GET' : method}`,
    `the origin ${leaves ? 'null' : origin}`,
    ...(leaves && headers.some((name) => /^authorization$/i.test(name)) ? ['without Authorization'] : []),
  ];
  const place = leaves ? hideSecrets(next.href) : `the path ${hideSecrets(next.pathname + next.search)}`;
  const reason =
    `${what} The browser continues there, and the answer there decides: ` +
    `ask for ${place}, with ${sends.slice(0, 2).join(' and ')}${sends
      .slice(2)
      .map((each) => `, ${each}`)
      .join('')}.`;
  return { code: 'cors-redirected', step: undefined, reason };
}

/** The URL of a Location, if browsers follow it. */
function resolve(location: string, base: URL): URL | undefined {
  try {
    const url = new URL(location, base);
    return /^https?:$/.test(url.protocol) && url.username + url.password === '' ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Fetch, HTTP-network fetch: a network error, explained by the error of the connection. */
export function explainSilence(exchange: HttpExchange): BrowserRefusal {
  const { request, isLate, error } = exchange;
  const what = `${request.method} ${hideSecrets(request.url.href)}`;
  if (isLate) {
    const reason =
      `${what} was not answered in time. Check what handles it, or raise the option timeout ` +
      'if it may take longer.';
    return { code: 'cors-timed-out', step: undefined, reason };
  }
  const code: unknown = Reflect.get(Object(error) as object, 'code');
  const name = typeof code === 'string' ? code : '';
  const seen = name === '' ? '' : ` (${name})`;
  const reason = `${what} got no answer${seen}. ${explainError(name, exchange)}`;
  return { code: 'cors-no-response', step: 'HTTP-network fetch: a network error', reason, error };
}

function explainError(code: string, { request: { url }, speaksTls, error }: HttpExchange): string {
  const { protocol, host, hostname } = url;
  if (speaksTls) return `The server at ${host} speaks TLS: write 'https://${host}'.`;
  if (/^(?:EPROTO$|ERR_SSL_)/.test(code)) {
    // The words of OpenSSL for bytes that are not TLS.
    return /wrong.version.number|packet.length.too.long/i.test(String(error))
      ? `The server at ${host} does not speak TLS: write 'http://${host}'.`
      : 'The TLS handshake has failed. Check the versions of TLS and the certificates of both sides.';
  }
  if (/CERT|^UNABLE_TO_/.test(code)) return explainCertificate(code, hostname);
  if (code.startsWith('HPE_')) return `The server at ${host} does not answer in HTTP. Check the port.`;
  switch (code) {
    case 'ECONNREFUSED':
      return `Nothing listens at ${host}. Start the server, or correct the port.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The name ${hostname} has no address. Correct it, or check the DNS.`;
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${host} cannot be reached. Check the address, the network and its firewalls.`;
    case 'ECONNRESET':
      return protocol === 'http:'
        ? `The connection was closed. See the log of the server; if it speaks TLS, write 'https://${host}'.`
        : 'The connection was closed. See the log of the server.';
    default:
      return 'See the log of the server.';
  }
}

function explainCertificate(code: string, hostname: string): string {
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate is not for ${hostname}: use a name that it has, or issue one for this name.`;
    case 'CERT_HAS_EXPIRED':
      return 'The certificate has expired: renew it.';
    case 'CERT_NOT_YET_VALID':
      return 'The certificate is not valid yet: check the clocks.';
    default:
      return (
        'Node does not trust the certificate. If it is your own, start Node with ' +
        'NODE_EXTRA_CA_CERTS=ca.pem, the certificate that signed it; browsers must trust it, too.'
      );
  }
}
