import type { IncomingMessage } from 'node:http';
import type { OptionsCheck } from '../configuration';
import { noOptions } from '../prototype-pollution';
import { compileFormats, type FormatTable } from './format-table';

/** What one PATCH may cost; beyond it is 413. */
export interface PatchLimits {
  /** Bytes of the patch document, decoded. Default 1 MiB. */
  readonly bytes: number;
  /** Operations in one JSON Patch. Default 1,000. */
  readonly operations: number;
  /** Levels of nesting of the document and of what it makes. Default 100. */
  readonly depth: number;
  /** Bytes of JSON that `copy` operations may add. Default 1 MiB. */
  readonly copied: number;
  /**
   * Array elements that the insertions and removals of one JSON Patch may shift by one place. Default 10,000,000: so many
   * cost about what it costs to parse the largest patch, and any array within the default of `result` can be inserted into.
   */
  readonly shifted: number;
  /** Bytes of the JSON Pointers of all that is changed, where `authorize` is told of it. Default 256 KiB. */
  readonly changes: number;
  /** Bytes of the result, in stores that serialise. Default 16 MiB. */
  readonly result: number;
}

/** Each limit that is not given as it is by default. */
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

/** What a parser is told. */
export interface ParseContext {
  readonly limits: PatchLimits;
  /** Of Content-Type, names in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly request: IncomingMessage;
  /**
   * The reference tokens of each hidden member: the value that the patch is applied to does not have it, and what a patch
   * makes must not have it either. What a format makes is checked for that afterwards; it need look at these only to refuse
   * that an object above one is replaced by another.
   */
  readonly hidden: readonly (readonly string[])[];
}

/**
 * Pure: it never changes its input, and may be applied again after a lost race. Whether it makes a `T` is for `validate`
 * to say.
 *
 * @throws PatchError where it does not fit the current value
 */
export type Patch<T> = (current: T) => unknown;

/** A patch format. */
export interface PatchParser<T = unknown> {
  /** Listed in `Accept-Patch` in this order. */
  readonly mediaType: string | readonly string[];
  /** @throws PatchError where the document is none of its media type */
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
