import { setImmediate } from 'node:timers';

/** Gathers what is added in one turn of the event loop, and hands it on at its end. */
export class Turn<T> {
  #gathered: T[] = [];

  constructor(private readonly handOn: (gathered: readonly T[]) => void) {}

  add(item: T): void {
    if (this.#gathered.push(item) > 1) return;
    setImmediate(() => {
      const gathered = this.#gathered;
      this.#gathered = [];
      this.handOn(gathered);
    });
  }
}
