import { outcomesFull } from '../contract/outcome-store';
import type { OutcomeToKeep } from '../contract/resource-store';

interface Kept {
  readonly text: string;
  readonly scope: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** By id, oldest first. */
type Outcomes = Map<string, Kept>;

/** The outcomes of one resource in this process's memory. */
export class MemoryOutcomes {
  readonly #all: Outcomes = new Map();
  readonly #ofScope = new Map<string, Outcomes>();

  find(id: string): string | undefined {
    const kept = this.#all.get(id);
    return kept !== undefined && kept.expires > Date.now() ? kept.text : undefined;
  }

  /**
   * Removes the oldest expired outcomes of the scope and of the resource: a few, or as many as make room for
   * one.
   *
   * @throws ProblemError 503 if there is still no room
   */
  makeRoom({ scope, keep, total }: OutcomeToKeep): void {
    const now = Date.now();
    const ofScope = this.#wait(this.#ofScope.get(scope), keep, now);
    const milliseconds = Math.max(ofScope, this.#wait(this.#all, total, now));
    if (milliseconds > 0) throw outcomesFull(milliseconds / 1_000);
  }

  keep({ id, scope, maxAge, text }: OutcomeToKeep, version: string): void {
    const kept = { text: text(version), scope, expires: Date.now() + maxAge * 1_000 };
    this.#forget(id); // so that it is inserted at the end
    const ofScope = this.#ofScope.get(scope) ?? new Map<string, Kept>();
    this.#ofScope.set(scope, ofScope);
    for (const outcomes of [this.#all, ofScope]) outcomes.set(id, kept);
  }

  /** Milliseconds until there are fewer than `most`; 0 if there already are. */
  #wait(outcomes: Outcomes | undefined, most: number, now: number): number {
    if (outcomes === undefined) return 0;
    let left = 10;
    for (const [id, { expires }] of outcomes) {
      if (outcomes.size < most && left-- === 0) return 0;
      if (expires > now) return outcomes.size < most ? 0 : expires - now;
      this.#forget(id);
    }
    return 0;
  }

  #forget(id: string): void {
    const scope = this.#all.get(id)?.scope;
    if (scope === undefined) return;
    this.#all.delete(id);
    const ofScope = this.#ofScope.get(scope);
    ofScope?.delete(id);
    if (ofScope?.size === 0) this.#ofScope.delete(scope);
  }
}
