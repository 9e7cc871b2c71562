import type { IncomingMessage } from 'node:http';
import type { Issue } from '../config/mistake';
import { isThenable } from '../config/object';
import type { OptionsCheck } from '../config/options-check';
import { warnOnce } from '../config/process-warning';
import { hasMember } from '../config/prototype-pollution';
import { inspectValue, nameThrown } from '../config/inspect';
import { header, type RequestFields } from '../http/header';
import type { CorsOptions, CorsRefusalCode, OriginPredicate } from './options';
import { isLoopback, readOriginText, type OriginText } from './origin-text';
import { isSharedBySubdomains } from './public-suffix';

// Both types have all properties that are read from either, so that nothing is read from Object.prototype.
interface OriginAllowed {
  readonly code: undefined;
  /** The value of Access-Control-Allow-Origin; undefined if the request has no Origin. */
  readonly allowOrigin: string | undefined;
}

interface OriginRefused {
  readonly allowOrigin: undefined;
  readonly code: CorsRefusalCode;
  readonly origin: string;
  /** The error that the predicate threw or rejected with; empty if it did neither. */
  readonly thrown: readonly [error?: unknown];
}

export type OriginDecision = OriginAllowed | OriginRefused;

/**
 * Three times the length of a scheme, a host name of 253 characters and a port: no browser sends a longer
 * origin.
 */
const maxOriginLength = 1_024;

/** How many milliseconds an origin function has to settle. */
export const originTimeout = 5_000;

const allowedForAll = allow('*');
const allowedWithoutOrigin = allow(undefined);

function allow(allowOrigin: string | undefined): OriginAllowed {
  return { allowOrigin, code: undefined };
}

export function refuse(code: CorsRefusalCode, origin: string, ...thrown: [error?: unknown]): OriginRefused {
  return { allowOrigin: undefined, code, origin, thrown };
}

/** The part of a policy that concerns origins. */
export interface OriginPolicy {
  /** Whether every origin is allowed, without credentials, so that all get the same answer: `'*'`. */
  readonly anyOrigin: boolean;
  readonly allows: OriginMatcher;
}

/** Checks the origin of a request. Returns a promise only if a predicate returned one; it never rejects. */
export function decideOrigin(
  policy: OriginPolicy,
  req: IncomingMessage,
  preflight: boolean,
): OriginDecision | Promise<OriginDecision> {
  const origin = header(req, 'origin');
  if (origin === undefined) return policy.anyOrigin ? allowedForAll : allowedWithoutOrigin;
  if (policy.anyOrigin && !preflight) return allowedForAll;
  const code = findRefusalOfForm(origin);
  if (code !== undefined) return refuse(code, origin);
  if (policy.anyOrigin) return allowedForAll;

  const decisionFor = (isAllowed: boolean): OriginDecision =>
    isAllowed ? allow(origin) : refuse('cors-origin-not-allowed', origin);
  const failed = (error: unknown): OriginDecision => refuse('cors-predicate-failed', origin, error);
  try {
    const isAllowed = policy.allows(origin, req);
    if (typeof isAllowed === 'boolean') return decisionFor(isAllowed);
    const late = refuse('cors-predicate-timed-out', origin);
    return settleWithin(originTimeout, isAllowed.then(decisionFor, failed), late);
  } catch (error) {
    return failed(error);
  }
}

/** Resolves with `late` if the time passes first. The timer does not keep the process alive. */
function settleWithin<R>(milliseconds: number, pending: Promise<R>, late: R): Promise<R> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds, late).unref();
    const settle = (): void => {
      clearTimeout(timer);
    };
    pending.then(resolve, reject).finally(settle);
  });
}

/**
 * Node joins repeated headers with a comma; an Origin with several origins separates them by spaces (RFC 6454
 * 7.1).
 */
function findRefusalOfForm(origin: string): CorsRefusalCode | undefined {
  if (origin.length > maxOriginLength) return 'cors-origin-too-long';
  if (origin.includes(' ') || origin.includes(',')) return 'cors-origin-repeated';
  return /^[!-~]+$/.test(origin) ? undefined : 'cors-origin-malformed';
}

/** Whether an origin is allowed. Returns a promise only if a predicate returned one. */
type OriginMatcher = (origin: string, req: IncomingMessage) => boolean | Promise<boolean>;

/** The checked rules of the option `origin`, by kind. */
export interface OriginRules {
  /** The origins and patterns as the app has written them. */
  readonly texts: readonly string[];
  readonly exact: ReadonlySet<string>;
  readonly patterns: readonly RegExp[];
  readonly predicates: readonly OriginPredicate[];
}

/**
 * Any rule can allow an origin. Predicates are called last, in order, and only `true` itself allows. `null`
 * is the origin of every page in a sandboxed frame, so only the string `'null'` allows it, and no predicate
 * can do so by accident.
 */
export function createMatcher({ exact, patterns, predicates }: OriginRules, subject: string): OriginMatcher {
  // The callback of npm cors would otherwise refuse every origin without a word.
  const warn = warnOnce(
    'PATCH_OPTIONS_ORIGIN',
    (what: string) =>
      `A function in the option origin of ${subject} ${what}, so the origin is refused. ` +
      'Write (origin, req) => boolean, or return a promise of a boolean; no callback is passed.',
  );
  const checked = predicates.map((predicate) => createReporting(predicate, warn));
  return (origin, req) => {
    if (exact.has(origin)) return true;
    if (origin === 'null') return false;
    return patterns.some((pattern) => pattern.test(origin)) || anyAllows(checked, origin, req);
  };
}

/** Calls a predicate, and warns if it returns neither a boolean nor a promise of one. */
function createReporting(predicate: OriginPredicate, warn: (what: string) => void): OriginPredicate {
  const failed = (error: unknown): never => {
    warn(`threw ${nameThrown(error)}`);
    throw error;
  };
  const settled = (allowed: unknown): boolean => {
    if (typeof allowed !== 'boolean') warn(`returned ${inspectValue(allowed)}`);
    return allowed === true;
  };
  return (origin, req) => {
    try {
      const allowed: unknown = predicate(origin, req);
      return isThenable(allowed) ? Promise.resolve(allowed).then(settled, failed) : settled(allowed);
    } catch (error) {
      return failed(error);
    }
  };
}

function anyAllows(
  predicates: readonly OriginPredicate[],
  origin: string,
  req: IncomingMessage,
): boolean | Promise<boolean> {
  for (const [index, predicate] of predicates.entries()) {
    const allowed = predicate(origin, req);
    if (allowed === true) return true;
    if (allowed !== false) {
      return allowed.then((later) => later || anyAllows(predicates.slice(index + 1), origin, req));
    }
  }
  return false;
}

/**
 * Whether a page of the server's own origin sent the request: CORS does not apply there, although browsers
 * send Origin. Without Sec-Fetch-Site (Safari before 16.4, and plain HTTP), the host names decide, and the
 * ports if the server knows its own: a proxy can change the scheme, and remove the port.
 */
export function isOwnPage(req: RequestFields): boolean {
  const site = header(req, 'sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const host = header(req, 'origin')?.split('://')[1];
  if (host === undefined) return false;
  const pageHosts = [host, host.replace(/:\d+$/, '')];
  const serverHosts = [header(req, 'host'), header(req, 'x-forwarded-host')].join().toLowerCase();
  return serverHosts.split(',').some((name) => pageHosts.includes(name.trim().replace(/:(?:80|443)$/, '')));
}

/** Reads the option `origin` into rules by kind, or `'*'`; every mistake goes to `check`. */
export function checkOrigins(check: OptionsCheck, options: CorsOptions): OriginRules | '*' {
  const value: unknown = options.origin;
  // `origin: process.env.ORIGIN` without that variable must not open the service to every page.
  if (value === undefined && 'origin' in options) {
    const fix =
      "Check whether a setting is missing. To allow every origin, write '*' or leave the option out.";
    check.mistake('origin', value, { code: 'option-undefined', reason: 'was passed explicitly', fix });
  }
  if (value === undefined || value === '*') {
    if (options.credentials === true && options.dangerouslyAllowAnyOriginWithCredentials !== true) {
      check.mistake('origin', '*', {
        code: 'cors-origin-any',
        reason:
          'cannot be combined with credentials: browsers reject it, and every page could act as its user',
        fix: 'List the origins whose pages may send credentials.',
      });
    }
    return '*';
  }
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) {
    check.mistake('origin', value, {
      code: 'option-empty',
      reason: 'allows no origin',
      fix: 'List at least one origin, or leave corsPreflight() out.',
    });
  }
  const texts: string[] = [];
  const exact = new Set<string>();
  const patterns: RegExp[] = [];
  const predicates: OriginPredicate[] = [];
  for (const [index, entry] of list.entries()) {
    const rule = readRule(entry, options);
    if (typeof entry === 'string') texts.push(entry);
    if (typeof rule === 'string') exact.add(rule);
    else if (rule instanceof RegExp) patterns.push(rule);
    else if (typeof rule === 'function') predicates.push(rule);
    else {
      const option = Array.isArray(value) ? `origin[${index}]` : 'origin';
      for (const issue of rule) check.mistake(option, entry, issue);
    }
  }
  return { texts, exact, patterns, predicates };
}

/** One rule in its checked form, or everything that is wrong with it. */
function readRule(rule: unknown, options: CorsOptions): string | RegExp | OriginPredicate | readonly Issue[] {
  if (typeof rule === 'string') return readText(rule, options);
  if (typeof rule === 'function') return rule as OriginPredicate;
  if (rule instanceof RegExp) {
    const reason = 'matches domains you do not own as soon as a ^, a $ or a \\. is missing';
    const fix =
      "Write a pattern such as 'https://*.example.com', an origin such as 'https://example.com', " +
      'or a function such as (origin) => /^…$/.test(origin).';
    return [{ code: 'cors-origin-regexp', reason, fix }];
  }
  if (rule === true) {
    const fix = "List the origins, or write '*' (without credentials) to allow every origin.";
    return [{ code: 'cors-origin-boolean', reason: 'would allow every origin, by reflecting it', fix }];
  }
  if (rule === false) {
    const fix = 'Leave corsPreflight() out if you do not want CORS.';
    return [{ code: 'cors-origin-boolean', reason: 'allows no origin', fix }];
  }
  if (rule === undefined) {
    const fix = 'Set the variable that it comes from, or leave it out of the list.';
    return [{ code: 'option-undefined', reason: 'is an entry without a value', fix }];
  }
  const fix = "Write an origin such as 'https://app.example', or a list of rules.";
  return [{ code: 'option-type', reason: 'must be a string or a function', fix }];
}

function readText(text: string, options: CorsOptions): string | RegExp | readonly Issue[] {
  if (text === '*') {
    const fix =
      options.credentials === true
        ? 'Remove it from the list.'
        : "Write origin: '*', or remove it from the list.";
    return [{ code: 'cors-origin-redundant', reason: 'allows every origin, so it must stand alone', fix }];
  }
  const origin = readOriginText(text);
  if (hasMember(origin, 'fix')) {
    // The mistakes in the corrected form are reported, too, so that all mistakes are reported at once; that
    // form is then not shown as a fix.
    const corrected = (hasMember(origin, 'corrected') && origin.corrected) || [];
    const next = corrected.flatMap((each) => {
      const rule = readText(each, options);
      return typeof rule === 'string' || rule instanceof RegExp ? [] : rule;
    });
    return [{ ...origin, fix: next[0]?.fix ?? origin.fix }, ...next];
  }
  const dangers = findDangers(text, origin, options);
  return dangers.length > 0 ? dangers : origin.matches;
}

/** Valid rules that must not be set by oversight. */
function findDangers(text: string, { hostname }: OriginText, options: CorsOptions): Issue[] {
  const dangers: Issue[] = [];
  const [, domain] = /^\*\.(.*)$/.exec(hostname) ?? [];
  if (domain !== undefined && isSharedBySubdomains(domain)) {
    dangers.push({
      code: 'cors-origin-public-suffix',
      reason: 'has a public suffix after the star, so it matches domains you do not own',
      fix:
        "Write your own domain after the star, 'https://*.example.com', " +
        'or a function that checks which of them are yours.',
    });
  }
  if (options.credentials !== true) return dangers;
  if (text === 'null' && options.dangerouslyAllowAnyOriginWithCredentials !== true) {
    dangers.push({
      code: 'cors-origin-null',
      reason: 'cannot be combined with credentials: any page can get this origin in a sandboxed frame',
      fix: 'Remove it, or set dangerouslyAllowAnyOriginWithCredentials: true.',
    });
  }
  if (text.startsWith('http:') && !isLoopback(hostname)) {
    dangers.push({
      code: 'cors-origin-insecure',
      reason:
        'cannot be combined with credentials: anyone on the network can rewrite ' +
        'an http: page and act as its user',
      fix:
        (dangers.length > 0
          ? 'Write an origin of https:, '
          : `Write '${text.replace(/^http(.*?)(?::443)?$/, 'https$1')}', `) +
        'or a function if you accept that, such as (origin) => ….',
    });
  }
  return dangers;
}
