import { createHash } from 'node:crypto';
import { oneOf } from '../config/expectation';
import { OptionsCheck } from '../config/options-check';
import { describeFailure, warnOnce } from '../config/process-warning';
import { readMember } from '../config/prototype-pollution';
import { fireAndForget } from '../config/unawaited';
import { checkedTag, entityTag } from '../http/entity-tag';
import { StoredValidators, type Validators } from '../http/preconditions';
import { refusalNotifier } from '../http/refusal';
import type { PatchRequest } from '../http/middleware';
import { readAppJson } from '../json/app-json';
import { type ResourceStore, stableValue, type Stored } from '../stores/contract/resource-store';
import { createContentReader, type ReadContent } from './content';
import type { PatchRefusal } from './create-handler';
import { compileParsers, type FormatTable } from './formats/format-table';
import { patchLimits, type PatchLimits, type PatchParser } from './formats/patch-parser';
import { type IdempotencyKey, idempotencyKeyReader } from './idempotency';
import { decisionBy } from './rules/decision';
import { HiddenMembers } from './rules/hidden-members';
import { compileProtection } from './rules/protected-members';
import { compileValidator, type Validate } from './rules/validate';
import { compileStateMembers, type FindStale, unmovedAdviser } from './rules/state-members';
import { checkHandlerOptions } from './check-options';
import type { PatchedEvent, PatchHandlerOptions, ProposedChange } from './handler-options';
import { keyReader } from './read-key';

/** The checked options of one handler, and what is compiled from them. */
export interface PatchSettings<T> {
  /** The function that received the options, as messages name it: `patchHandler()`. */
  readonly subject: string;
  /** The options themselves, after all checks. An option that was left out is undefined. */
  readonly options: PatchHandlerOptions<T>;
  readonly store: ResourceStore<T>;
  readonly formats: FormatTable<PatchParser<T>>;
  readonly limits: PatchLimits;
  readonly readContent: ReadContent;
  /** The idempotency key of a request; undefined if it has none, or if the option `idempotency` is off. */
  readonly readIdempotencyKey: (req: PatchRequest) => IdempotencyKey | undefined;
  readonly readKey: (req: PatchRequest) => string | undefined;
  readonly createTag: (stored: Stored<T>, req: PatchRequest) => string;
  readonly createValidators: (stored: Stored<T>, req: PatchRequest) => Validators;
  /** Returns the value that a patch on a missing resource is applied to. Undefined: the answer is 404. */
  readonly initial: ((req: PatchRequest) => T | undefined | Promise<T | undefined>) | undefined;
  readonly may: PatchHandlerOptions<T>['may'];
  readonly hidden: HiddenMembers;
  readonly protect: ReturnType<typeof compileProtection<T>>;
  /** Finds a member by which the request shows that it was made from another state. */
  readonly findStale: FindStale;
  /** Warns once of a state member that a write has not changed. */
  readonly adviseOnUnmoved: ReturnType<typeof unmovedAdviser>;
  /** The value to store, or a refusal. */
  readonly toValidated: Validate<T>;
  readonly authorize: ((req: PatchRequest, change: ProposedChange<T>) => Promise<boolean>) | undefined;
  readonly represent: (value: T, req: PatchRequest) => unknown;
  readonly notifyPatched: (event: PatchedEvent<T>) => void;
  readonly notifyRefused: (refusal: PatchRefusal) => void;
  /** These warn once if an answer lacks a part, because a function of the app failed. */
  readonly warnOfTag: (error: unknown) => void;
  readonly warnOfRepresentation: (error: unknown) => void;
  readonly warnOfConflict: (error: unknown) => void;
}

/** The options of `patchHandler` that `resource` does not have. */
const ownOptions = { method: oneOf('PATCH', 'PUT') };

/** @throws ConfigurationError with every mistake */
export function patchSettings<T>(
  store: ResourceStore<T>,
  parsers: readonly PatchParser<T>[],
  options: PatchHandlerOptions<T>,
): PatchSettings<T> {
  const check = new OptionsCheck('patchHandler()');
  const formats = compileParsers(parsers, check);
  const checkedOptions = checkHandlerOptions(store, options, formats, check, ownOptions);
  check.done();
  return compileSettings(check.subject, store, formats, checkedOptions);
}

/**
 * The settings of checked options.
 *
 * @param subject - the function that received the options, as in `patchHandler()`
 */
export function compileSettings<T>(
  subject: string,
  store: ResourceStore<T>,
  formats: FormatTable<PatchParser<T>>,
  options: PatchHandlerOptions<T>,
): PatchSettings<T> {
  const hidden = new HiddenMembers(options.hidden, [
    ...(options.writeOnly ?? []),
    ...(readMember(store, 'writeOnly') ?? []),
  ]);
  const keptByStore = readMember(store, 'readOnly');
  const limits = patchLimits(options.limits);
  const { create, entityTag: tagByApp } = options;
  const tagOfVersion = (stored: Stored<T>) => entityTag(withVersion(stored, hidden));
  const createTag =
    tagByApp === undefined
      ? tagOfVersion
      : (stored: Stored<T>, req: PatchRequest) => checkedTag(tagByApp(withVersion(stored, hidden), req));
  return {
    subject,
    options,
    store,
    formats,
    limits,
    readContent: createContentReader(limits),
    readIdempotencyKey: idempotencyKeyReader(options),
    readKey: keyReader(options.key, subject),
    createTag,
    // A function of the app is called at once, so that an invalid tag is found before anything is written.
    createValidators:
      tagByApp === undefined
        ? (stored: Stored<T>) => new StoredValidators(stored, tagOfVersion)
        : (stored, req) => ({ tag: createTag(stored, req), modified: readMember(stored, 'modified') }),
    initial: create === true ? () => emptyObject as T : create && jsonFrom(create),
    may: options.may && decisionBy('may', options.may, subject),
    hidden,
    protect: compileProtection(options, keptByStore),
    findStale: compileStateMembers(options.stateMembers),
    adviseOnUnmoved: unmovedAdviser(options.stateMembers, subject),
    toValidated: compileValidator(options.validate, store, hidden, limits.depth, subject),
    authorize: options.authorize && decisionBy('authorize', options.authorize, subject),
    represent: options.represent ?? ((value: T) => value),
    notifyPatched: patchedNotifier(options, subject),
    notifyRefused: refusalNotifier(options.onRefused, subject),
    warnOfTag: warnOnce(
      'PATCH_OPTIONS_ENTITY_TAG',
      describeFailure('A write was committed, but its answer has no ETag: the option entityTag'),
    ),
    warnOfRepresentation: warnOnce(
      'PATCH_OPTIONS_REPRESENT',
      describeFailure('A write was committed, but its answer has no body: the option represent'),
    ),
    warnOfConflict: warnOnce(
      'PATCH_OPTIONS_REPRESENT',
      describeFailure('A refusal has no member current: the option represent, or entityTag,'),
    ),
  };
}

function jsonFrom<T>(
  create: (req: PatchRequest) => T | undefined | Promise<T | undefined>,
): (req: PatchRequest) => Promise<T | undefined> {
  return async (req) => {
    const value = await create(req);
    return value === undefined
      ? undefined
      : (readAppJson(value, 'The value that the option create returned') as T);
  };
}

/**
 * The state with a version for its entity tag. If the state is its content, the version is a hash of the
 * value that `represent` receives: clients could check guesses with a hash of members that they cannot see.
 */
function withVersion<T>(stored: Stored<T>, hidden: HiddenMembers): Stored<T> {
  if (stored.version !== undefined) return stored;
  const text = JSON.stringify(hidden.visible(stableValue(stored)));
  return { ...stored, version: createHash('sha256').update(text).digest('base64url').slice(0, 22) };
}

/** With `create: true` the patch makes the value from an object that need not be a `T` yet. */
const emptyObject: unknown = Object.freeze({});

/**
 * Creates the function that calls `onPatched`, which cannot affect the change or its answer. It is called
 * before the answer is sent, but not awaited, so a slow listener does not delay the answer.
 */
function patchedNotifier<T>(
  { onPatched }: Pick<PatchHandlerOptions<T>, 'onPatched'>,
  subject: string,
): (event: PatchedEvent<T>) => void {
  if (onPatched === undefined) return () => undefined;
  const warn = warnOnce(
    'PATCH_OPTIONS_ON_PATCHED',
    describeFailure(`A write was committed, but onPatched of ${subject}`),
  );
  return (event) => {
    fireAndForget(() => onPatched(event), warn);
  };
}
