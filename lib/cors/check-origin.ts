import type { IncomingMessage } from 'node:http';
import { memberOf } from '../prototype-pollution';
import type { CorsRefusalCode } from './policy/options';
import type { CorsPolicy } from './policy/policy';

// Each has all the members that are read of the other, so that nothing is read from Object.prototype.
export interface OriginAllowed {
  readonly code: undefined;
  /** What Access-Control-Allow-Origin shall say; undefined: nothing, because no origin asked. */
  readonly allowOrigin: string | undefined;
}

export interface OriginRefused {
  readonly allowOrigin: undefined;
  readonly code: CorsRefusalCode;
  readonly origin: string;
  /** What the predicate threw or rejected with; empty where it did neither. */
  readonly thrown: readonly [error?: unknown];
}

export type OriginVerdict = OriginAllowed | OriginRefused;

export function isRefused(verdict: OriginVerdict): verdict is OriginRefused {
  return verdict.code !== undefined;
}

/** A scheme, 253 characters of host name and a port fit in thrice; what is longer is no browser's. */
const longestOrigin = 1_024;

const anyOrigin = allowed('*');
const noOrigin = allowed(undefined);

function allowed(allowOrigin: string | undefined): OriginAllowed {
  return { allowOrigin, code: undefined };
}

export function refused(code: CorsRefusalCode, origin: string, ...thrown: [error?: unknown]): OriginRefused {
  return { allowOrigin: undefined, code, origin, thrown };
}

/**
 * A CORS-preflight request (Fetch, CORS protocol): OPTIONS with both fields. OPTIONS without one of them is a question
 * about the resource. Only the presence of Access-Control-Request-Method has a say in the answer.
 */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'OPTIONS' &&
    memberOf(headers, 'origin') !== undefined &&
    memberOf(headers, 'access-control-request-method') !== undefined
  );
}

/** Judges the origin of a request. A promise only where a predicate gave one, and it never rejects. */
export function checkOrigin(
  policy: CorsPolicy,
  req: IncomingMessage,
  preflight: boolean,
): OriginVerdict | Promise<OriginVerdict> {
  const origin = memberOf(req.headers, 'origin');
  if (origin === undefined) return policy.anyOrigin ? anyOrigin : noOrigin;
  if (policy.anyOrigin && !preflight) return anyOrigin;
  const fault = formFault(origin);
  if (fault !== undefined) return refused(fault, origin);
  if (policy.anyOrigin) return anyOrigin;

  const verdictOn = (isAllowed: boolean): OriginVerdict =>
    isAllowed ? allowed(origin) : refused('cors-origin-not-allowed', origin);
  const failed = (error: unknown): OriginVerdict => refused('cors-predicate-failed', origin, error);
  try {
    const isAllowed = policy.allows(origin, req);
    if (typeof isAllowed === 'boolean') return verdictOn(isAllowed);
    const late = refused('cors-predicate-timed-out', origin);
    return settledWithin(policy.originTimeout, isAllowed.then(verdictOn, failed), late);
  } catch (error) {
    return failed(error);
  }
}

/** Gives `late` where the time runs out first. The timer keeps no process alive. */
function settledWithin<R>(milliseconds: number, pending: Promise<R>, late: R): Promise<R> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds, late).unref();
    const settle = (): void => {
      clearTimeout(timer);
    };
    pending.then(resolve, reject).finally(settle);
  });
}

/** Node joins repeated fields by a comma, and an Origin of several origins has white space (RFC 6454 7.1). */
function formFault(origin: string): CorsRefusalCode | undefined {
  if (origin.length > longestOrigin) return 'cors-origin-too-long';
  if (origin.includes(' ') || origin.includes(',')) return 'cors-origin-repeated';
  return /^[!-~]+$/.test(origin) ? undefined : 'cors-origin-malformed';
}
