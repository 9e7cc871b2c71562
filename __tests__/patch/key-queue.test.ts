import { KeyQueue } from '../../lib/patch/key-queue';

const present = new AbortController();

/** A task that ends when it is told to. */
function task(log: string[], name: string) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const run = async (): Promise<string> => {
    log.push(name);
    await ended;
    return name;
  };
  return { run, end };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('KeyQueue', () => {
  test('runs the tasks of a key in turn, those of others side by side', async () => {
    const queue = new KeyQueue();
    const log: string[] = [];
    const [a, b, c, other] = ['a', 'b', 'c', 'other'].map((name) => task(log, name)) as [
      ReturnType<typeof task>,
      ReturnType<typeof task>,
      ReturnType<typeof task>,
      ReturnType<typeof task>,
    ];
    const turns = [a, b, c].map(({ run }) => queue.run('key', run, present));
    turns.push(queue.run('other key', other.run, present));
    await settle();
    expect(log).toEqual(['a', 'other']);
    for (const { end } of [a, b, c, other]) {
      end();
      await settle();
    }
    expect(log).toEqual(['a', 'other', 'b', 'c']);
    expect(await Promise.all(turns)).toEqual(['a', 'b', 'c', 'other']);
  });

  test('a task that comes after the first has ended waits for those before it, and then the key is free', async () => {
    const queue = new KeyQueue();
    const log: string[] = [];
    const [a, b, c] = ['a', 'b', 'c'].map((name) => task(log, name));
    const first = queue.run('key', a?.run ?? fail, present);
    const second = queue.run('key', b?.run ?? fail, present);
    a?.end();
    await first;
    await settle();
    const third = queue.run('key', c?.run ?? fail, present);
    await settle();
    expect(log).toEqual(['a', 'b']);
    b?.end();
    c?.end();
    await Promise.all([second, third]);
    await settle();
    expect([log, queue.isBusy('key')]).toEqual([['a', 'b', 'c'], false]);
  });

  test('goes on after a task that fails, and forgets a key that nobody uses', async () => {
    const queue = new KeyQueue();
    const log: string[] = [];
    const failing = queue.run('key', () => Promise.reject(new Error('no')), present);
    const b = task(log, 'b');
    const following = queue.run('key', b.run, present);
    await expect(failing).rejects.toThrow('no');
    b.end();
    await following;
    const c = task(log, 'c');
    c.end();
    await queue.run('key', c.run, present);
    expect(log).toEqual(['b', 'c']);
  });

  test('a task whose client has left is not run, and those behind it are', async () => {
    const queue = new KeyQueue();
    const log: string[] = [];
    const [a, b, c] = ['a', 'b', 'c'].map((name) => task(log, name));
    const leaving = new AbortController();
    const first = queue.run('key', a?.run ?? fail, present);
    const second = queue.run('key', b?.run ?? fail, leaving);
    const third = queue.run('key', c?.run ?? fail, present);
    leaving.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    a?.end();
    c?.end();
    expect(await Promise.all([first, third])).toEqual(['a', 'c']);
    expect(log).toEqual(['a', 'c']);
  });

  test('behind a task whose client has left, the next one waits for the one before it', async () => {
    const queue = new KeyQueue();
    const log: string[] = [];
    const [a, c] = ['a', 'c'].map((name) => task(log, name));
    const leaving = new AbortController();
    const first = queue.run('key', a?.run ?? fail, present);
    const second = queue.run('key', fail, leaving);
    leaving.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    const third = queue.run('key', c?.run ?? fail, present);
    await settle();
    expect([log, queue.isBusy('key')]).toEqual([['a'], true]);
    a?.end();
    await first;
    c?.end();
    expect(await third).toBe('c');
    await settle();
    expect(queue.isBusy('key')).toBe(false);
  });

  test('a task whose client had left before it came holds nobody up', async () => {
    const queue = new KeyQueue();
    const log: string[] = [];
    const [a, b] = ['a', 'b'].map((name) => task(log, name));
    const first = queue.run('key', a?.run ?? fail, present);
    const left = AbortSignal.abort(new Error('left'));
    await expect(queue.run('key', b?.run ?? fail, { signal: left })).rejects.toThrow('left');
    a?.end();
    await first;
    expect(log).toEqual(['a']);
  });

  test('a task that never ends holds the next for five seconds, and nobody after that', async () => {
    jest.useFakeTimers();
    const queue = new KeyQueue();
    const log: string[] = [];
    const c = task(log, 'c');
    void queue.run('key', () => new Promise(() => undefined), present);
    const failing = expect(queue.run('key', fail, present)).rejects.toThrow();
    await jest.advanceTimersByTimeAsync(4_999);
    void queue.run('key', c.run, present);
    expect(log).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    await failing;
    await jest.advanceTimersByTimeAsync(0);
    jest.useRealTimers();
    expect(log).toEqual(['c']);
  });
});

function fail(): Promise<string> {
  throw new Error('There is such a task');
}
