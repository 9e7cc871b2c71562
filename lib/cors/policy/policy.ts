import { OptionsCheck } from '../../configuration';
import { refusalNotifier } from '../../http/refusal';
import { checkRoot } from '../../routes/request-target';
import { corsFlags, corsOptionNames, type CorsOptions, type CorsRefusal } from './options';
import { requestFieldFault, responseFieldFault } from './field-names';
import { checkFields, checkMethods, checkUnseen, checkVary } from './name-lists';
import { originMatcher, type OriginMatcher } from '../origin/matcher';
import { checkOrigins } from '../origin/rules';

/** The options of one `corsPreflight`, checked and made ready for its requests. */
export interface CorsPolicy {
  /** Every origin, and the same answer to each of them: exactly `'*'`. */
  readonly anyOrigin: boolean;
  readonly allows: OriginMatcher;
  readonly credentials: boolean;
  /** `'requested'`: those that the preflight asks for. */
  readonly allowedHeaders: readonly string[] | 'requested';
  readonly exposedHeaders: readonly string[];
  readonly maxAge: number;
  /** The only methods that may be allowed; undefined: all that are computed. */
  readonly methods: readonly string[] | undefined;
  /** What a preflight is answered for a path whose routes cannot be seen; undefined: it goes on to the app. */
  readonly unseen: readonly string[] | undefined;
  /** The request header fields that have a say in whether the origin is allowed. */
  readonly vary: readonly string[];
  /** For predicates that give a promise, in milliseconds. */
  readonly originTimeout: number;
  readonly notifyRefused: (refusal: CorsRefusal) => void;
}

/** The longest that any browser keeps a preflight (Firefox; Chromium two hours), in seconds. */
const longestMaxAge = 86_400;

/** @throws ConfigurationError with every mistake in `options` */
export function corsPolicy(given: CorsOptions): CorsPolicy {
  const check = new OptionsCheck('corsPreflight()');
  const options = check.names(given, corsOptionNames);
  checkRoot(check, options);
  check.flags(options, corsFlags);
  const credentials = options.credentials === true;
  const { onRefused } = options;
  const origins = checkOrigins(check, options);
  const asked = origins !== '*' && origins.predicates.length > 0;
  const anyOrigin = origins === '*' && !credentials;
  const vary = checkVary(check, options, asked);
  const methods = checkMethods(check, options);
  const policy: CorsPolicy = {
    anyOrigin,
    allows: origins === '*' ? () => true : originMatcher(origins),
    credentials,
    allowedHeaders:
      options.allowedHeaders === 'requested'
        ? options.allowedHeaders
        : checkFields(check, options, 'allowedHeaders', requestFieldFault),
    exposedHeaders: checkFields(check, options, 'exposedHeaders', responseFieldFault),
    maxAge: checkMaxAge(check, options),
    methods,
    unseen: checkUnseen(check, options, methods),
    vary: anyOrigin ? [] : ['Origin', ...vary],
    originTimeout: checkOriginTimeout(check, options, asked),
    notifyRefused: refusalNotifier(onRefused, 'corsPreflight()'),
  };
  if (onRefused !== undefined && typeof onRefused !== 'function') {
    check.mistake('onRefused', onRefused, {
      code: 'option-type',
      reason: 'is no function',
      fix: 'Give a function, or leave it out.',
    });
  }
  check.done();
  return Object.freeze(policy);
}

function checkMaxAge(check: OptionsCheck, { maxAge = 600 }: CorsOptions): number {
  if (!Number.isInteger(maxAge) || maxAge < 0 || maxAge > longestMaxAge) {
    check.mistake('maxAge', maxAge, {
      code: 'option-value',
      reason: 'is no whole number of seconds from 0 to 86400, the longest that any browser keeps an answer',
      fix: 'Write 600 for ten minutes, 0 for no keeping.',
    });
  }
  return maxAge;
}

/** What a timer of Node can hold. */
const longestTimeout = 2 ** 31 - 1;

function checkOriginTimeout(
  check: OptionsCheck,
  { originTimeout }: CorsOptions,
  hasPredicate: boolean,
): number {
  if (originTimeout === undefined) return 5_000;
  if (!Number.isInteger(originTimeout) || originTimeout < 1 || originTimeout > longestTimeout) {
    check.mistake('originTimeout', originTimeout, {
      code: 'option-value',
      reason: `must be a whole number of milliseconds from 1 to ${longestTimeout}`,
      fix: 'Write 5000 for five seconds.',
    });
  }
  if (!hasPredicate) {
    check.mistake('originTimeout', originTimeout, {
      code: 'option-dependency',
      reason: 'has no effect without an origin function',
      fix: 'Leave it out.',
    });
  }
  return originTimeout;
}
