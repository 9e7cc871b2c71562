import { mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeRedis, sharedPostgres, sharedRedis } from '../../support/engines';
import { freePort, startExample, type ExampleServer } from '../example-server';
import { listen } from '../../support/serving';

const merge = { 'Content-Type': 'application/merge-patch+json' };
let data = '';
const servers: ExampleServer[] = [];

/** On ports that the system gives, unless `env` says which. */
async function start(env: Record<string, string> = {}): Promise<ExampleServer> {
  const server = await startExample('notes/notes-server', {
    ...{ PORT: '0', PAGE_PORT: '0', NOTES_DATA: data },
    ...env,
  });
  servers.push(server);
  return server;
}

async function stop(server: ExampleServer): Promise<number | null> {
  server.process.kill('SIGTERM');
  return server.ended;
}

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'notes-'));
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map(stop));
  rmSync(data, { recursive: true });
});

test('it prints its address and three curl lines that work as printed', async () => {
  const server = await start();
  const commands = server.printed().match(/curl .*/g) ?? [];
  expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(commands).toHaveLength(3);
  for (const command of commands) expect(command).toContain(` ${server.address}/notes/1`);

  const options = await fetch(`${server.address}/notes/1`, { method: 'OPTIONS' });
  expect([options.status, options.headers.get('allow'), options.headers.get('accept-patch')]).toEqual([
    200,
    'DELETE, GET, HEAD, OPTIONS, PATCH, PUT',
    'application/json-patch+json, application/merge-patch+json, application/vnd.patch-options.keyed-merge+json',
  ]);
  const patch = await fetch(`${server.address}/notes/1`, {
    method: 'PATCH',
    headers: merge,
    body: '{"title":"x"}',
  });
  expect(patch.status).toBe(204);
});

test('a restart keeps the notes and their entity tags, and SIGTERM closes it cleanly', async () => {
  const first = await start();
  const patch = await fetch(`${first.address}/notes/1`, {
    method: 'PATCH',
    headers: merge,
    body: '{"body":"kept"}',
  });
  const tag = patch.headers.get('etag');
  expect(await stop(first)).toBe(0);

  const second = await start();
  const note = await fetch(`${second.address}/notes/1`);
  expect(note.headers.get('etag')).toBe(tag);
  expect(await note.json()).toMatchObject({ id: '1', body: 'kept' });
  expect(await stop(second)).toBe(0);
});

test('it answers for its own names alone, and the page for the stranger that it plays, too', async () => {
  const server = await start();
  const [page = ''] = /(?<=^Open )\S+/m.exec(server.printed()) ?? [];
  const statusAt = async (address: string, name: string, path: string) => {
    const { hostname, port } = new URL(address);
    const headers = { Host: `${name}:${port}` };
    const [answer] = (await once(get({ hostname, port, path, headers }), 'response')) as [IncomingMessage];
    await once(answer.resume(), 'end');
    return answer.statusCode;
  };
  // The page itself is not built here.
  for (const [name, api, frame] of [
    ['127.0.0.1', 200, 404],
    ['localhost', 200, 404],
    ['stranger.localhost', 421, 404],
    ['rebound.example', 421, 421],
  ] as const) {
    expect([name, await statusAt(server.address, name, '/notes')]).toEqual([name, api]);
    expect([name, await statusAt(page, name, '/frame.html')]).toEqual([name, frame]);
  }
});

test('PAGE_PORT that is taken gives one line that says so, and the API runs on', async () => {
  const taken = createServer();
  const port = await listen(taken);
  const server = await start({ PAGE_PORT: String(port) });
  expect(server.printed()).toMatch(
    new RegExp(`^Port ${port} is already in use\\. .*PAGE_PORT=.*\\nThe notes API is listening`),
  );
  expect((await fetch(`${server.address}/notes`)).status).toBe(200);
  expect(await stop(server)).toBe(0);
  taken.close();
});

test('PAGE_PORT is PORT + 1 by default, and what is no port is told like one that is taken', async () => {
  let port: number;
  let server: ExampleServer;
  do {
    port = await freePort();
    server = await startExample('notes/notes-server', { PORT: String(port), NOTES_DATA: data });
  } while (server.printed().includes(`Port ${port} is already in use`));
  servers.push(server);
  expect(server.printed()).toMatch(
    new RegExp(`^Open http://127.0.0.1:${port + 1} |^Port ${port + 1} is already in use`, 'm'),
  );
  const other = await start({ PAGE_PORT: 'none' });
  expect(other.printed()).toMatch(
    /^RangeError.* The API runs without its page.*\nThe notes API is listening/,
  );
});

test('a port that is taken gives one line that says so, and exit status 1', async () => {
  const taken = createServer();
  const port = await listen(taken);
  const server = await start({ PORT: String(port) });
  expect(await server.ended).toBe(1);
  expect(server.printed()).toMatch(
    new RegExp(`^Port ${port} is already in use\\. .*: PORT=${port + 2} npm start\\n$`),
  );
  taken.close();
});

async function twoBehaveAsOne(env: Record<string, string>): Promise<void> {
  const [one, two] = [await start(env), await start(env)];
  const body = JSON.stringify({ title: 'Shared' });
  const json = { 'Content-Type': 'application/json' };
  const created = await fetch(`${one.address}/notes`, { method: 'POST', headers: json, body });
  const path = created.headers.get('location') ?? '';
  const tag = created.headers.get('etag') ?? '';

  const ifMatch = { ...merge, 'If-Match': tag };
  const there = await fetch(`${two.address}${path}`, {
    method: 'PATCH',
    headers: ifMatch,
    body: '{"body":"two"}',
  });
  const here = await fetch(`${one.address}${path}`, {
    method: 'PATCH',
    headers: ifMatch,
    body: '{"body":"one"}',
  });
  expect([there.status, here.status, here.headers.get('etag')]).toEqual([
    204,
    412,
    there.headers.get('etag'),
  ]);

  const patches = Array.from({ length: 20 }, (_, index) =>
    fetch(`${(index % 2 === 0 ? one : two).address}${path}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json-patch+json' },
      body: JSON.stringify([
        index === 0
          ? { op: 'test', path: '/title', value: 'Shared' }
          : { op: 'add', path: '/body', value: `${index}` },
      ]),
    }),
  );
  expect(new Set((await Promise.all(patches)).map(({ status }) => status))).toEqual(new Set([204]));
  const lists = await Promise.all(
    [one, two].map(async ({ address }) => (await fetch(`${address}/notes`)).json()),
  );
  expect(lists[0]).toEqual(lists[1]);
  expect(await Promise.all([one, two].map(stop))).toEqual([0, 0]);
}

describe('two copies over one database behave as one', () => {
  test('SQLite, in one file', () => twoBehaveAsOne({}));

  test('PostgreSQL, with DATABASE_URL', async () => {
    const engine = await sharedPostgres();
    await twoBehaveAsOne({ DATABASE_URL: engine.urls[0] });
    await engine.close();
  });

  describeRedis('and in Redis', () => {
    test('Redis, with REDIS_URL', async () => {
      const engine = await sharedRedis();
      await twoBehaveAsOne({ REDIS_URL: engine.urls[0] });
      await engine.close();
    });
  });
});
