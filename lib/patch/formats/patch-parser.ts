import type { IncomingMessage } from 'node:http';
import { isThenable } from '../../config/object';
import { noOptions } from '../../config/prototype-pollution';
import { inspectResult } from '../../config/inspect';
import { ignoreRejection } from '../../config/unawaited';
import { readAppJson } from '../../json/app-json';
import { isJsonError } from '../../json/json-error';
import { defaultJsonPatchLimits, type JsonPatchLimits } from '../../json/patch/apply-json-patch';
import { toPatchError } from './patch-error';

/** Limits on a PATCH or PUT request. A request that exceeds one is answered 413. */
export interface PatchLimits extends JsonPatchLimits {
  /**
   * The largest request body, in bytes. It also limits how many bytes the `copy` operations of one JSON Patch
   * can add, and how many bytes all JSON Pointers in `changed`, which `authorize` receives, can have. Default
   * 1,048,576 (1 MiB).
   */
  readonly bytes: number;
  /**
   * The deepest nesting, in levels, of the request body and of the result of a patch; at most 1,000.
   * Default 100.
   */
  readonly depth: number;
  /**
   * The largest result, in bytes of JSON, for stores that serialise it. Raise it only if your documents are
   * larger, because the cost of a request grows with it. Default 2,097,152 (2 MiB).
   */
  readonly result: number;
}

export function patchLimits({
  bytes = defaultJsonPatchLimits.bytes,
  operations = defaultJsonPatchLimits.operations,
  depth = defaultJsonPatchLimits.depth,
  result = 2_097_152,
}: Partial<PatchLimits> = noOptions): PatchLimits {
  return { bytes, operations, depth, result };
}

/** The context that a patch parser receives in addition to the document. */
export interface ParseContext {
  /**
   * The limits of the handler, including defaults. A parser throws a `PatchError` if the document exceeds
   * one.
   */
  readonly limits: PatchLimits;
  /** The parameters of Content-Type, with names in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly request: IncomingMessage;
  /**
   * The reference tokens of the path to each hidden member. The patch is applied to the value without these
   * members, and its result must not contain them. The result is checked after the patch. A parser needs the
   * paths only to refuse a patch that replaces an object above a hidden member with another object.
   */
  readonly hidden: readonly (readonly string[])[];
}

/**
 * A parsed patch: a function that never modifies its input, and must not return a promise. After a lost race
 * the document is parsed again, and applied to the fresh value. The result need not be a valid `T`: the
 * option `validate` checks that. If `validate` is a schema, every element of a list that is not the current
 * list counts as sent.
 *
 * @throws PatchError if it does not fit the current value
 */
export type Patch<T> = (current: T) => unknown;

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

/**
 * A patch of a parser of this library, which does not touch list elements that it does not name.
 *
 * @param originals - empty; receives each container that is an edited copy, with the container of the current
 *   value that it is a copy of
 */
type OwnPatch<T> = (current: T, originals?: Map<object, object>) => unknown;

/** The parsers of this library. */
const ownParsers = new WeakSet<object>();

/** Declares a parser of this library. Its patches turn JSON into JSON, so their results are not checked. */
export function ownParser<T>(
  parser: Pick<PatchParser<T>, 'mediaType'> & { parse(document: Buffer, context: ParseContext): OwnPatch<T> },
): PatchParser<T> {
  ownParsers.add(parser);
  return parser;
}

/**
 * Parses a document with a parser that can be the app's own. A promise is an error before any rule sees it,
 * because a promise has no members that a rule could refuse.
 *
 * @param mediaType - of the document, for messages
 * @throws TypeError if the parser does not return a function. The patch throws TypeError if it returns a
 *   promise, and NotJsonError if it returns a value that JSON cannot hold
 */
export function parsePatch<T>(
  parser: PatchParser<T>,
  mediaType: string,
  document: Buffer,
  context: ParseContext,
): OwnPatch<T> {
  const patch: unknown = withStatus(() => parser.parse(document, context));
  if (!isPatch<T>(patch)) {
    throw new TypeError(
      `The function parse of the parser for ${mediaType} returned ${inspectResult(patch)}. ` +
        'Return a function that takes the current value and returns the next one.',
    );
  }
  if (ownParsers.has(parser)) return (current, originals) => withStatus(() => patch(current, originals));
  return (current) => {
    const next = ignoreRejection(withStatus(() => patch(current)));
    const subject = `The result of the patch of the parser for ${mediaType}`;
    if (!isThenable(next)) return readAppJson(next, subject, current);
    throw new TypeError(
      `The patch of the parser for ${mediaType} returned a promise. ` +
        'Return the next value itself, and await what it needs in a middleware before this handler.',
    );
  };
}

/** Runs a parser or a patch. Errors from json/ become answers to the client. */
function withStatus<R>(run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw isJsonError(error) ? toPatchError(error) : error;
  }
}

function isPatch<T>(value: unknown): value is OwnPatch<T> {
  return typeof value === 'function';
}
