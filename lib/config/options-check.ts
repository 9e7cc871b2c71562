import { shownText } from './app-callbacks';
import type { MistakeCode } from './mistake-code';
import { optionsOf } from './prototype-pollution';

/** Whether a value is an object, arrays included. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is an object with named properties: not an array, a Map or a Set. */
export function hasNames(value: unknown): value is object {
  return isObject(value) && !(Symbol.iterator in value);
}

/** One mistake that a `ConfigurationError` reports. */
export interface Mistake {
  /** The path of the option, such as `cors.origin[1]`. */
  readonly option: string;
  /** The value that was given. */
  readonly value: unknown;
  /** The kind of mistake. It stays the same when `reason` and `fix` are reworded. */
  readonly code: MistakeCode;
  /** What is wrong, as the rest of a sentence that begins with the value: `must be a function`. */
  readonly reason: string;
  /** What to do, as a sentence: `Write 'answer' or 'next'.` */
  readonly fix: string;
}

/**
 * What to do about names that are not options here, but are elsewhere: in another library, or in an object
 * inside the options.
 */
export type UnknownNameFixes = ReadonlyMap<string, string>;

/** What is wrong with a value, and how to fix it. */
export type Fault = Pick<Mistake, 'code' | 'reason' | 'fix'>;

/**
 * Thrown when a middleware, a store or a format is created with invalid options. Only what `transaction` of
 * `rowStore` passes on shows at the first write. It reports every mistake at once: its message has a line for
 * each, with the value, the reason, the fix and the code.
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
    const lines = mistakes.map(
      ({ option, value, reason, fix, code }) =>
        `  ${option}: ${shownText(value)} ${reason}. ${fix} [${code}]`,
    );
    super([`${subject} received invalid options:`, ...lines].join('\n'));
  }
}

/** Collects the mistakes found in one set of options and throws them together. */
export class OptionsCheck {
  readonly #mistakes: Mistake[] = [];

  /** @param subject - the function that got the options, such as `corsPreflight()` */
  constructor(readonly subject: string) {}

  mistake(option: string, value: unknown, { code, reason, fix }: Fault): void {
    this.#mistakes.push({ option, value, code, reason, fix });
  }

  /**
   * Reports every own name in `options` that is not among `known`, with the most similar known name as the
   * fix.
   *
   * @param fixes - the fixes for names that are not similar to a known one, but have a meaning elsewhere
   * @returns the options, to be read in place of `options`
   * @throws ConfigurationError if the options as a whole are not an object, as nothing can be read from them
   *   then
   */
  names<O>(options: O, known: readonly string[], path = '', fixes: UnknownNameFixes = new Map()): O {
    if (!hasNames(options)) {
      const fix = `The options are ${known.join(', ')}.`;
      this.mistake(whole(path), options, { code: 'option-type', reason: 'must be an object', fix });
      if (path === '') this.done();
      return options;
    }
    for (const [name, value] of Object.entries(options)) {
      if (known.includes(name)) continue;
      const fix = fixes.get(name) ?? fixByNearest(name, known);
      this.mistake(path + name, value, { code: 'option-unknown', reason: 'is not a known option', fix });
    }
    return optionsOf(options, known);
  }

  /**
   * Each of `names` must be a boolean if it is given: the string `'false'`, as from the environment, would
   * count as true.
   */
  flags<Name extends string>(
    options: Readonly<Partial<Record<Name, unknown>>>,
    names: readonly Name[],
    path = '',
  ): void {
    for (const name of names) {
      const { [name]: value } = options;
      if (value === undefined || typeof value === 'boolean') continue;
      this.mistake(path + name, value, {
        code: 'option-type',
        reason: 'must be a boolean',
        fix: 'Write true or false.',
      });
    }
  }

  /**
   * Calls `make`, and adds the mistakes that it reports to these, under `path`.
   *
   * @returns the result of `make`; undefined if there were mistakes
   */
  part<R>(path: string, make: () => R): R | undefined {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      for (const mistake of error.mistakes) {
        const option = mistake.option === whole('') ? whole(path) : path + mistake.option;
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

/** The name, in a message, of the options under `path` as a whole. */
function whole(path: string): string {
  return path.slice(0, -1) || 'options';
}

function fixByNearest(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? `The options are ${known.join(', ')}.` : `Did you mean '${nearest}'?`;
}

/** The known name with the smallest edit distance, unless that is more than half of the word. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const editsTo = (candidate: string): number => editDistance(name.toLowerCase(), candidate.toLowerCase());
  const [nearest] = known
    .filter((candidate) => editsTo(candidate) <= Math.max(1, name.length / 2))
    .sort((a, b) => editsTo(a) - editsTo(b));
  return nearest;
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const letter of a.split('')) {
    const next: number[] = [];
    for (const [j, above] of row.entries()) {
      const [left = Infinity, corner = Infinity] = [next[j - 1], row[j - 1]];
      next.push(Math.min(above + 1, left + 1, corner + Number(letter !== b[j - 1])));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
