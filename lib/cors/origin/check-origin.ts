import type { IncomingMessage } from 'node:http';
import { readMember } from '../../config/prototype-pollution';
import type { CorsRefusalCode } from '../policy/options';
import type { CorsPolicy } from '../policy/policy';

// Both types have all properties that are read of either, so that nothing is read from Object.prototype.
export interface OriginAllowed {
  readonly code: undefined;
  /** The value of Access-Control-Allow-Origin; undefined if the request has no Origin. */
  readonly allowOrigin: string | undefined;
}

export interface OriginRefused {
  readonly allowOrigin: undefined;
  readonly code: CorsRefusalCode;
  readonly origin: string;
  /** What the predicate threw or rejected with; empty if it did neither. */
  readonly thrown: readonly [error?: unknown];
}

export type OriginDecision = OriginAllowed | OriginRefused;

export function isRefused(decision: OriginDecision): decision is OriginRefused {
  return decision.code !== undefined;
}

/**
 * Whether a page of the server's own origin sent the request: CORS does not apply there, although browsers send
 * Origin. Without Sec-Fetch-Site (Safari before 16.4, and plain HTTP), the names of the hosts decide, and the
 * ports where the server knows its own: a proxy can change the scheme, and remove the port.
 */
export function isOwnPage({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const site = readMember(headers, 'sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const host = readMember(headers, 'origin')?.split('://')[1];
  if (host === undefined) return false;
  const pageHosts = [host, host.replace(/:\d+$/, '')];
  const serverHosts = [readMember(headers, 'host'), readMember(headers, 'x-forwarded-host')]
    .join()
    .toLowerCase();
  return serverHosts.split(',').some((name) => pageHosts.includes(name.trim().replace(/:(?:80|443)$/, '')));
}

/**
 * Three times as long as a scheme, a host name of 253 characters and a port: browsers send no longer origin.
 */
const maxOriginLength = 1_024;

/** How many milliseconds an origin function has to settle. */
export const originTimeout = 5_000;

const anyOrigin = allow('*');
const noOrigin = allow(undefined);

function allow(allowOrigin: string | undefined): OriginAllowed {
  return { allowOrigin, code: undefined };
}

export function refuse(code: CorsRefusalCode, origin: string, ...thrown: [error?: unknown]): OriginRefused {
  return { allowOrigin: undefined, code, origin, thrown };
}

/** Checks the origin of a request. Returns a promise only if a predicate returned one; it never rejects. */
export function checkOrigin(
  policy: CorsPolicy,
  req: IncomingMessage,
  preflight: boolean,
): OriginDecision | Promise<OriginDecision> {
  const origin = readMember(req.headers, 'origin');
  if (origin === undefined) return policy.anyOrigin ? anyOrigin : noOrigin;
  if (policy.anyOrigin && !preflight) return anyOrigin;
  const fault = findFormFault(origin);
  if (fault !== undefined) return refuse(fault, origin);
  if (policy.anyOrigin) return anyOrigin;

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

/** Resolves with `late` if the time is over first. The timer does not keep the process alive. */
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
function findFormFault(origin: string): CorsRefusalCode | undefined {
  if (origin.length > maxOriginLength) return 'cors-origin-too-long';
  if (origin.includes(' ') || origin.includes(',')) return 'cors-origin-repeated';
  return /^[!-~]+$/.test(origin) ? undefined : 'cors-origin-malformed';
}
