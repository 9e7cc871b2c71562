/** What a hundred clients hold that keep the last byte of the body, over every store. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describeRedis, type Engine, startPostgres, startRedis } from '../support/engines';
import { runTypescript } from '../support/run-typescript';
import { stalledAt } from './stalled-client';

const clients = 100;

describe('each holds less than 64 KB, beside a resource of 10 MB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'patch-options-stalled-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  test.each([
    { store: 'SqliteStore', engine: [join(folder, 'plain.db')] },
    { store: 'tableStore', engine: ['rows'] },
  ])('$store', ({ engine }) => expectLittleHeld(engine));

  test('MemoryStore', () => expectLittleHeld(['memory']));

  describeWith('PostgresStore', describe, startPostgres);
  describeWith('RedisStore', describeRedis, startRedis);
});

function describeWith(store: string, describeIt: jest.Describe, start: () => Promise<Engine>): void {
  describeIt(store, () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await start();
    });
    afterAll(() => engine.close());
    test('too', () => expectLittleHeld(engine.urls));
  });
}

async function expectLittleHeld(engine: readonly string[]): Promise<void> {
  const child = runTypescript(resolve(__dirname, 'stalled-server.ts'), engine, {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const { value } = (await lines.next()) as { value?: string };
    if (value === undefined) throw new Error('The server has ended: what it printed stands above.');
    return value;
  };
  const measured = async () => {
    child.stdin?.write('measure\n');
    return JSON.parse(await nextLine()) as { begun: number; held: number };
  };
  const port = Number(await nextLine());
  await measured();
  const before = await measured();
  const sockets = Array.from({ length: clients }, () => stalledAt(port));
  let after = await measured();
  while (after.begun < clients) after = await measured();
  // Whatever is done with what has arrived is done on other threads, too.
  let most = 0;
  for (let times = 0; times < 10; times++) most = Math.max(most, (await measured()).held);
  for (const socket of sockets) socket.destroy();
  child.stdin?.end();
  await exited;
  expect((most - before.held) / clients).toBeLessThan(64 * 1_024);
}
