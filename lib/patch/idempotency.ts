import { createHash } from 'node:crypto';
import { noOptions, readMember } from '../config/prototype-pollution';
import { ignoreRejection } from '../config/unawaited';
import { header } from '../http/header';
import type { PatchRequest } from '../http/middleware';
import { originForm } from '../http/target-path';
import type { PendingOutcome, Stored } from '../stores/contract/resource-store';
import type { ChosenFormat } from './content';
import type { Format } from './formats/format-table';
import type { IdempotencyLimits, PatchHandlerOptions } from './handler-options';
import { onePerStore } from './key-queue';
import { keyMalformed, keyRequired, keyReused, requestInFlight } from './refusals';

/** The idempotency key of a request, as stores receive it: the request is carried out once under `id`. */
export interface IdempotencyKey {
  /** A hash of the scope and the client's key. */
  readonly id: string;
  /** A hash of the result of the option `scope`. */
  readonly scope: string;
  readonly keep: number;
  readonly total: number;
  readonly maxAge: number;
}

/** An idempotency key with a fingerprint of its request, to detect reuse of the key. */
export interface IdempotentRequest extends IdempotencyKey {
  readonly fingerprint: string;
}

type IdempotencyOptions = Pick<PatchHandlerOptions<unknown>, 'idempotency' | 'idempotencyLimits' | 'scope'>;

/**
 * Creates the function that reads the Idempotency-Key of a request. It returns undefined if there is none, or
 * if the option is off.
 *
 * @throws ProblemError 400
 */
export function idempotencyKeyReader({
  idempotency,
  idempotencyLimits,
  scope = () => '',
}: IdempotencyOptions): (req: PatchRequest) => IdempotencyKey | undefined {
  if (idempotency === undefined) return () => undefined;
  const limits = readIdempotencyLimits(idempotencyLimits);

  return (req) => {
    const field = header(req, 'idempotency-key');
    if (field === undefined) {
      if (idempotency === 'required') throw keyRequired();
      return undefined;
    }
    const key = parseStructuredString(field);
    // An empty string is well-formed, but identifies no request.
    if (key === undefined || key === '') throw keyMalformed();
    const whose = checkScope(ignoreRejection(scope(req)));
    return { id: digest([whose, key]), scope: digest([whose]), ...limits };
  };
}

export function readIdempotencyLimits(limits: IdempotencyLimits = noOptions) {
  const { keep = 150, total = Math.max(500, keep), maxAge = 300 } = limits;
  return { keep, total, maxAge };
}

/**
 * Anything but a string is an error before anything is done, because users would share one scope by mistake.
 */
function checkScope(scope: unknown): string {
  if (typeof scope === 'string') return scope;
  throw new TypeError(
    `The option scope returned a value of type ${typeof scope}. Return a string, such as the id of the user.`,
  );
}

/**
 * A hash of everything in a request that affects its result, but not of anything that affects only the
 * answer, such as Prefer (RFC 7240 2). The URI is hashed as the client wrote it: two URIs of one resource are
 * two targets.
 */
export function fingerprint(req: PatchRequest, format: ChosenFormat<Format>, document: Buffer): string {
  // All accepted charsets mean the same.
  const parameters = Object.entries(format.parameters).filter(([name]) => name !== 'charset');
  return digest(
    [
      req.method,
      // A proxy can send the target in absolute form (RFC 9112 3.2).
      originForm(req.originalUrl),
      format.mediaType,
      ...parameters.sort(([a], [b]) => (a < b ? -1 : 1)),
      header(req, 'if-match'),
      header(req, 'if-none-match'),
      header(req, 'if-unmodified-since'),
    ],
    document,
  );
}

/** Hashes the parts as JSON, so that different lists never become the same text. */
function digest(parts: readonly unknown[], document: Buffer | string = ''): string {
  return createHash('sha256').update(JSON.stringify(parts)).update(document).digest('base64url').slice(0, 22);
}

// The outcome is looked up in every state before the preconditions are checked, so a repeat finds it even if
// they no longer hold. Between processes the conditional write decides: the loser reads again and finds the
// winner's outcome. Within one process a repeat waits for the first request in the queue, unless that takes
// too long.

/**
 * The outcome of this request in a state; undefined if there is none.
 *
 * @throws ProblemError 422 if the outcome belongs to another request
 */
export function findOutcome(state: Stored<unknown>, { fingerprint }: IdempotentRequest): Outcome | undefined {
  const text = readMember(state, 'outcome');
  if (text === undefined) return undefined;
  const outcome = readOutcome(text, state.version !== undefined);
  if (outcome.fingerprint !== fingerprint) throw keyReused();
  return outcome;
}

/**
 * The outcome that a write stores, with the entity tag of the new state.
 *
 * @param keepsValues - false if the store can write another value than it received, such as a store with
 *   read-only columns
 */
export function createPendingOutcome<T>(
  { fingerprint, ...key }: IdempotentRequest,
  before: Stored<T> | undefined,
  next: T,
  createTag: (stored: Stored<T>) => string,
  keepsValues: boolean,
): PendingOutcome {
  const text = (version?: string): string => {
    const status = before === undefined ? 201 : 204;
    // A state that is its content can come back, so nothing shows whether it is the state that the request
    // made.
    if (version === undefined) return writeOutcome({ fingerprint, status });
    const tag = tagBefore(createTag, next, version, keepsValues);
    return writeOutcome({ fingerprint, status, version, ...(tag !== undefined && { tag }) });
  };
  return { ...key, text };
}

/** The requests with an idempotency key that are in progress in this process, by store. */
const keysInFlight = onePerStore(() => new Set<string>());

/**
 * Carries out a request, unless the same one is in progress in this process.
 *
 * @param assertAllowed - called before a client learns that the same request is in progress
 * @throws ProblemError 409 if the same request is in progress
 */
export async function unlessInFlight<R>(
  store: object,
  key: string,
  { id }: IdempotentRequest,
  carryOut: () => Promise<R>,
  assertAllowed: () => Promise<unknown>,
): Promise<R> {
  const inFlight = keysInFlight(store);
  const name = `${id} ${key}`;
  if (inFlight.has(name)) {
    await assertAllowed();
    throw requestInFlight();
  }
  inFlight.add(name);
  try {
    return await carryOut();
  } finally {
    inFlight.delete(name);
  }
}

/** The part of an answer that a store keeps: enough to repeat the answer, and to recognise the request. */
export interface Outcome {
  readonly fingerprint: string;
  readonly status: 201 | 204;
  /**
   * The version that the request made; missing if states are their content. A repeat then gets the status
   * alone.
   */
  readonly version?: string;
  /**
   * Missing if the app makes entity tags from something that only the engine knows, such as the time of the
   * write.
   */
  readonly tag?: string;
}

export function writeOutcome(outcome: Outcome): string {
  return JSON.stringify(outcome);
}

/**
 * @param hasVersion - whether states have versions
 * @throws TypeError, or SyntaxError if it is not even JSON, for a text that `writeOutcome` did not make
 */
export function readOutcome(text: string, hasVersion: boolean): Outcome {
  const outcome: unknown = JSON.parse(text);
  if (isOutcome(outcome) && (outcome.version !== undefined) === hasVersion) return outcome;
  throw new TypeError(
    'The store returned an outcome that this library did not write. ' +
      'Check which other code writes to its tables or keys.',
  );
}

function isOutcome(value: unknown): value is Outcome {
  if (typeof value !== 'object' || value === null) return false;
  const { fingerprint, status, version } = value as Partial<Record<keyof Outcome, unknown>>;
  const tag: unknown = readMember(value as Partial<Outcome>, 'tag') ?? '';
  const texts = [fingerprint, version ?? '', tag].every((member) => typeof member === 'string');
  return texts && (status === 201 || status === 204);
}

/**
 * The entity tag that the next state will have; undefined if it cannot be known before the write.
 */
export function tagBefore<T>(
  createTag: (stored: Stored<T>) => string,
  value: T,
  version: string,
  keepsValues: boolean,
): string | undefined {
  try {
    return createTag({
      // The value as it will be read back, and only on demand, because the output of a schema need not be
      // JSON yet.
      get value(): T {
        if (!keepsValues) throw new Error('The value is not known before the write.');
        return JSON.parse(JSON.stringify(value)) as T;
      },
      version,
      get modified(): Date {
        throw new Error('The time of the write is not known before the write.');
      },
    });
  } catch {
    return undefined;
  }
}

const string = String.raw`"(?:[ !#-[\]-~]|\\["\\])*"`;

/** RFC 9651 4.2.3.1: the value of a parameter. */
const bareItem = [
  String.raw`-?\d{1,12}\.\d{1,3}`, // Decimal
  String.raw`@?-?\d{1,15}`, // Integer, Date
  string,
  "[A-Za-z*][\\w!#$%&'*+.^`|~:/-]*", // Token
  String.raw`:[A-Za-z\d+/=]*:`, // Byte Sequence
  String.raw`\?[01]`, // Boolean
  String.raw`%"(?:[ !#$&-~]|%[\da-f]{2})*"`, // Display String
].join('|');

/** RFC 9651 4.2.3.2 */
const parameter = String.raw`; *[a-z*][a-z\d_.*-]*(?:=(?:${bareItem}))?`;

/**
 * The first character decides between the alternatives, so that matching takes one pass over anything that a
 * client sends.
 */
const item = new RegExp(`^ *(${string})(?:${parameter})* *$`);

/** More than the 1,024 characters that parsers must support (RFC 9651 3.3.3), even if each is escaped. */
const maxLength = 8_192;

/**
 * Reads a structured field whose value is an Item of type String (RFC 9651 3.3.3). Parameters must be
 * well-formed, but are ignored, as are all parameters that a field does not define (2.3).
 *
 * @param field - the value of the header; several lines, which Node joins by commas, are not an Item
 * @returns the content of the string; undefined if the field is anything else, or has more than 8,192
 *   characters
 */
export function parseStructuredString(field: string): string | undefined {
  if (field.length > maxLength) return undefined;
  const quoted = item.exec(field)?.[1];
  return quoted?.slice(1, -1).replaceAll(/\\(.)/g, '$1');
}
