import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildExamples, freePort, startExample, type ExampleServer } from '../support/example-server';

const merge = { 'Content-Type': 'application/merge-patch+json' };
let data = '';
const servers: ExampleServer[] = [];

async function start(port: number): Promise<ExampleServer> {
  const server = await startExample('notes-server', { PORT: String(port), NOTES_DATA: data });
  servers.push(server);
  return server;
}

async function stop(server: ExampleServer): Promise<number | null> {
  server.process.kill('SIGTERM');
  return server.ended;
}

beforeAll(buildExamples, 60_000);
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'notes-'));
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map(stop));
  rmSync(data, { recursive: true });
});

test('it prints its address and three curl lines that work as printed', async () => {
  const port = await freePort();
  const server = await start(port);
  const commands = server.printed().match(/curl .*/g) ?? [];
  expect(server.printed()).toContain(`http://127.0.0.1:${port}`);
  expect(commands).toHaveLength(3);

  const options = await fetch(`${server.address}/notes/1`, { method: 'OPTIONS' });
  expect([options.status, options.headers.get('allow'), options.headers.get('accept-patch')]).toEqual([
    200,
    'DELETE, GET, HEAD, OPTIONS, PATCH, PUT',
    'application/json-patch+json, application/merge-patch+json',
  ]);
  const patch = await fetch(`${server.address}/notes/1`, {
    method: 'PATCH',
    headers: merge,
    body: '{"title":"x"}',
  });
  expect(patch.status).toBe(204);
});

test('a restart keeps the notes and their entity tags, and SIGTERM closes it cleanly', async () => {
  const port = await freePort();
  const first = await start(port);
  const patch = await fetch(`${first.address}/notes/1`, {
    method: 'PATCH',
    headers: merge,
    body: '{"body":"kept"}',
  });
  const tag = patch.headers.get('etag');
  expect(await stop(first)).toBe(0);

  const second = await start(port);
  const note = await fetch(`${second.address}/notes/1`);
  expect(note.headers.get('etag')).toBe(tag);
  expect(await note.json()).toMatchObject({ id: '1', body: 'kept' });
  expect(await stop(second)).toBe(0);
});

test('a port that is taken gives one line that says so, and exit status 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const server = await start(port);
  expect(await server.ended).toBe(1);
  expect(server.printed()).toMatch(new RegExp(`^Port ${port} is in use.*\\n$`));
  taken.close();
});
