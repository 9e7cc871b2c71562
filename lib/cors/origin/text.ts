import { isIP } from 'node:net';
import type { Fault } from '../../configuration';
import { hasMember } from '../../prototype-pollution';

/** An origin or a pattern of origins that a host wrote, and that browsers can match. */
export interface OriginText {
  /** The one origin that it stands for, or the origins, as a RegExp over the whole origin. */
  readonly matches: string | RegExp;
  /** Without the star. */
  readonly hostname: string;
  /** A star stands for labels in front of the host name. */
  readonly subdomains: boolean;
}

/** A text that no browser sends. */
export interface OriginFault extends Fault {
  /** What they send in its place, where that can be told. */
  readonly mended?: string;
}

/**
 * Reads what stands in the `origin` option: an origin exactly as browsers serialise it (HTML, serialization of an
 * origin), because it is compared byte for byte, or one with a star for the labels at the start of the host or for
 * the port.
 */
export function readOriginText(text: string): OriginText | OriginFault {
  if (text === 'null') return { matches: text, hostname: '', subdomains: false };
  const trimmed = text.trim();
  const ofDomain = trimmed.replace('://*.', '://');
  const subdomains = ofDomain !== trimmed;
  const base = ofDomain.replace(/:\*(?=$|[/?#])/, '');
  const anyPort = base !== ofDomain;
  if (base.includes('*')) {
    return {
      code: 'cors-origin-wildcard',
      reason: 'has a star where none can stand',
      fix: "A star stands for labels at the start of the host, 'https://*.example.com', or for the port, 'http://localhost:*'.",
    };
  }

  const serialised = serialise(base);
  if (hasMember(serialised, 'fix')) return serialised;
  const { origin, hostname } = serialised;
  const unreachable = whyUnreachable(origin, hostname);
  if (unreachable !== undefined) {
    const fix = 'Write the origin of the page, as browsers send it.';
    return { code: 'cors-origin-form', reason: unreachable, fix };
  }
  const port = anyPort ? ':*' : '';
  if (subdomains && isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) {
    return mendable('cors-origin-wildcard', 'asks for sub-domains of an IP address', origin + port);
  }
  if (origin !== base || trimmed !== text) {
    const reason = trimmed === text ? whyOther(base) : 'has white space around it';
    return mendable(
      'cors-origin-form',
      reason,
      (subdomains ? origin.replace('://', '://*.') : origin) + port,
    );
  }
  return {
    matches: subdomains || anyPort ? patternOf(origin, subdomains, anyPort) : origin,
    hostname,
    subdomains,
  };
}

/** Why no page can come from an origin that is well-formed. */
function whyUnreachable(origin: string, hostname: string): string | undefined {
  if (/:0$/.test(origin)) return 'has the port 0, from which no page comes';
  const labels = hostname.replace(/\.$/, '').split('.');
  // RFC 1035 2.3.4. An IPv6 address has no dots, and 39 characters at most.
  if (labels.includes('')) return 'has an empty label in its host name';
  if (hostname.replace(/\.$/, '').length > 253) return 'has a host name of more than 253 characters';
  return labels.some((label) => label.length > 63) ? 'has a label of more than 63 characters' : undefined;
}

/** As Secure Contexts 3.1 has it: the connection never leaves the machine. Browsers take `localhost.` for the same. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.[0-9]+){3}|\[::1\])$/.test(hostname);
}

/** An origin as a browser writes it. */
type SerialisedOrigin = Pick<URL, 'origin' | 'hostname'>;

function serialise(text: string): SerialisedOrigin | Fault {
  if (text.includes(',')) {
    const parts = text.split(',').map((part) => part.trim());
    const list = parts.filter((part) => part !== '').map((part) => `'${part}'`);
    return {
      code: 'cors-origin-list',
      reason: 'is several origins in one string',
      fix: `Write a list: [${list.join(', ')}].`,
    };
  }
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(text) ?? [];
  if (scheme === undefined) return serialiseWeb(withScheme(text));
  if (scheme.toLowerCase() === 'file') {
    return {
      code: 'cors-origin-form',
      reason: 'is of a scheme whose pages send the origin null',
      fix: "Write 'null', if you mean them.",
    };
  }
  return /^https?$/i.test(scheme) ? serialiseWeb(text) : serialiseOther(scheme, rest);
}

function withScheme(text: string): string {
  if (/^https?:/i.test(text)) return text;
  return (isLoopback(text.replace(/:[0-9]+$/, '').toLowerCase()) ? 'http://' : 'https://') + text;
}

/** Not by `URL.canParse`: once optimised, that of Node 20 says no to hosts in Latin-1 that `URL` takes. */
function serialiseWeb(text: string): SerialisedOrigin | Fault {
  try {
    return new URL(text);
  } catch {
    return {
      code: 'cors-origin-form',
      reason: 'is no URL with a host',
      fix: "Write an origin like 'https://example.com'.",
    };
  }
}

/** Browser extensions and apps have schemes of their own, whose origins `URL` serialises as null; browsers do not. */
function serialiseOther(scheme: string, rest: string): SerialisedOrigin | Fault {
  const authority = rest.replace(/[/?#].*/, '');
  if (!/^[!-~]+$/.test(authority)) {
    return {
      code: 'cors-origin-form',
      reason: 'is no scheme and host in ASCII',
      fix: 'Write the origin as the browser sends it.',
    };
  }
  const hostname = authority.toLowerCase();
  return { origin: `${scheme.toLowerCase()}://${hostname}`, hostname };
}

/** The first of the differences to what browsers write; what to write mends them all. */
function whyOther(text: string): string {
  if (!text.includes('://')) return 'has no :// after a scheme';
  const [start = ''] = /^[^/]*\/\/[^/?#]*/.exec(text) ?? [];
  if (/\P{ASCII}/u.test(start)) return 'is not ASCII, and browsers send the host in punycode';
  if (/[A-Z]/.test(start)) return 'has upper-case letters, and browsers send none';
  if (text === `${start}/`) return 'ends in a slash, and origins do not';
  if (text !== start) return 'has a path, and origins have none';
  if (start.includes('@')) return 'has a user name, and origins have none';
  if (/:(?:80|443)$/.test(start)) return 'names the default port, and browsers leave it out';
  return 'is not how browsers write this origin';
}

function mendable(code: Fault['code'], reason: string, mended: string): OriginFault {
  return { code, reason, fix: `Write '${mended}'.`, mended };
}

/** What forbidden domain code points (URL) leave of ASCII in a label, less the comma: `check-origin.ts` refuses it. */
const labelCharacters = 'a-z0-9!"$&\'()*+;=_`{}~-';

/** Whole labels, so that `https://*.example.com` has no `https://evilexample.com`; any port, or the default one. */
function patternOf(origin: string, subdomains: boolean, anyPort: boolean): RegExp {
  const literal = origin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const host = subdomains ? literal.replace('://', () => `://(?:[${labelCharacters}]+\\.)+`) : literal;
  return new RegExp(`^${host}${anyPort ? '(?::[0-9]{1,5})?' : ''}$`);
}
