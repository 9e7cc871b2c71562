import type { OptionsCheck } from '../configuration';
import type { OriginPredicate } from './cors-options';
import type { OriginRules } from './origin-matcher';
import { isLoopback, readOriginText, type OriginText } from './origin-text';
import { regExpFaults } from './regexp-faults';

/** The other options that have a say in which origins may be named. */
export interface OriginContext {
  /** The host wrote `origin`, be it undefined. */
  readonly named: boolean;
  readonly credentials: boolean;
  /** The three choices that say that they are dangerous. */
  readonly insecure: boolean;
  readonly publicSuffixes: boolean;
  readonly anyWithCredentials: boolean;
}

interface GrowingRules {
  readonly exact: Set<string>;
  readonly patterns: RegExp[];
  readonly predicates: OriginPredicate[];
}

/** Sorts the `origin` option into rules by kind, with every mistake told; `'*'` where it is exactly that. */
export function checkOrigins(check: OptionsCheck, value: unknown, context: OriginContext): OriginRules | '*' {
  if (value === undefined) return checkLeftOut(check, context);
  if (value === '*') return checkStar(check, value, context);
  const rules: GrowingRules = { exact: new Set(), patterns: [], predicates: [] };
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) {
    check.mistake('origin', value, 'allows no origin', 'Name an origin, or leave corsPreflight() out.');
  }
  for (const [index, rule] of list.entries()) {
    const place = Array.isArray(value) ? `origin[${index}]` : 'origin';
    if (typeof rule === 'string') addText(check, place, rule, context, rules);
    else if (rule instanceof RegExp) addRegExp(check, place, rule, rules);
    else if (isPredicate(rule)) rules.predicates.push(rule);
    else addMistake(check, place, rule);
  }
  return rules;
}

/** `origin: process.env.ORIGIN` without that variable must not open the service to every page. */
function checkLeftOut(check: OptionsCheck, context: OriginContext): '*' {
  if (context.named) {
    const fix = "Look whether a setting is missing; for every origin write '*', or leave the option out.";
    check.mistake('origin', undefined, 'is named, and has no value', fix);
  }
  return checkStar(check, '*', context);
}

function checkStar(check: OptionsCheck, value: '*', context: OriginContext): '*' {
  if (context.credentials && !context.anyWithCredentials) {
    check.mistake(
      'origin',
      value,
      'cannot go with credentials: browsers refuse it, and it would give every page the rights of its user',
      'Name the origins that may have credentials.',
    );
  }
  return value;
}

function addText(
  check: OptionsCheck,
  place: string,
  text: string,
  context: OriginContext,
  rules: GrowingRules,
): void {
  if (text === '*') {
    const fix = context.credentials
      ? 'Leave it out of the list.'
      : "Write origin: '*', or leave it out of the list.";
    check.mistake(place, text, 'makes the rest of the list idle', fix);
    return;
  }
  const origin = readOriginText(text);
  if ('fix' in origin) {
    check.mistake(place, text, origin.reason, origin.fix);
    return;
  }
  checkDanger(check, place, text, origin, context);
  if (typeof origin.matches === 'string') rules.exact.add(origin.matches);
  else rules.patterns.push(origin.matches);
}

/** What can be named, and yet must not be by oversight. */
function checkDanger(
  check: OptionsCheck,
  place: string,
  text: string,
  { scheme, hostname, underPublicSuffix }: OriginText,
  context: OriginContext,
): void {
  if (underPublicSuffix && !context.publicSuffixes) {
    check.mistake(
      place,
      text,
      'has fewer than two labels after the star, and so names the domains of strangers',
      "Name your own domain after the star, 'https://*.example.com'; or say dangerouslyAllowPublicSuffixes: true.",
    );
  }
  if (!context.credentials) return;
  if (text === 'null' && !context.anyWithCredentials) {
    check.mistake(
      place,
      text,
      'cannot go with credentials: any page can put itself into a frame whose origin it is',
      'Leave it out; or say dangerouslyAllowAnyOriginWithCredentials: true.',
    );
  }
  if (scheme === 'http' && !isLoopback(hostname) && !context.insecure) {
    check.mistake(
      place,
      text,
      'cannot go with credentials: whoever is on the network can rewrite an http: page, and so act as its user',
      `Write '${text.replace('http:', 'https:')}'; or say dangerouslyAllowInsecureOrigins: true.`,
    );
  }
}

/** A copy, so that what the host does to its own RegExp later has no say. */
function addRegExp(check: OptionsCheck, place: string, pattern: RegExp, rules: GrowingRules): void {
  for (const { reason, fix } of regExpFaults(pattern)) check.mistake(place, pattern, reason, fix);
  rules.patterns.push(new RegExp(pattern));
}

function isPredicate(value: unknown): value is OriginPredicate {
  return typeof value === 'function';
}

function addMistake(check: OptionsCheck, place: string, value: unknown): void {
  if (value === true) {
    const fix = "Name the origins; or write '*', without credentials, for every origin.";
    check.mistake(place, value, 'would send back whichever origin asks', fix);
  } else if (value === false) {
    check.mistake(place, value, 'allows no origin', 'Leave corsPreflight() out where there is no CORS.');
  } else {
    const fix = "Write an origin like 'https://app.example', a RegExp or a function, or a list of these.";
    check.mistake(place, value, 'is neither a string, a RegExp nor a function', fix);
  }
}
