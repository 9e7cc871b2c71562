import { outcomesFull } from './outcome-store';
import type { PendingOutcome } from './resource-store';

interface StoredOutcome {
  readonly id: string;
  readonly scope: string;
  /** Milliseconds since the epoch, by the clock of the process that wrote it. */
  readonly expires: number;
  /** How it is stored: the members above, and its text. */
  readonly line: string;
}

/**
 * The outcomes of one resource, oldest first. They are one text beside the value, with a line for each, and
 * every write that adds one rewrites it. Lines and not JSON, because that takes a fifth of the time.
 */
export class OutcomeList {
  static readonly empty = new OutcomeList([]);

  private constructor(private readonly outcomes: readonly StoredOutcome[]) {}

  /**
   * @param place - where the text is stored, for the error, such as `the column outcomes`
   * @param text - null, undefined or empty if there are none
   * @throws TypeError for any other text
   */
  static parse(place: string, text: unknown): OutcomeList {
    if (text === null || text === undefined || text === '') return OutcomeList.empty;
    const lines = typeof text === 'string' ? text.split('\n') : [''];
    return new OutcomeList(
      lines.map((line) => {
        const [, expires = '', scope = '', id = ''] = prefixFormat.exec(line) ?? [];
        if (id !== '') return { id, scope, expires: Number(expires), line };
        throw new TypeError(
          `There is something other than outcomes in ${place}, which only the store may write. Empty it.`,
        );
      }),
    );
  }

  /** The text of an unexpired outcome. */
  find(id: string): string | undefined {
    const now = Date.now();
    const found = this.outcomes.find((outcome) => outcome.id === id && outcome.expires > now);
    return found?.line.replace(prefixFormat, '').replace(/%25|%0A/g, decodeURIComponent);
  }

  /**
   * The unexpired outcomes and one more, for the version being written, if there is one.
   *
   * @returns undefined if its id has an outcome already, so that nothing must be written
   * @throws ProblemError 503 if there is no room for it
   */
  with({ id, scope, text, keep, total, maxAge }: PendingOutcome, version?: string): OutcomeList | undefined {
    const now = Date.now();
    const unexpired = this.outcomes.filter((outcome) => outcome.expires > now);
    if (unexpired.some((outcome) => outcome.id === id)) return undefined;
    const inScope = unexpired.filter((outcome) => outcome.scope === scope);
    const full = inScope.length >= keep ? inScope : unexpired.length >= total ? unexpired : [];
    if (full.length > 0) {
      const next = full.reduce((earliest, { expires }) => Math.min(earliest, expires), Infinity);
      throw outcomesFull((next - now) / 1_000);
    }
    const expires = now + maxAge * 1_000;
    const line = `${expires} ${scope} ${id} ${text(version).replace(/[%\n]/g, encodeURIComponent)}`;
    return new OutcomeList([...unexpired, { id, scope, expires, line }]);
  }

  toString(): string {
    return this.outcomes.map(({ line }) => line).join('\n');
  }
}

/** The text of the outcome follows it. */
const prefixFormat = /^(\d+) ([\w-]+) ([\w-]+) /;
