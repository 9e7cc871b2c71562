import type { HttpExchange } from './transport';
import type { BrowserRefusal } from './words/reasons';
import { hideSecrets } from './words';

/** Fetch, HTTP-network fetch: a network error, by what the connection showed. */
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
  if (speaksTls) return `What listens at ${host} speaks TLS: write 'https://${host}'.`;
  if (/^(?:EPROTO$|ERR_SSL_)/.test(code)) {
    // What OpenSSL calls bytes that are not TLS.
    return /wrong.version.number|packet.length.too.long/i.test(String(error))
      ? `What listens at ${host} does not speak TLS: write 'http://${host}'.`
      : 'The TLS handshake has failed. Check the versions of TLS and the certificates of both sides.';
  }
  if (/CERT|^UNABLE_TO_/.test(code)) return explainCertificate(code, hostname);
  if (code.startsWith('HPE_')) return `What listens at ${host} does not answer in HTTP. Check the port.`;
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
      return `The certificate is not for ${hostname}: ask for a name that it has, or issue it for this one.`;
    case 'CERT_HAS_EXPIRED':
      return 'The certificate has expired: renew it.';
    case 'CERT_NOT_YET_VALID':
      return 'The certificate is not valid yet: check the clocks.';
    default:
      return (
        'Node does not trust the certificate. If it is your own, start Node with ' +
        'NODE_EXTRA_CA_CERTS=ca.pem, the file of what has signed it; browsers must trust that, too.'
      );
  }
}
