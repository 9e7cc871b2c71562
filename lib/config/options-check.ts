import { inspectName, inspectValue } from './inspect';
import type { Expectation } from './expectation';
import type { Issue, Mistake } from './mistake';
import type { MistakeCode } from './mistake-code';
import { nearestName } from './nearest-name';
import { isObject } from './object';
import { nameWhole, readOptions, type Expectations } from './read-options';

/**
 * The fixes for names that are not options here, but are options of another library, or of an object inside
 * the options.
 */
export type UnknownNameFixes = ReadonlyMap<string, string>;

/**
 * Thrown when a middleware, a store or a format is created with invalid options; only mistakes in the rows
 * that `transaction` of `rowStore` passes on show at the first write. It reports every mistake at once: its
 * message has a line for each, with the value, the reason, the fix and the code.
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** The code of the error as a whole; each of `mistakes` has its own. */
  readonly code = 'PATCH_OPTIONS_CONFIGURATION';

  constructor(
    /** The function that got the options, such as `corsPreflight()`. */
    readonly subject: string,
    /** Every mistake in the options, at least one. */
    readonly mistakes: readonly Mistake[],
  ) {
    const lines = mistakes.map(({ option, value, reason, fix, code }) => {
      // The value of an unknown option is not at fault.
      const subject = code === 'option-unknown' ? option : `${option}: ${value}`;
      return `  ${subject} ${reason}. ${fix} [${code}]`;
    });
    super([`${subject} received invalid options:`, ...lines].join('\n'));
  }
}

/** Collects the mistakes found in the arguments of one function, and throws them together. */
export class OptionsCheck {
  readonly #mistakes: Mistake[] = [];

  /** @param subject - the function that got the options, such as `corsPreflight()` */
  constructor(readonly subject: string) {}

  /**
   * Reads options, and reports every mistake in them. The fix for an unknown name is the most similar option.
   *
   * @param path - the path of options inside other options, with a dot at the end
   * @param fixes - the fixes for names that have a meaning elsewhere
   * @returns the options to read instead of the argument
   * @throws ConfigurationError if the options are not an object, because nothing can be read from them then
   */
  options<O>(options: O, expected: Expectations, path = '', fixes?: UnknownNameFixes): O {
    if (path === '' && isRequest(options)) {
      const reason = 'is the request: the function was mounted without being called';
      const fix = `Write ${this.subject} with the parentheses.`;
      this.mistake('options', options, { code: 'option-type', reason, fix });
      this.done();
    }
    const report = this.mistake.bind(this);
    const fixUnknown = (name: string, known: readonly string[]): string | undefined =>
      fixes?.get(name) ?? fixByNearest(name, known);
    const settings = readOptions(options, expected, report, path, fixUnknown);
    if (settings === undefined && path === '') this.done();
    return settings ?? options;
  }

  /** Reports the mistake in an argument, or in an option that was computed. */
  value(option: string, value: unknown, { findIssue }: Expectation): void {
    const issue = findIssue(value);
    if (issue !== undefined) this.mistake(option, value, issue);
  }

  mistake(option: string, value: unknown, { code, reason, fix, isName = nameCodes.has(code) }: Issue): void {
    const shown = isName ? inspectName(value) : inspectValue(value);
    this.#mistakes.push({ option, value: shown, code, reason, fix });
  }

  /**
   * Calls `make`, and adds the mistakes that it reports, under `path`.
   *
   * @returns the result of `make`; undefined if there were mistakes
   */
  part<R>(path: string, make: () => R): R | undefined {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      for (const mistake of error.mistakes) {
        const option = mistake.option === nameWhole('') ? nameWhole(path) : path + mistake.option;
        this.#mistakes.push({ ...mistake, option });
      }
      return undefined;
    }
  }

  /** @throws ConfigurationError if a mistake was found */
  done(): void {
    if (this.#mistakes.length > 0) throw new ConfigurationError(this.subject, this.#mistakes);
  }
}

/** The codes of mistakes in a name, a pointer, a media type or an origin, whose text is shown. */
const nameCodes: ReadonlySet<MistakeCode> = new Set([
  ...(['resource-path-invalid', 'method-unknown', 'method-case', 'cors-method-forbidden'] as const),
  ...(['parser-duplicate', 'media-type-invalid', 'json-pointer-invalid'] as const),
  ...(['cors-origin-any', 'cors-origin-form', 'cors-origin-insecure', 'cors-origin-list'] as const),
  ...(['cors-origin-null', 'cors-origin-public-suffix', 'cors-origin-redundant'] as const),
  ...(['cors-origin-wildcard', 'cors-header-any', 'cors-header-forbidden', 'header-name-invalid'] as const),
  ...(['column-unknown', 'path-unknown', 'key-not-unique'] as const),
  ...(['store-name-invalid', 'store-client-resends', 'sqlite-encoding', 'sqlite-wal-reset'] as const),
]);

function fixByNearest(name: string, known: readonly string[]): string | undefined {
  const nearest = nearestName(name, known);
  return nearest === undefined ? undefined : `Did you mean '${nearest}'?`;
}

/** Whether this is a request, with which Express calls a middleware. */
function isRequest(options: unknown): options is object {
  return isObject(options) && 'headers' in options && 'method' in options && 'url' in options;
}
