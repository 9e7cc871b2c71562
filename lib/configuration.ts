import { shownText } from './app-callbacks';
import type { MistakeCode } from './mistake-code';
import { optionsOf } from './prototype-pollution';

/** Whether members can be read of a value that nobody has checked: an array's, too. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The same by their names, which a list, a Map or a Set does not have. */
export function hasNames(value: unknown): value is object {
  return isObject(value) && !(Symbol.iterator in value);
}

/** An option that cannot be what it is. */
export interface Mistake {
  /** As in `cors.origin[1]`. */
  readonly option: string;
  readonly value: unknown;
  /** Stays the same when `reason` and `fix` are reworded. */
  readonly code: MistakeCode;
  /** Follows the value in a sentence. */
  readonly reason: string;
  readonly fix: string;
}

/** What is wrong with a value, and what to write instead. */
export type Fault = Pick<Mistake, 'code' | 'reason' | 'fix'>;

/** Thrown at start, never while a request is served: every mistake in the options at once. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly code = 'PATCH_OPTIONS_CONFIGURATION';

  /** @param subject - as in `corsPreflight()` */
  constructor(
    readonly subject: string,
    readonly mistakes: readonly Mistake[],
  ) {
    const lines = mistakes.map(
      ({ option, value, reason, fix }) => `  ${option}: ${shownText(value)} ${reason}. ${fix}`,
    );
    super([`${subject} cannot work with these options:`, ...lines].join('\n'));
  }
}

/** Collects the mistakes found in one set of options and throws them together. */
export class OptionsCheck {
  readonly #mistakes: Mistake[] = [];

  /** @param subject - as in `corsPreflight()` */
  constructor(readonly subject: string) {}

  mistake(option: string, value: unknown, { code, reason, fix }: Fault): void {
    this.#mistakes.push({ option, value, code, reason, fix });
  }

  /**
   * Every own name in `options` that is not among `known` is a mistake; the nearest right name is the fix.
   *
   * @returns the options, to be read in place of what was given
   * @throws ConfigurationError where the options as a whole are no object, for nothing can be read from them then
   */
  names<O>(options: O, known: readonly string[], path = ''): O {
    if (!hasNames(options)) {
      const fix = `Give an object with any of ${known.join(', ')}.`;
      this.mistake(whole(path), options, { code: 'option-type', reason: 'is no object', fix });
      if (path === '') this.done();
      return options;
    }
    for (const [name, value] of Object.entries(options)) {
      if (known.includes(name)) continue;
      const nearest = nearestName(name, known);
      const fix =
        nearest === undefined ? `The options are ${known.join(', ')}.` : `Did you mean '${nearest}'?`;
      this.mistake(path + name, value, {
        code: 'option-unknown',
        reason: 'belongs to no option of that name',
        fix,
      });
    }
    return optionsOf(options, known);
  }

  /** Each of `names` that is given is true or false: the text `'false'`, as from the environment, would count as true. */
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
        reason: 'is neither true nor false',
        fix: 'Write true or false.',
      });
    }
  }

  /**
   * Makes a part of what is being made, and takes over the mistakes in its options, under `path`.
   *
   * @returns undefined where there were any
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

  /** @throws ConfigurationError where a mistake was found */
  done(): void {
    if (this.#mistakes.length > 0) throw new ConfigurationError(this.subject, this.#mistakes);
  }
}

/** What options are called that are under `path` as a whole. */
function whole(path: string): string {
  return path.slice(0, -1) || 'options';
}

/** The known name that the fewest edits lead to, unless that is most of the word. */
function nearestName(name: string, known: readonly string[]): string | undefined {
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
