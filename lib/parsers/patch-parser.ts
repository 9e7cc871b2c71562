import type { IncomingMessage } from 'node:http';

/** What one PATCH may cost. Each is an option of `patchHandler`; each, when passed, is a 413 that names it. */
export interface PatchLimits {
  /** Bytes of the patch document, counted after a content coding is undone. Default 1 MiB. */
  readonly bytes: number;
  /** Operations in one JSON Patch. Default 1,000. */
  readonly operations: number;
  /** Levels of nesting, of the patch document and of the value that it makes. Default 100. */
  readonly depth: number;
  /** Bytes, as JSON, that the `copy` operations of one patch may add. Default 1 MiB. */
  readonly copied: number;
  /**
   * Bytes of the resulting value as its store writes it. Default 16 MiB. Stores that do not serialise do not
   * count.
   */
  readonly result: number;
}

export const defaultLimits: PatchLimits = {
  bytes: 1_048_576,
  operations: 1_000,
  depth: 100,
  copied: 1_048_576,
  result: 16_777_216,
};

/** What a parser is told beside the document. */
export interface ParseContext {
  readonly limits: PatchLimits;
  /** The parameters of the request's Content-Type, names in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly request: IncomingMessage;
}

/**
 * A patch that was read and is ready to apply. It is pure: it never changes its input, and it may be applied
 * again to a fresh value after a lost race. What it makes is `unknown`: a patch can turn a value into any other,
 * and whether the result is a `T` is for `validate` to say.
 *
 * @throws PatchError where the current value is in no state that it fits
 */
export type Patch<T> = (current: T) => unknown;

/** A patch format: the media type that names it and the reader of its documents. */
export interface PatchParser<T = unknown> {
  /** One or several, each listed in `Accept-Patch` in this order. */
  readonly mediaType: string | readonly string[];
  /** @throws PatchError where the document is not one of its media type */
  parse(document: Buffer, context: ParseContext): Patch<T>;
}
