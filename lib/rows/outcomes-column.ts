import { isObject } from '../config/object';
import { outcomesFull } from '../stores/contract/outcome-store';
import type { OutcomeToKeep } from '../stores/contract/resource-store';

/** One outcome, as the column stores it. */
interface Kept {
  readonly id: string;
  readonly scope: string;
  readonly text: string;
  /** Milliseconds since the epoch, by the clock of the process that wrote it. */
  readonly expires: number;
}

/** The unexpired outcomes of a row, oldest first. */
export class ColumnOutcomes {
  private constructor(private readonly kept: readonly Kept[]) {}

  /**
   * @param column - its name, for the error
   * @param text - null if there are none
   * @throws TypeError for any other text
   */
  static read(column: string, text: unknown): ColumnOutcomes {
    if (text === null || text === undefined) return new ColumnOutcomes([]);
    const all = typeof text === 'string' ? parsed(text) : undefined;
    if (!Array.isArray(all) || !all.every(isKept)) {
      throw new TypeError(
        `The column ${column} contains something other than outcomes. ` +
          'Use a text column that only rowStore writes, and set it to NULL.',
      );
    }
    const now = Date.now();
    return new ColumnOutcomes(all.filter(({ expires }) => expires > now));
  }

  find(id: string): string | undefined {
    return this.kept.find((kept) => kept.id === id)?.text;
  }

  /**
   * The text of the column with one more outcome.
   *
   * @throws ProblemError 503 if there is no room for it
   */
  with({ id, scope, text, keep, total, maxAge }: OutcomeToKeep, version: string): string {
    const ofScope = this.kept.filter((kept) => kept.scope === scope);
    const full = ofScope.length >= keep ? ofScope : this.kept.length >= total ? this.kept : [];
    const [oldest] = full;
    if (oldest !== undefined) throw outcomesFull((oldest.expires - Date.now()) / 1_000);
    const kept = { id, scope, text: text(version), expires: Date.now() + maxAge * 1_000 };
    return JSON.stringify([...this.kept, kept]);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isKept(value: unknown): value is Kept {
  if (!isObject(value)) return false;
  const { id, scope, text, expires } = value as Partial<Record<keyof Kept, unknown>>;
  return [id, scope, text].every((member) => typeof member === 'string') && typeof expires === 'number';
}
