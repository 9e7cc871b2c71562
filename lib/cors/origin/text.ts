import { isIP } from 'node:net';
import type { Fault } from '../../config/mistake';
import { hasMember } from '../../config/prototype-pollution';

/** A valid origin, or a valid pattern of origins. */
export interface OriginText {
  /** The origin itself; for a pattern, a RegExp that matches whole origins. */
  readonly matches: string | RegExp;
  /** The host name without the star. */
  readonly hostname: string;
  /** Whether a star stands for labels before the host name. */
  readonly subdomains: boolean;
}

/** What is wrong with a string that no browser sends as an origin. */
export interface OriginFault extends Fault {
  /** What browsers send instead, if that is clear. */
  readonly corrected?: string;
}

/**
 * Reads a string of the option `origin`: an origin exactly as browsers serialise it (HTML, serialization of
 * an origin), because it is compared byte for byte; or one with a star for labels at the start of the host
 * name, or for the port.
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
      reason: 'has a star in the wrong place',
      fix:
        "Write it for labels at the start of the host name, 'https://*.example.com', " +
        "or for the port, 'http://localhost:*'.",
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
    const reason = 'has a star before an IP address, which has no subdomains';
    return correctable('cors-origin-wildcard', reason, origin + port);
  }
  if (origin !== base || trimmed !== text) {
    const reason = trimmed === text ? whyOther(base) : 'has white space around it';
    return correctable(
      'cors-origin-form',
      reason,
      (subdomains ? origin.replace('://', '://*.') : origin) + port,
    );
  }
  return {
    matches: subdomains || anyPort ? toPattern(origin, subdomains, anyPort) : origin,
    hostname,
    subdomains,
  };
}

/** Why no page can have this origin, although it is well-formed. */
function whyUnreachable(origin: string, hostname: string): string | undefined {
  if (/:0$/.test(origin)) return 'has the port 0, which no page can have';
  const labels = hostname.replace(/\.$/, '').split('.');
  // RFC 1035 2.3.4. An IPv6 address has no dots, and at most 39 characters.
  if (labels.includes('')) return 'has an empty label in its host name';
  if (hostname.replace(/\.$/, '').length > 253) return 'has a host name of more than 253 characters';
  return labels.some((label) => label.length > 63) ? 'has a label of more than 63 characters' : undefined;
}

/**
 * Secure Contexts 3.1: the connection does not leave the machine. Browsers treat `localhost.` in the same
 * way.
 */
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
      reason: 'contains several origins in one string',
      fix: `Write a list: [${list.join(', ')}].`,
    };
  }
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(text) ?? [];
  if (scheme === undefined) return serialiseWeb(withScheme(text));
  if (scheme.toLowerCase() === 'file') {
    return {
      code: 'cors-origin-form',
      reason: "has a scheme whose pages send the origin 'null'",
      fix: "Write 'null' if you mean those pages.",
    };
  }
  return /^https?$/i.test(scheme) ? serialiseWeb(text) : serialiseOther(scheme, rest);
}

function withScheme(text: string): string {
  if (/^https?:/i.test(text)) return text;
  return (isLoopback(text.replace(/:[0-9]+$/, '').toLowerCase()) ? 'http://' : 'https://') + text;
}

/**
 * Not `URL.canParse`: in Node 20, once optimised, it returns false for hosts in Latin-1 that `URL` accepts.
 */
function serialiseWeb(text: string): SerialisedOrigin | Fault {
  try {
    return new URL(text);
  } catch {
    return {
      code: 'cors-origin-form',
      reason: 'is not a URL with a host name',
      fix: "Write an origin such as 'https://example.com'.",
    };
  }
}

/**
 * Browser extensions and native apps have schemes of their own. `URL` serialises their origins as null;
 * browsers do not.
 */
function serialiseOther(scheme: string, rest: string): SerialisedOrigin | Fault {
  const authority = rest.replace(/[/?#].*/, '');
  if (!/^[!-~]+$/.test(authority)) {
    return {
      code: 'cors-origin-form',
      reason: 'must be a scheme and a host name in ASCII',
      fix: 'Write the origin as the browser sends it.',
    };
  }
  const hostname = authority.toLowerCase();
  return { origin: `${scheme.toLowerCase()}://${hostname}`, hostname };
}

/** The first difference to what browsers send; the fix corrects all of them. */
function whyOther(text: string): string {
  if (!text.includes('://')) return 'has no scheme such as https://';
  const [start = ''] = /^[^/]*\/\/[^/?#]*/.exec(text) ?? [];
  if (/\P{ASCII}/u.test(start)) return 'is not in ASCII: browsers send the host name in Punycode';
  if (/[A-Z]/.test(start)) return 'has upper-case letters: browsers send lower case';
  if (text === `${start}/`) return 'ends with a slash: origins do not';
  if (text !== start) return 'has a path: origins have none';
  if (start.includes('@')) return 'has a user name: origins have none';
  if (/:(?:80|443)$/.test(start)) return 'has the default port: browsers leave it out';
  return 'is not the form in which browsers send this origin';
}

function correctable(code: Fault['code'], reason: string, corrected: string): OriginFault {
  return { code, reason, fix: `Write '${corrected}'.`, corrected };
}

/**
 * ASCII without the forbidden domain code points (URL), and without the comma, which `check-origin.ts`
 * refuses.
 */
const labelCharacters = 'a-z0-9!"$&\'()*+;=_`{}~-';

/** A star matches whole labels, so that `https://*.example.com` does not match `https://evilexample.com`. */
function toPattern(origin: string, subdomains: boolean, anyPort: boolean): RegExp {
  const literal = origin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const host = subdomains ? literal.replace('://', () => `://(?:[${labelCharacters}]+\\.)+`) : literal;
  return new RegExp(`^${host}${anyPort ? '(?::[0-9]{1,5})?' : ''}$`);
}
