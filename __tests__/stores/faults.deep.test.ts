import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { scaled } from '../support/deep-scale';
import { engineTimeout } from '../support/engine-timeout';
import { type Engine, startPostgres, startRedis, startRedisCluster } from '../support/engines';
import { isSuccess, ThingsServer, Writer } from '../support/things';

const folder = mkdtempSync(join(tmpdir(), 'patch-options-faults-'));
const servers: ThingsServer[] = [];
const engines: Engine[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.kill()));
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const serve = async (engine: readonly string[]) => {
  const server = await ThingsServer.start(engine);
  servers.push(server);
  return server;
};

const start = async (engine: () => Promise<Engine>) => {
  const started = await engine();
  engines.push(started);
  return started;
};

describe('four processes that read, change and write one counter', () => {
  const times = scaled(500);

  test.each<{ readonly what: string; readonly open: () => Promise<readonly string[]> }>([
    { what: 'SQLite', open: () => Promise.resolve([join(folder, 'counter.db')]) },
    { what: 'PostgreSQL', open: async () => (await start(startPostgres)).urls },
    { what: 'Redis', open: async () => (await start(startRedis)).urls },
    { what: 'Redis Cluster', open: async () => (await start(startRedisCluster)).urls },
  ])('over $what lose no update', async ({ open }) => {
    const engine = await open();
    const hosts = await Promise.all([engine, engine, engine, engine].map(serve));
    const [first] = hosts;
    expect(await first?.patch('counter', { count: 0 })).toMatchObject({ status: 201 });
    await Promise.all(hosts.map((host) => count(host, times)));
    expect(JSON.parse((await first?.get('counter'))?.content ?? '')).toEqual({ count: 4 * times });
  });
});

async function count(host: ThingsServer, times: number): Promise<void> {
  for (let done = 0; done < times;) {
    const { content, tag } = await host.get('counter');
    const { count } = JSON.parse(content) as { count: number };
    const answer = await host.patch('counter', { count: count + 1 }, tag);
    if (answer.status === 204) done += 1;
    else expect(answer).toMatchObject({ status: 412 });
  }
}

describe('kill -9 under load: what was acknowledged is there, and nothing is torn', () => {
  const rounds = scaled(10);

  test('of the process that has the SQLite file open', async () => {
    const file = join(folder, 'killed.db');
    const writers = someWriters();
    for (let round = 0; round < rounds; round++) {
      const server = await serve([file]);
      await checkAll(writers, server);
      const running = writers.map((writer) => writer.run(server));
      await underWay(writers);
      await delay(700 * Math.random());
      await server.kill();
      await Promise.all(running);
    }
    await checkAll(writers, await serve([file]));
    expectBoth(writers);
  });

  test('of PostgreSQL', async () => {
    const engine = await start(startPostgres);
    const server = await serve(engine.urls);
    const writers = someWriters();
    for (let round = 0; round < rounds; round++) {
      const running = writers.map((writer) => writer.run(server));
      await underWay(writers);
      await delay(700 * Math.random());
      await engine.kill();
      await refused(writers);
      for (const writer of writers) writer.stop();
      await Promise.all(running);
      await engine.start();
      await recovered(server);
      await checkAll(writers, server);
    }
    expectBoth(writers);
  });
});

describe('an engine that is stopped and started under load', () => {
  const rounds = scaled(5);

  test.each<{ readonly what: string; readonly open: () => Promise<Engine> }>([
    { what: 'PostgreSQL', open: startPostgres },
    { what: 'Redis', open: startRedis },
    { what: 'Redis Cluster', open: startRedisCluster },
  ])('$what: requests fail in time, and the process recovers by itself', async ({ open }) => {
    const engine = await start(open);
    const server = await serve(engine.urls);
    const writers = someWriters();
    for (let round = 0; round < rounds; round++) {
      const running = writers.map((writer) => writer.run(server));
      await underWay(writers);
      await engine.stop();
      await refused(writers);
      await delay(1_000);
      await engine.start();
      await recovered(server);
      for (const writer of writers) writer.stop();
      await Promise.all(running);
      await checkAll(writers, server);
    }
    expectBoth(writers);
    const answers = writers.flatMap((writer) => writer.answers);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 204, 503]));
    expect(Math.max(...answers.map(({ milliseconds }) => milliseconds))).toBeLessThan(5 * engineTimeout);
  });
});

function someWriters(): Writer[] {
  return Array.from({ length: 8 }, (_, index) => new Writer(`thing-${index}`));
}

/** Waits until each writer was acknowledged again, and then once more: first to create, and then to change. */
async function underWay(writers: readonly Writer[]): Promise<void> {
  const counts = () => writers.map(({ answers }) => answers.filter(isSuccess).length);
  const before = counts();
  await eventually('under way', () => counts().every((count, i) => count >= (before[i] ?? 0) + 2));
}

/** Waits until a write of any of them has failed, from now on. */
async function refused(writers: readonly Writer[]): Promise<void> {
  const counts = () => writers.map(({ answers }) => answers.length);
  const before = counts();
  await eventually('refused', () =>
    writers.some(({ answers }, i) => !answers.slice(before[i]).every(isSuccess)),
  );
}

async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const until = performance.now() + 60_000;
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(`Not ${what} within a minute`);
    await delay(10);
  }
}

async function checkAll(writers: readonly Writer[], server: ThingsServer): Promise<void> {
  await Promise.all(writers.map((writer) => writer.check(server)));
}

/** Waits until the app answers as before, which it must do by itself. */
async function recovered(server: ThingsServer): Promise<void> {
  await eventually('recovered', async () => isSuccess(await server.patch('recovery', { at: Date.now() })));
}

/** The proof is none unless some writes were acknowledged and some failed. */
function expectBoth(writers: readonly Writer[]): void {
  const answers = writers.flatMap((writer) => writer.answers);
  const acknowledged = answers.filter(isSuccess).length;
  console.log(`${acknowledged} acknowledged, ${answers.length - acknowledged} failed`);
  expect(acknowledged).toBeGreaterThan(writers.length);
  expect(answers.length).toBeGreaterThan(acknowledged);
}
