import { anything, flag, functionThat, wholeNumber } from '../config/expectation';
import { OptionsCheck, type UnknownNameFixes } from '../config/options-check';
import type { Expectations } from '../config/read-options';
import { refusalNotifier } from '../http/refusal';
import { appOrRouter } from '../routes/target-methods';
import {
  checkFields,
  checkMethods,
  checkFallbackMethods,
  findRequestHeaderIssue,
  findResponseHeaderIssue,
  type HeaderList,
} from './names';
import type { CorsOptions, CorsRefusal } from './options';
import { checkOrigins, createMatcher, type OriginPolicy, type OriginRules } from './origin';

/** The checked options of one `corsPreflight`, prepared for its requests. */
export interface CorsPolicy extends OriginPolicy {
  /** The function that the app called with these options, such as `patchOptions()`. */
  readonly subject: string;
  /** The rules from which `allows` is made; none if every origin is allowed. */
  readonly originRules: OriginRules;
  readonly credentials: boolean;
  /** `'requested'`: the headers that the preflight asks for. */
  readonly allowedHeaders: HeaderList | 'requested';
  readonly exposedHeaders: readonly string[];
  readonly maxAge: number;
  /** The methods to which the computed ones are restricted; undefined: no restriction. */
  readonly methods: readonly string[] | undefined;
  /** The methods for a path without a visible route; undefined: the preflight goes on to the app. */
  readonly fallbackMethods: readonly string[] | undefined;
  /** The request headers on which the decision about an origin depends. */
  readonly vary: readonly string[];
  /** Undefined if the app has no `onRefused`. */
  readonly notifyRefused: ((refusal: CorsRefusal) => void) | undefined;
}

/**
 * The longest time that a browser caches a preflight, in seconds: one day in Firefox, two hours in Chromium.
 */
const maxCacheSeconds = 86_400;

/** The lists of names, and the origins, are checked where they are read. */
export const corsExpectations: Expectations<keyof CorsOptions> = {
  origin: anything,
  credentials: flag,
  allowedHeaders: anything,
  exposedHeaders: anything,
  maxAge: wholeNumber(
    0,
    maxCacheSeconds,
    'Write 600 for ten minutes, 0 for no caching.',
    `must be a whole number of seconds from 0 to ${maxCacheSeconds}, ` +
      'the longest time that a browser caches a preflight',
  ),
  methods: anything,
  fallbackMethods: anything,
  onRefused: functionThat('Pass a function of the refusal, or leave the option out.'),
  root: appOrRouter,
  dangerouslyAllowAnyOriginWithCredentials: flag,
};

/** The options of npm cors and of other libraries that do not exist here. */
const fixesFromNpmCors: UnknownNameFixes = new Map([
  ['allowedOrigins', "Did you mean 'origin'?"],
  ['allowedOrigin', "Did you mean 'origin'?"],
  ['allowedMethods', "Did you mean 'methods'?"],
  [
    'options',
    'Write { origin: … }. In place of (req, callback) => … of npm cors, ' +
      'mount an instance on each path, or make origin a function (origin, req) => ….',
  ],
  ['headers', "Did you mean 'allowedHeaders'?"],
  ['optionsSuccessStatus', 'Leave it out: preflights are answered 200.'],
  [
    'preflightContinue',
    'Leave it out: preflights for paths without visible routes and ' +
      'all other OPTIONS requests go on to your app.',
  ],
]);

const noRules: OriginRules = { texts: [], exact: new Set(), patterns: [], predicates: [] };

/** @throws ConfigurationError with every mistake in `options` */
export function createPolicy(options: CorsOptions, subject = 'corsPreflight()'): CorsPolicy {
  const check = new OptionsCheck(subject);
  const settings = check.options(options, corsExpectations, '', fixesFromNpmCors);
  const credentials = settings.credentials === true;
  const { maxAge = 600, onRefused } = settings;
  const origins = checkOrigins(check, settings);
  const anyOrigin = origins === '*' && !credentials;
  const methods = checkMethods(check, settings);
  const policy: CorsPolicy = {
    subject,
    anyOrigin,
    allows: origins === '*' ? () => true : createMatcher(origins, subject),
    originRules: origins === '*' ? noRules : origins,
    credentials,
    allowedHeaders:
      settings.allowedHeaders === 'requested'
        ? settings.allowedHeaders
        : checkFields(check, settings, 'allowedHeaders', findRequestHeaderIssue),
    exposedHeaders: checkFields(check, settings, 'exposedHeaders', findResponseHeaderIssue).all,
    maxAge,
    methods,
    fallbackMethods: checkFallbackMethods(check, settings, methods),
    vary: anyOrigin ? [] : ['Origin'],
    notifyRefused: onRefused && refusalNotifier(onRefused, subject),
  };
  check.done();
  return Object.freeze(policy);
}
