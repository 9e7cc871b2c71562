import type { IncomingMessage } from 'node:http';
import { noOptions } from '../../config/prototype-pollution';
import { defaultJsonPatchLimits, type JsonPatchLimits } from '../../json/patch/limits';
import { shownResult } from '../../config/shown-text';
import { isThenable } from '../../config/object';
import { notAwaited } from '../../config/unawaited';
import { isJsonError } from '../../json/json-error';
import { readAppJson } from '../../json/app-json';
import { toPatchError } from './patch-error';

/** Limits on a PATCH or PUT request. A request that exceeds one is answered 413. */
export interface PatchLimits extends JsonPatchLimits {
  /**
   * The largest request body, in bytes. The `copy` operations of one JSON Patch can add as many, and the JSON
   * Pointers in `changed`, which `authorize` receives, can have as many together. Default 1 MiB.
   */
  readonly bytes: number;
  /**
   * The deepest nesting, in levels, of the request body and of the result of a patch; at most 1,000.
   * Default 100.
   */
  readonly depth: number;
  /**
   * The largest result, in bytes of JSON, for stores that serialise it. Where your documents are larger, say
   * so: what one request costs grows with them. Default 2 MiB.
   */
  readonly result: number;
}

/** Fills in the default limits. */
export function patchLimits({
  bytes = defaultJsonPatchLimits.bytes,
  operations = defaultJsonPatchLimits.operations,
  depth = defaultJsonPatchLimits.depth,
  result = 2_097_152,
}: Partial<PatchLimits> = noOptions): PatchLimits {
  return { bytes, operations, depth, result };
}

export const defaultLimits = patchLimits();

/** What a patch parser receives in addition to the document. */
export interface ParseContext {
  /**
   * The limits of the handler, defaults included. A parser throws a `PatchError` if the document exceeds one.
   */
  readonly limits: PatchLimits;
  /** The parameters of Content-Type, with names in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly request: IncomingMessage;
  /**
   * The reference tokens of the path to each hidden member. The patch is applied to the value without these
   * members, and its result must not contain them. That is checked after the patch. A parser needs the paths
   * only to refuse a patch that replaces an object above one with another object.
   */
  readonly hidden: readonly (readonly string[])[];
}

/**
 * A parsed patch: a function that never modifies its input, and must not return a promise. After a lost race
 * the document is parsed again, and applied to the fresh value. The result need not be a valid `T`: the option
 * `validate` checks that.
 *
 * @param originals - empty; can be given each container that is an edited copy of one of the current value,
 *   with that one. With a schema as `validate`, what such a copy shares with its original stays as it is;
 *   every element of any other new list counts as sent
 * @throws PatchError if it does not fit the current value
 */
export type Patch<T> = (current: T, originals?: Map<object, object>) => unknown;

/** Parses the patch documents of one or more media types. */
export interface PatchParser<T = unknown> {
  /** The media types that this parser reads, in the order in which Accept-Patch lists them. */
  readonly mediaType: string | readonly string[];
  /**
   * Parses a patch document, once for each attempt to write. It does not see the current value.
   *
   * @throws PatchError if the document is malformed
   */
  parse(document: Buffer, context: ParseContext): Patch<T>;
}

/** The parsers of this library. */
const ownParsers = new WeakSet<object>();

/** Declares a parser of this library: its patches make JSON of JSON, so their results are not checked. */
export function ownParser<T>(parser: PatchParser<T>): PatchParser<T> {
  ownParsers.add(parser);
  return parser;
}

/**
 * Parses a document with a parser that can be the app's own. A promise is an error, before any rule sees it:
 * it has no members, so a rule would find nothing to refuse in it.
 *
 * @param mediaType - of the document, for messages
 * @throws TypeError if the parser returns no function; so does the patch if it returns a promise, and
 *   NotJsonError if it returns what JSON cannot hold
 */
export function parsePatch<T>(
  parser: PatchParser<T>,
  mediaType: string,
  document: Buffer,
  context: ParseContext,
): Patch<T> {
  const patch: unknown = withStatus(() => parser.parse(document, context));
  if (!isPatch<T>(patch)) {
    throw new TypeError(
      `The function parse of the parser for ${mediaType} returned ${shownResult(patch)}. ` +
        'Return a function that takes the current value and returns the next one.',
    );
  }
  return (current, originals) => {
    const next = notAwaited(withStatus(() => patch(current, originals)));
    if (ownParsers.has(parser)) return next;
    const subject = `The result of the patch of the parser for ${mediaType}`;
    if (!isThenable(next)) return readAppJson(next, subject, current);
    throw new TypeError(
      `The patch of the parser for ${mediaType} returned a promise. ` +
        'Return the next value itself, and await what it needs in a middleware before this handler.',
    );
  };
}

/** Runs a parser or a patch. What it throws of json/ becomes an answer to the client. */
function withStatus<R>(run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw isJsonError(error) ? toPatchError(error) : error;
  }
}

function isPatch<T>(value: unknown): value is Patch<T> {
  return typeof value === 'function';
}
