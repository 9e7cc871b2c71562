import type { IncomingMessage } from 'node:http';
import type { OptionsCheck } from '../configuration';
import { noOptions } from '../prototype-pollution';
import { compileFormats, type FormatTable } from './format-table';

/** Limits on one PATCH request. A request that exceeds one is answered 413. */
export interface PatchLimits {
  /** Bytes of the patch document after content decoding. Default 1 MiB. */
  readonly bytes: number;
  /** Operations in one JSON Patch. Default 1,000. */
  readonly operations: number;
  /** Levels of nesting, in the patch document and in the result. Default 100. */
  readonly depth: number;
  /** Bytes of JSON that `copy` operations can add. Default 1 MiB. */
  readonly copied: number;
  /**
   * Array elements that the insertions and removals of one JSON Patch can shift. Default 10,000,000, which costs
   * about as much as parsing the largest patch; any array within the default of `result` can be inserted into.
   */
  readonly shifted: number;
  /** Bytes of all JSON Pointers in `changed`, which `authorize` receives. Default 256 KiB. */
  readonly changes: number;
  /** Bytes of the result as JSON, in stores that serialise it. Default 16 MiB. */
  readonly result: number;
}

/** Fills in the default limits. */
export function patchLimits({
  bytes = 1_048_576,
  operations = 1_000,
  depth = 100,
  copied = 1_048_576,
  shifted = 10_000_000,
  changes = 262_144,
  result = 16_777_216,
}: Partial<PatchLimits> = noOptions): PatchLimits {
  return { bytes, operations, depth, copied, shifted, changes, result };
}

export const defaultLimits = patchLimits();

/** What a patch parser receives besides the document. */
export interface ParseContext {
  readonly limits: PatchLimits;
  /** The parameters of Content-Type, with names in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly request: IncomingMessage;
  /**
   * The reference tokens of the path to each hidden member. The patch is applied to the value without these members,
   * and its result must not contain them. That is checked after the patch. A parser needs the paths only to refuse a
   * patch that replaces an object above one with another object.
   */
  readonly hidden: readonly (readonly string[])[];
}

/**
 * A parsed patch. It must be a pure function that never modifies its input, because it is applied again after a lost
 * race. The result need not be a valid `T`: the option `validate` checks that.
 *
 * @throws PatchError if it does not fit the current value
 */
export type Patch<T> = (current: T) => unknown;

/** Parses the patch documents of one or more media types. */
export interface PatchParser<T = unknown> {
  /** The media types that this parser reads, in the order in which Accept-Patch lists them. */
  readonly mediaType: string | readonly string[];
  /**
   * Parses a patch document. It does not see the current value.
   *
   * @throws PatchError if the document is malformed
   */
  parse(document: Buffer, context: ParseContext): Patch<T>;
}

/** The parsers of one handler by media type, in the order of Accept-Patch (RFC 5789 3.1). */
export function compileParsers<T>(
  parsers: readonly PatchParser<T>[],
  check: OptionsCheck,
): FormatTable<PatchParser<T>> {
  const named = { option: 'parsers', kind: 'patch parser', example: 'jsonPatch(), mergePatch()' } as const;
  return compileFormats(parsers, named, check);
}
