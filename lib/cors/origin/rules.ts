import type { Fault, OptionsCheck } from '../../configuration';
import { hasMember } from '../../prototype-pollution';
import type { CorsOptions, OriginPredicate } from '../policy/options';
import type { OriginRules } from './matcher';
import { isLoopback, readOriginText, type OriginText } from './text';
import { isSharedBySubdomains } from './public-suffix';
import { regExpFaults } from './regexp-faults';

/** Sorts the `origin` option into rules by kind, with every mistake told; `'*'` where it is exactly that. */
export function checkOrigins(check: OptionsCheck, options: CorsOptions): OriginRules | '*' {
  const value: unknown = options.origin;
  // `origin: process.env.ORIGIN` without that variable must not open the service to every page.
  if (value === undefined && 'origin' in options) {
    const fix = "Look whether a setting is missing; for every origin write '*', or leave the option out.";
    check.mistake('origin', value, { code: 'option-undefined', reason: 'is named, and has no value', fix });
  }
  if (value === undefined || value === '*') {
    if (options.credentials === true && options.dangerouslyAllowAnyOriginWithCredentials !== true) {
      check.mistake('origin', '*', {
        code: 'cors-origin-any',
        reason:
          'cannot go with credentials: browsers refuse it, and it would give every page the rights of its user',
        fix: 'Name the origins that may have credentials.',
      });
    }
    return '*';
  }
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) {
    check.mistake('origin', value, {
      code: 'option-empty',
      reason: 'allows no origin',
      fix: 'Name an origin, or leave corsPreflight() out.',
    });
  }
  const exact = new Set<string>();
  const patterns: RegExp[] = [];
  const predicates: OriginPredicate[] = [];
  for (const [index, given] of list.entries()) {
    const rule = readRule(given, options);
    if (typeof rule === 'string') exact.add(rule);
    else if (rule instanceof RegExp) patterns.push(rule);
    else if (typeof rule === 'function') predicates.push(rule);
    else {
      const place = Array.isArray(value) ? `origin[${index}]` : 'origin';
      for (const fault of rule) check.mistake(place, given, fault);
    }
  }
  return { exact, patterns, predicates };
}

/** One rule, ready to be asked, or all that is wrong with it. */
function readRule(rule: unknown, options: CorsOptions): string | RegExp | OriginPredicate | readonly Fault[] {
  if (typeof rule === 'string') return readText(rule, options);
  if (typeof rule === 'function') return rule as OriginPredicate;
  if (rule instanceof RegExp) {
    const faults = regExpFaults(rule);
    // A copy, so that what the host does to its own RegExp later has no say.
    return faults.length > 0 ? faults : new RegExp(rule);
  }
  if (rule === true) {
    const fix = "Name the origins; or write '*', without credentials, for every origin.";
    return [{ code: 'cors-origin-boolean', reason: 'would send back whichever origin asks', fix }];
  }
  if (rule === false) {
    const fix = 'Leave corsPreflight() out where there is no CORS.';
    return [{ code: 'cors-origin-boolean', reason: 'allows no origin', fix }];
  }
  const fix = "Write an origin like 'https://app.example', a RegExp or a function, or a list of these.";
  return [{ code: 'option-type', reason: 'is neither a string, a RegExp nor a function', fix }];
}

function readText(text: string, options: CorsOptions): string | RegExp | readonly Fault[] {
  if (text === '*') {
    const fix =
      options.credentials === true
        ? 'Leave it out of the list.'
        : "Write origin: '*', or leave it out of the list.";
    return [{ code: 'cors-origin-redundant', reason: 'makes the rest of the list idle', fix }];
  }
  const origin = readOriginText(text);
  if (hasMember(origin, 'fix')) {
    // All at once: what is wrong with it also when its form is mended.
    const next = hasMember(origin, 'mended') ? readText(String(origin.mended), options) : undefined;
    return typeof next === 'object' && !(next instanceof RegExp) ? [origin, ...next] : [origin];
  }
  const dangers = dangersOf(text, origin, options);
  return dangers.length > 0 ? dangers : origin.matches;
}

/** What can be named, and yet must not be by oversight. */
function dangersOf(text: string, { hostname, subdomains }: OriginText, options: CorsOptions): Fault[] {
  const dangers: Fault[] = [];
  if (subdomains && options.dangerouslyAllowPublicSuffixes !== true && isSharedBySubdomains(hostname)) {
    dangers.push({
      code: 'cors-origin-public-suffix',
      reason: 'has a public suffix after the star, and so names the domains of strangers',
      fix: "Name your own domain after the star, 'https://*.example.com'; or say dangerouslyAllowPublicSuffixes: true.",
    });
  }
  if (options.credentials !== true) return dangers;
  if (text === 'null' && options.dangerouslyAllowAnyOriginWithCredentials !== true) {
    dangers.push({
      code: 'cors-origin-null',
      reason: 'cannot go with credentials: any page can put itself into a frame whose origin it is',
      fix: 'Leave it out; or say dangerouslyAllowAnyOriginWithCredentials: true.',
    });
  }
  if (text.startsWith('http:') && !isLoopback(hostname) && options.dangerouslyAllowInsecureOrigins !== true) {
    dangers.push({
      code: 'cors-origin-insecure',
      reason:
        'cannot go with credentials: whoever is on the network can rewrite an http: page, and so act as its user',
      fix: `Write '${text.replace(/^http(.*?)(?::443)?$/, 'https$1')}'; or say dangerouslyAllowInsecureOrigins: true.`,
    });
  }
  return dangers;
}
