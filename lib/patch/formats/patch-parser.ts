import type { IncomingMessage } from 'node:http';
import { isObject, isThenable } from '../../config/object';
import type { OptionsCheck } from '../../config/options-check';
import { noOptions } from '../../config/prototype-pollution';
import { inspectResult } from '../../config/inspect';
import { ignoreRejection } from '../../config/unawaited';
import { readAppJson } from '../../json/app-json';
import { isJsonError, JsonError } from '../../json/json-error';
import { defaultJsonPatchLimits, type JsonPatchLimits } from '../../json/patch/apply-json-patch';
import { scanJson } from '../../json/scan';
import { isArray } from '../../json/value';
import { PatchError, type PatchErrorCode, toPatchError } from './patch-error';

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

export const defaultLimits = patchLimits();

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

/** The media types that a parser reads. */
export interface Format {
  readonly mediaType: string | readonly string[];
}

/** The formats of one handler, by media type. */
export interface FormatTable<F extends Format> {
  /** In lower case, in the order of the formats. */
  readonly mediaTypes: readonly string[];
  /** @param type - `type/subtype` without parameters, in any letter case (RFC 9110 8.3.1) */
  find(type: string): F | undefined;
}

const example = 'jsonPatch(), mergePatch()';
const exampleType = 'application/merge-patch+json';

/**
 * The parsers of one handler by media type, in the order of Accept-Patch (RFC 5789 3.1). Every mistake in
 * them is reported to `check`; if there are any, the table must not be used.
 */
export function compileParsers<F extends Format>(parsers: readonly F[], check: OptionsCheck): FormatTable<F> {
  const byType = new Map<string, F>();
  const list = isArray(parsers) ? parsers : [];
  if (list.length === 0) {
    check.mistake('parsers', parsers, {
      code: isArray(parsers) ? 'option-empty' : 'option-type',
      reason: 'must be a non-empty list of patch parsers',
      fix: `Write [${example}].`,
    });
  }
  list.forEach((parser, index) => {
    const option = `parsers[${index}]`;
    if (!isParser(parser)) {
      check.mistake(option, parser, {
        code: 'option-type',
        reason: 'is not a patch parser',
        fix: `Call the function: ${example}.`,
      });
      return;
    }
    for (const type of checkMediaTypes(`${option}.mediaType`, parser.mediaType, exampleType, check)) {
      if (byType.has(type)) {
        check.mistake(option, type, {
          code: 'parser-duplicate',
          reason: 'is already read by an earlier patch parser',
          fix: 'Keep one patch parser for each media type.',
        });
      }
      byType.set(type, parser);
    }
  });
  return { mediaTypes: [...byType.keys()], find: (type) => byType.get(type.toLowerCase()) };
}

/**
 * The media types in lower case; invalid ones are reported to `check`. Parameters are refused because a
 * format is chosen by its type and subtype alone; wildcards because only `Accept` has them.
 *
 * @param example - a media type that the option can have
 */
export function checkMediaTypes(
  option: string,
  value: string | readonly string[],
  example: string,
  check: OptionsCheck,
): string[] {
  const types: readonly unknown[] = isArray(value) ? value : [value];
  if (types.length === 0) {
    check.mistake(option, value, {
      code: 'option-empty',
      reason: 'must contain a media type',
      fix: `Write '${example}'.`,
    });
  }
  return types.flatMap((type) => {
    if (typeof type === 'string' && mediaTypeForm.test(type)) return [type.toLowerCase()];
    const fix = `Write type/subtype without parameters or wildcards: '${example}'.`;
    check.mistake(option, type, { code: 'media-type-invalid', reason: 'is not a media type', fix });
    return [];
  });
}

/**
 * RFC 6838 4.2. Unlike a token of RFC 9110 5.6.2, a registered name cannot contain `*` and some other
 * characters.
 */
const mediaTypeForm = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i;

function isParser(parser: unknown): boolean {
  return isObject(parser) && 'mediaType' in parser && 'parse' in parser && typeof parser.parse === 'function';
}

/** The description of a JSON text in errors. */
export interface JsonSource {
  /** The subject of the sentence, such as "The patch document". */
  readonly name: string;
  readonly malformed: PatchErrorCode;
}

const patchDocument: JsonSource = { name: 'The patch document', malformed: 'patch-malformed' };

// A byte order mark is skipped: RFC 8259 8.1 allows readers to ignore it, and some editors still write one.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads JSON text (RFC 8259) in UTF-8. It also refuses valid JSON that is ambiguous or would be changed: an
 * object with a duplicate member name, of which `JSON.parse` keeps the last; a number beyond the range of a
 * double, which becomes Infinity and is then written as null; and an integer that a double would change.
 * Fractions are rounded to doubles, as every parser rounds them (RFC 7493 2.2).
 *
 * @param depth - the deepest nesting accepted
 * @param source - how errors name the document
 * @throws PatchError
 */
export function readJson(document: Buffer, depth: number, source = patchDocument): unknown {
  const text = decode(document, source);
  try {
    scanJson(text, depth, source.name);
  } catch (error) {
    throw error instanceof JsonError ? toPatchError(error, source.malformed) : error;
  }
  const value: unknown = JSON.parse(text);
  return value;
}

function decode(document: Buffer, { name, malformed }: JsonSource): string {
  if (document.length === 0)
    throw new PatchError(malformed, `${name} is empty. Send one in the format of the Content-Type.`);
  try {
    return utf8.decode(document);
  } catch {
    throw new PatchError(malformed, `${name} is not valid UTF-8. Encode JSON as UTF-8 (RFC 8259 8.1).`);
  }
}
