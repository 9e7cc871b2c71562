/**
 * Timers of the library run when the test says so: what has a time limit then has reached whatever it should have reached, however busy
 * the machine is.
 */
export interface HeldTimers {
  /** The milliseconds of each, in the order in which they were started. */
  readonly delays: readonly number[];
  /** Runs those that were started and not cleared. */
  run(): void;
  restore(): void;
}

/** @param isHeld - whether a timer of so many milliseconds is one of them; others run by themselves */
export function holdTimers(isHeld: (milliseconds: number) => boolean): HeldTimers {
  const { setTimeout: start, clearTimeout: clear } = globalThis;
  const longest = 2 ** 31 - 1;
  const held = new Map<unknown, () => void>();
  const delays: number[] = [];
  const starting = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((
    run: (...args: unknown[]) => void,
    milliseconds = 0,
    ...args: unknown[]
  ) => {
    if (!isHeld(milliseconds)) return start(run, milliseconds, ...args);
    const timer = start(() => undefined, longest);
    delays.push(milliseconds);
    held.set(timer, () => {
      run(...args);
    });
    return timer;
  }) as typeof setTimeout);
  const clearing = jest.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    held.delete(timer);
    clear(timer);
  });
  const run = () => {
    for (const [timer, act] of held) {
      held.delete(timer);
      clear(timer as NodeJS.Timeout);
      act();
    }
  };
  return {
    delays,
    run,
    restore: () => {
      for (const timer of held.keys()) clear(timer as NodeJS.Timeout);
      starting.mockRestore();
      clearing.mockRestore();
    },
  };
}
