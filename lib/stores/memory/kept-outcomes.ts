import { outcomesFull } from '../contract/outcome-store';
import type { OutcomeToKeep } from '../contract/resource-store';

interface Kept {
  readonly text: string;
  /** Milliseconds of the epoch. */
  readonly expires: number;
}

/** The outcomes of one resource in this process's memory, oldest first. */
export class KeptOutcomes {
  readonly #byId = new Map<string, Kept>();

  find(id: string): string | undefined {
    const kept = this.#byId.get(id);
    return kept !== undefined && kept.expires > Date.now() ? kept.text : undefined;
  }

  /**
   * Forgets the oldest while they are over their age.
   *
   * @throws ProblemError 503 where that leaves no room for another
   */
  makeRoom(keep: number): void {
    const now = Date.now();
    for (const [id, { expires }] of this.#byId) {
      if (expires > now) {
        if (this.#byId.size >= keep) throw outcomesFull((expires - now) / 1_000);
        return;
      }
      this.#byId.delete(id);
    }
  }

  keep({ id, maxAge, text }: OutcomeToKeep, version: string): void {
    const kept = { text: text(version), expires: Date.now() + maxAge * 1_000 };
    this.#byId.delete(id); // so that it stands at the end
    this.#byId.set(id, kept);
  }
}
