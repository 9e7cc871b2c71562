import { isIP } from 'node:net';
import type { OriginRules } from './matcher';
import { isSharedBySubdomains } from './public-suffix';
import { isLoopback } from './text';

/** What a slip can change costs 1; what can also be another site, 2. */
const farthest = 2;

/**
 * The allowed origin that the refused one was probably meant to be; undefined if none is near. Near are other
 * schemes, ports and spellings of the same host, and hosts that differ in one letter, or in one label below
 * the same registrable domain. Functions are not called, as they can have effects.
 */
export function nearOrigin(origin: string, { exact, patterns }: OriginRules): string | undefined {
  const parts = readParts(origin);
  if (parts === undefined) return undefined;
  const matching = createVariants(parts).filter((variant) =>
    patterns.some((pattern) => pattern.test(variant)),
  );
  let near: string | undefined;
  let least = farthest + 1;
  for (const allowed of [...exact, ...matching]) {
    const distance = distanceBetween(parts, readParts(allowed));
    if (distance < least) [near, least] = [allowed, distance];
  }
  return near;
}

interface Parts {
  readonly scheme: string;
  readonly host: string;
  /** With the colon; empty if there is none. */
  readonly port: string;
  /** Whether it is written as browsers do: in lower case, without a slash at the end. */
  readonly isSerialised: boolean;
}

function readParts(origin: string): Parts | undefined {
  const pattern = /^([a-z][a-z\d+.-]*):\/\/(\[[^\]]+\]|[^/?#:]+)(:\d+)?(\/?)$/;
  const lower = origin.toLowerCase();
  const [, scheme, host, port = '', slash] = pattern.exec(lower) ?? [];
  if (scheme === undefined || host === undefined) return undefined;
  return { scheme, host, port, isSerialised: origin === lower && slash === '' };
}

/** Origins that a pattern can match although it does not match the given one. */
function createVariants({ scheme, host, port }: Parts): readonly string[] {
  const otherScheme = scheme === 'https' ? 'http' : 'https';
  const otherHosts = [host, bareHost(host), `www.${host}`].map((each) => `${scheme}://${each}`);
  return [...otherHosts.flatMap((start) => [start + port, start]), `${otherScheme}://${host}${port}`];
}

function distanceBetween(one: Parts, other: Parts | undefined): number {
  if (other === undefined) return Infinity;
  const differences = [
    one.scheme !== other.scheme,
    one.port !== other.port,
    one.isSerialised !== other.isSerialised,
  ];
  return hostDistance(one.host, other.host) + differences.filter(Boolean).length;
}

function hostDistance(one: string, other: string): number {
  if (one === other) return 0;
  if (bareHost(one) === bareHost(other) || (isLoopback(one) && isLoopback(other))) return 1;
  if (isAddress(one) || isAddress(other)) return Infinity;
  return differInLetter(one, other) || differInLabel(one, other) ? 2 : Infinity;
}

function bareHost(host: string): string {
  return host.replace(/^www\.|\.$/g, '');
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || isIP(host) !== 0;
}

/**
 * One letter too many, too few or another one, or two that are swapped; in a label of four letters at least.
 */
function differInLetter(one: string, other: string): boolean {
  const { start, a, b } = difference(Array.from(one), Array.from(other));
  const isSwapped = a.length === 2 && b.length === 2 && a[0] === b[1] && a[1] === b[0];
  if (!isSwapped && Math.max(a.length, b.length) > 1) return false;
  const longer = one.length > other.length ? one : other;
  const label = (longer.slice(0, start).split('.').at(-1) ?? '') + (longer.slice(start).split('.')[0] ?? '');
  return label.length >= 4;
}

/** One label too many, too few or another one, below the same registrable domain. */
function differInLabel(one: string, other: string): boolean {
  const { a, b, rest } = difference(one.split('.'), other.split('.'));
  return Math.max(a.length, b.length) === 1 && rest.length > 0 && !isSharedBySubdomains(rest.join('.'));
}

interface Difference {
  /** Where the lists begin to differ. */
  readonly start: number;
  /** What differs. */
  readonly a: readonly string[];
  readonly b: readonly string[];
  /** What follows in both. */
  readonly rest: readonly string[];
}

function difference(one: readonly string[], other: readonly string[]): Difference {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const within = (list: readonly string[]): readonly string[] => list.slice(start, list.length - end);
  return { start, a: within(one), b: within(other), rest: one.slice(one.length - end) };
}
