import type { MistakeCode } from './mistake-code';

/** One mistake that a `ConfigurationError` reports. */
export interface Mistake {
  /** The path of the option, such as `cors.origin[1]`. */
  readonly option: string;
  /**
   * The value of the option, as the message shows it: an object as the name of its type, and a text as
   * `a string`, unless a name, a pointer, a media type or an origin is expected.
   */
  readonly value: string;
  /** The kind of mistake. It stays the same when `reason` and `fix` are reworded. */
  readonly code: MistakeCode;
  /** The rest of a sentence that begins with the value: `must be a function`. */
  readonly reason: string;
  /** The remedy, as a sentence: `Write 'answer' or 'next'.` */
  readonly fix: string;
}

/** The mistake in a value, and how to fix it. */
export interface Issue extends Pick<Mistake, 'code' | 'reason' | 'fix'> {
  /** Whether the value is a name or a pointer, so that a text is shown. Default: it depends on `code`. */
  readonly isName?: boolean;
}
