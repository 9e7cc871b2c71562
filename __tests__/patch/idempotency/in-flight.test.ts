import { InFlight } from '../../../lib/patch/idempotency/in-flight';

const present = new AbortController();

/** A task that ends when it is told to, and how it was run. */
function task() {
  let end: (result: string) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const result = new Promise<string>((resolve, reject) => ([end, fail] = [resolve, reject]));
  const run = jest.fn((waited: boolean) => result.then((text) => `${text} ${waited ? 'waited' : 'at once'}`));
  return { run, end, fail };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('InFlight', () => {
  test('a repeat runs when the first has ended; another request runs at once', async () => {
    const inFlight = new InFlight();
    const [first, repeat, other] = [task(), task(), task()];
    const results = [
      inFlight.run('name', first.run, present),
      inFlight.run('name', repeat.run, present),
      inFlight.run('another', other.run, present),
    ];
    await settle();
    expect([first, repeat, other].map(({ run }) => run.mock.calls.length)).toEqual([1, 0, 1]);
    for (const { end } of [first, repeat, other]) end('ended');
    expect(await Promise.all(results)).toEqual(['ended at once', 'ended waited', 'ended at once']);
  });

  test('of several repeats one runs at a time, also after a failure', async () => {
    const inFlight = new InFlight();
    const [first, ...repeats] = [task(), task(), task()];
    const failed = inFlight.run('name', first.run, present);
    const results = repeats.map(({ run }) => inFlight.run('name', run, present));
    first.fail(new Error('refused'));
    await expect(failed).rejects.toThrow('refused');
    await settle();
    expect(repeats.map(({ run }) => run.mock.calls.length)).toEqual([1, 0]);
    for (const { end } of repeats) end('ended');
    expect(await Promise.all(results)).toEqual(['ended waited', 'ended waited']);
    const again = task();
    again.end('ended');
    expect(await inFlight.run('name', again.run, present)).toBe('ended at once');
  });

  test('a repeat whose client had left before it came is not run, and waits for nobody', async () => {
    const inFlight = new InFlight();
    const [first, repeat] = [task(), task()];
    const running = inFlight.run('name', first.run, present);
    const left = AbortSignal.abort(new Error('left'));
    await expect(inFlight.run('name', repeat.run, { signal: left })).rejects.toThrow('left');
    first.end('ended');
    await running;
    expect(repeat.run).not.toHaveBeenCalled();
  });

  test('a repeat whose client leaves is not run', async () => {
    const inFlight = new InFlight();
    const [first, repeat] = [task(), task()];
    const leaving = new AbortController();
    const results = [inFlight.run('name', first.run, present), inFlight.run('name', repeat.run, leaving)];
    leaving.abort(new Error('left'));
    await expect(results[1]).rejects.toThrow('left');
    first.end('ended');
    await results[0];
    expect(repeat.run).not.toHaveBeenCalled();
  });

  test('after five seconds the repeats get 409 with Retry-After, each of them', async () => {
    jest.useFakeTimers();
    const inFlight = new InFlight();
    const [first, ...repeats] = [task(), task(), task()];
    const running = inFlight.run('name', first.run, present);
    const results = repeats.map(({ run }) =>
      inFlight.run('name', run, present).catch((error: unknown) => error),
    );
    await jest.advanceTimersByTimeAsync(5_000);
    jest.useRealTimers();
    for (const result of await Promise.all(results)) {
      expect(result).toMatchObject({
        status: 409,
        code: 'idempotency-key-in-flight',
        headers: { 'Retry-After': '1' },
      });
    }
    for (const { run } of repeats) expect(run).not.toHaveBeenCalled();
    first.end('ended');
    expect(await running).toBe('ended at once');
  });
});
