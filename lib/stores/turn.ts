import { setImmediate } from 'node:timers';

/** What was asked for, and how the one who asked is told. */
export type Asked<Q, A> = Q & {
  readonly resolve: (answer: A) => void;
  readonly reject: (error: unknown) => void;
};

/** Gathers what is asked for in one turn of the event loop, and hands it on at its end. */
export class Turn<Q, A> {
  #gathered: Asked<Q, A>[] = [];

  constructor(private readonly handOn: (gathered: readonly Asked<Q, A>[]) => void) {}

  ask(question: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      if (this.#gathered.push({ ...question, resolve, reject }) > 1) return;
      setImmediate(() => {
        const gathered = this.#gathered;
        this.#gathered = [];
        this.handOn(gathered);
      });
    });
  }
}
