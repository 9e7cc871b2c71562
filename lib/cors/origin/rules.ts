import type { Fault } from '../../config/mistake';
import type { OptionsCheck } from '../../config/options-check';
import { hasMember } from '../../config/prototype-pollution';
import type { CorsOptions, OriginPredicate } from '../policy/options';
import type { OriginRules } from './matcher';
import { isLoopback, readOriginText, type OriginText } from './text';
import { isSharedBySubdomains } from './public-suffix';

/** Reads the option `origin` into rules by kind, or `'*'`; every mistake goes to `check`. */
export function checkOrigins(check: OptionsCheck, options: CorsOptions): OriginRules | '*' {
  const value: unknown = options.origin;
  // `origin: process.env.ORIGIN` without that variable must not open the service to every page.
  if (value === undefined && 'origin' in options) {
    const fix =
      "Check whether a setting is missing. To allow every origin, write '*' or leave the option out.";
    check.mistake('origin', value, { code: 'option-undefined', reason: 'is present but undefined', fix });
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
      for (const fault of rule) check.mistake(option, entry, fault);
    }
  }
  return { texts, exact, patterns, predicates };
}

/** One rule in its checked form, or everything that is wrong with it. */
function readRule(rule: unknown, options: CorsOptions): string | RegExp | OriginPredicate | readonly Fault[] {
  if (typeof rule === 'string') return readText(rule, options);
  if (typeof rule === 'function') return rule as OriginPredicate;
  if (rule instanceof RegExp) {
    const reason = 'matches domains of others as soon as a ^, a $ or a \\. is missing';
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

function readText(text: string, options: CorsOptions): string | RegExp | readonly Fault[] {
  if (text === '*') {
    const fix =
      options.credentials === true
        ? 'Remove it from the list.'
        : "Write origin: '*', or remove it from the list.";
    return [{ code: 'cors-origin-redundant', reason: 'allows every origin, so it must stand alone', fix }];
  }
  const origin = readOriginText(text);
  if (hasMember(origin, 'fix')) {
    // Also what is wrong with the corrected form, so that all mistakes are reported at once; then that is no fix.
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
function findDangers(text: string, { hostname }: OriginText, options: CorsOptions): Fault[] {
  const dangers: Fault[] = [];
  const [, domain] = /^\*\.(.*)$/.exec(hostname) ?? [];
  if (domain !== undefined && isSharedBySubdomains(domain)) {
    dangers.push({
      code: 'cors-origin-public-suffix',
      reason: 'has a public suffix after the star, so it matches domains you do not own',
      fix:
        "Write your own domain after the star, 'https://*.example.com', " +
        'or a function that tells which of them are yours.',
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
