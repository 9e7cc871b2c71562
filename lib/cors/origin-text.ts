import type { Issue } from '../config/mistake';
import { hasMember } from '../config/prototype-pollution';
import { isShowable } from '../config/inspect';

/** A valid origin, or a valid pattern of origins. */
export interface OriginText {
  /** The origin itself; for a pattern, a RegExp that matches whole origins. */
  readonly matches: string | RegExp;
  /** The host name, with the star if it begins with one. */
  readonly hostname: string;
}

/** The mistake in a string that no browser sends as an origin. */
interface OriginIssue extends Issue {
  /** The origins that browsers send instead, if that is clear. */
  readonly corrected?: readonly string[];
}

/**
 * Reads a string of the option `origin`: an origin exactly as browsers serialise it (HTML, serialization of
 * an origin), because it is compared byte for byte; or one with a star for labels at the start of the host
 * name, or for the port.
 */
export function readOriginText(text: string): OriginText | OriginIssue {
  if (text === 'null') return { matches: text, hostname: '' };
  const unset = /(?:^|\/\/|:)(undefined|NaN)$/.exec(text)?.[1];
  if (unset !== undefined) {
    const reason = `ends with "${unset}", as if a template used a variable that is not set`;
    const fix = 'Set that variable before the options are read, or write the origin out.';
    return { code: 'cors-origin-form', reason, fix };
  }
  const trimmed = text.trim();
  const withoutPort = trimmed.replace(/:\*(?=$|[/?#])/, '');
  const anyPort = withoutPort !== trimmed;
  const serialised = text.includes(',') ? undefined : serialise(withoutPort);
  if (serialised === undefined) return explainInvalid(text);
  const { origin, hostname } = serialised;
  // `URL` takes stars, and dots without a label between them (RFC 1035 2.3.1).
  const labels = hostname.replace(/^\*\./, '');
  if (labels.includes('*')) return explainInvalid(text);
  if (/^https?:/.test(origin) && /^\.|\.\./.test(labels)) {
    return { code: 'cors-origin-form', reason: 'has an empty label in its host name', fix: example };
  }
  if (origin !== withoutPort || trimmed !== text) {
    const setting = readSetting(trimmed);
    if (setting !== undefined) return setting;
    const reason = trimmed === text ? explainOther(withoutPort) : 'has white space around it';
    const corrected = anyPort ? `${origin}:*` : origin;
    const isClear = isWritable(corrected);
    const written = isClear ? `Write '${corrected}'.` : example;
    const fix = origin === 'file://' ? fileFix : written;
    return { code: 'cors-origin-form', reason, fix, ...(isClear ? { corrected: [corrected] } : {}) };
  }
  const isPattern = anyPort || labels !== hostname;
  return { matches: isPattern ? toPattern(origin, anyPort) : origin, hostname };
}

/**
 * Secure Contexts 3.1: the connection does not leave the machine. Browsers treat `localhost.` in the same
 * way.
 */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.[0-9]+){3}|\[::1\])$/.test(hostname);
}

/**
 * The origin as a browser writes it. For the schemes of apps and extensions, `URL` has no origin: browsers
 * send the scheme and the host, even if the host is empty.
 *
 * Not `URL.canParse`: in Node 20, once optimised, it returns false for hosts in Latin-1 that `URL` accepts.
 */
function serialise(text: string): Pick<URL, 'origin' | 'hostname'> | undefined {
  try {
    const { origin, protocol, host, hostname } = new URL(withScheme(text));
    return { origin: origin === 'null' ? `${protocol}//${host}` : origin, hostname };
  } catch {
    return undefined;
  }
}

function withScheme(text: string): string {
  if (/^(?:https?:|[a-z][a-z\d+.-]*:\/\/)/i.test(text)) return text;
  return (isLoopback(text.replace(/:[0-9]+$/, '').toLowerCase()) ? 'http://' : 'https://') + text;
}

const example = "Write an origin such as 'https://example.com'.";
const fileFix = "Write 'null', which browsers send for files, or 'file://', which web views of apps send.";

/** The mistake in a setting, such as a variable of the environment, that contains a list, quotes or nothing. */
function readSetting(text: string): OriginIssue | undefined {
  const isJson = /^\[\s*["'\]]/.test(text);
  const parts = (isJson ? text.replace(/^\[|\]$/g, '') : text)
    .split(/[,;|\s]+/)
    .map((part) => part.replace(/^[\\"'`“”‘’]+|[\\"'`“”‘’]+$/g, ''))
    .filter((part) => part !== '');
  const [part, ...others] = parts;
  if (part === undefined) {
    const fix = 'Set the variable that it comes from, or leave it out.';
    return { code: 'cors-origin-form', reason: 'contains no origin', fix };
  }
  if (part === text) return undefined;
  const corrected = parts.flatMap(correct).filter(isWritable);
  const isClear = corrected.length === parts.length;
  const mended = isClear ? { corrected } : {};
  const list = `[${(isClear ? corrected : ['https://a.example', 'https://b.example']).map((origin) => `'${origin}'`).join(', ')}]`;
  if (isJson) {
    const fix = isClear
      ? `Pass the list that JSON.parse() returns: ${list}.`
      : 'Pass the result of JSON.parse().';
    return { code: 'cors-origin-list', reason: 'is JSON in a string', fix, ...mended };
  }
  const areOrigins = text.includes(',') || parts.every((each) => /:\/\/|\./.test(each));
  if (others.length > 0) {
    const reason = 'contains several origins in one string';
    const fix = `Write a list${isClear ? ':' : ', such as'} ${list}.`;
    return areOrigins ? { code: 'cors-origin-list', reason, fix, ...mended } : undefined;
  }
  const isQuoted = /^[\\"'`“‘]/.test(text);
  const reason = isQuoted ? 'has quotes in the string' : 'has a comma or the like beside the origin';
  const fix = isQuoted ? 'Remove the quotes.' : example;
  return { code: 'cors-origin-form', reason, fix: isClear ? `Write '${corrected.join()}'.` : fix, ...mended };
}

/**
 * Whether a fix can show an origin: without secrets, and without characters that `URL` accepts in a host but
 * no host has.
 */
function isWritable(origin: string): boolean {
  return isShowable(origin) && !/["'`;|{}]/.test(origin);
}

/**
 * The text itself, if it is an origin or a pattern, or else the origins that browsers send instead; none if
 * that is not clear.
 */
function correct(text: string): readonly string[] {
  const read = readOriginText(text);
  if (!hasMember(read, 'fix')) return [text];
  return (hasMember(read, 'corrected') && read.corrected) || [];
}

/** Why a text cannot be read as an origin. */
function explainInvalid(text: string): OriginIssue {
  const setting = readSetting(text.trim());
  if (setting !== undefined) return setting;
  if (!text.includes('*')) return { code: 'cors-origin-form', reason: 'is not a URL', fix: example };
  if (/^(?!https?:)[a-z][a-z\d+.-]*:\/\/\*$/.test(text)) {
    return {
      code: 'cors-origin-wildcard',
      reason: 'has a star for the whole host, which would allow the pages of every app or extension',
      fix:
        'Write the host, such as the id of an extension. In Firefox, an extension has another id in each browser: ' +
        "write a function, such as (origin) => origin.startsWith('moz-extension://').",
    };
  }
  return {
    code: 'cors-origin-wildcard',
    reason: 'has a star in the wrong place',
    fix:
      "Write it for labels at the start of the host name, 'https://*.example.com', " +
      "or for the port, 'http://localhost:*'.",
  };
}

/** The first difference from the origin that browsers send; the fix corrects all of them. */
function explainOther(text: string): string {
  if (!text.includes('://')) return 'has no scheme such as https://';
  const [start = ''] = /^[^/]*\/\/[^/?#]*/.exec(text) ?? [];
  if (text === `${start}/`) return 'ends with a slash: origins do not';
  if (text !== start) return 'has a path: origins have none';
  if (/\P{ASCII}/u.test(start)) return 'is not in ASCII';
  if (/[A-Z]/.test(start)) return 'has upper-case letters: browsers send lower case';
  if (start.includes('@')) return 'has a user name: origins have none';
  if (/:(?:80|443)$/.test(start)) return 'has the default port: browsers leave it out';
  return 'is not the form in which browsers send this origin';
}

/**
 * ASCII without the forbidden domain code points (URL), and without the comma, which `checkOrigin`
 * refuses.
 */
const labelCharacters = 'a-z0-9!"$&\'()*+;=_`{}~-';

/** A star matches whole labels, so that `https://*.example.com` does not match `https://evilexample.com`. */
function toPattern(origin: string, anyPort: boolean): RegExp {
  const literal = origin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const host = literal.replace('://\\*\\.', () => `://(?:[${labelCharacters}]+\\.)+`);
  return new RegExp(`^${host}${anyPort ? '(?::[0-9]{1,5})?' : ''}$`);
}
