/** `tracingChannel('patch-options:patch')`: one trace a request, without values. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { request as send, type Server } from 'node:http';
import type { Socket } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import { mergePatch, resource, type RequestTrace, type ResourceOptions, type ResourceStore } from '../../lib';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { HeldStore } from '../support/held-store';
import { printedByTypescript } from '../support/run-typescript';
import { portOf } from '../support/serving';

type Trace = RequestTrace & { readonly error?: unknown };

const channel = tracingChannel<unknown, Trace>('patch-options:patch');
const names = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;
type Subscriber = (trace: Trace) => void;

/** Subscribes to all events of the channel. */
function subscribe(listener: (name: (typeof names)[number], trace: Trace) => void): () => void {
  const subscribers = Object.fromEntries(
    names.map((name) => [
      name,
      (trace: Trace) => {
        listener(name, trace);
      },
    ]),
  ) as Record<(typeof names)[number], Subscriber>;
  channel.subscribe(subscribers as never);
  return () => channel.unsubscribe(subscribers as never);
}

/** What is published until `stop` is called, each trace as it was then. */
function record() {
  const events: (readonly [name: string, trace: Trace])[] = [];
  const traces = new Set<Trace>();
  const stop = subscribe((name, trace) => {
    traces.add(trace);
    if (name !== 'end' && name !== 'asyncStart') events.push([name, { ...trace }]);
  });
  return { events, traces, stop };
}

const first = { title: 'the first title' };
const sent = { title: 'the title that was sent' };

/** A store with one note, which loses so many races to another process. */
async function losingStore(losses: number): Promise<ResourceStore> {
  const memory = new MemoryStore<unknown>();
  await memory.replace('1', null, first);
  let asked = 0;
  const loses = async (key: string, version: string | null): Promise<boolean> => {
    if (asked++ >= losses) return false;
    await memory.replace(key, version, { title: `another title ${asked}` });
    return true;
  };
  return {
    get: (key) => memory.get(key),
    replace: async (key, version = null, ...rest) =>
      (await loses(key, version)) ? undefined : memory.replace(key, version, ...rest),
    delete: async (key, version = '') => !(await loses(key, version)) && memory.delete(key, version),
  };
}

function appOver(store: ResourceStore, options: ResourceOptions<unknown> = {}) {
  const note = resource(store, [mergePatch()], { key: 'id', create: true, ...options });
  const app = express();
  app.route('/notes/:id').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
  const answer: ErrorRequestHandler = (_error, _req, res, next) => {
    if (res.headersSent) next();
    else res.status(500).end();
  };
  app.use(answer);
  return app;
}

type Method = 'patch' | 'put' | 'delete';

function ask(
  app: unknown,
  method: Method,
  key: string,
  headers: Readonly<Record<string, string>> = {},
  body = JSON.stringify(sent),
) {
  const test = request(app as never)[method](`/notes/${key}`);
  if (method === 'delete') return test.set(headers);
  const type = method === 'put' ? 'application/json' : 'application/merge-patch+json';
  return test.set({ 'content-type': type, ...headers }).send(body);
}

interface Row {
  readonly what: string;
  readonly method?: Method;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How many races are lost. */
  readonly losses?: number;
  readonly options?: ResourceOptions<unknown>;
  readonly trace: Partial<RequestTrace>;
}

const changed = { outcome: 'changed', status: 204, attempts: 1 };
const failed = { outcome: 'precondition-failed', status: 412, attempts: 0 };
const ifMatch = { 'if-match': '"x"' };

const rows: readonly Row[] = [
  { what: 'a PATCH', trace: changed },
  { what: 'one that changes nothing', body: '{}', trace: changed },
  {
    what: 'one answered with content',
    options: { respond: 'representation' },
    trace: { ...changed, status: 200 },
  },
  { what: 'a PUT', method: 'put', trace: changed },
  {
    what: 'a PUT that creates',
    method: 'put',
    key: '2',
    trace: { ...changed, outcome: 'created', status: 201 },
  },
  { what: 'a DELETE', method: 'delete', trace: { ...changed, outcome: 'deleted' } },
  { what: 'a lost race', losses: 1, trace: { ...changed, attempts: 2 } },
  {
    what: 'a lost race of DELETE',
    losses: 2,
    method: 'delete',
    trace: { outcome: 'deleted', status: 204, attempts: 3 },
  },
  { what: 'too many lost races', losses: 16, trace: { outcome: 'lost-race', status: 409, attempts: 16 } },
  { what: 'If-Match', headers: ifMatch, trace: failed },
  { what: 'If-None-Match, where GET answers 304', headers: { 'if-none-match': '*' }, trace: failed },
  { what: 'If-Match of a DELETE', method: 'delete', headers: ifMatch, trace: failed },
  { what: 'If-Match, for the error handler', headers: ifMatch, options: { errors: 'next' }, trace: failed },
  {
    what: 'a media type',
    headers: { 'content-type': 'text/plain' },
    trace: { key: undefined, outcome: 'unsupported-media-type', status: 415, attempts: 0 },
  },
  {
    what: 'an invalid result',
    options: { validate: () => [{ pointer: '/title', detail: 'too short' }] },
    trace: { outcome: 'invalid-result', status: 422, attempts: 0 },
  },
  {
    what: 'broken JSON',
    body: '{"title":"the title',
    trace: { outcome: 'patch-malformed', status: 400, attempts: 0 },
  },
  { what: 'may', options: { may: () => false }, trace: { outcome: 'forbidden', status: 403, attempts: 0 } },
  {
    what: 'DELETE of nothing',
    method: 'delete',
    key: '2',
    trace: { outcome: 'target-not-found', status: 404, attempts: 0 },
  },
];

test.each(rows)('$what: $trace.outcome', async (row) => {
  const { method = 'patch', key = '1', headers, body, losses = 0, options, trace } = row;
  const app = appOver(await losingStore(losses), options);
  const { events, traces, stop } = record();
  await ask(app, method, key, headers, body);
  stop();
  const begun = { key: undefined, outcome: undefined, status: undefined, attempts: 0 };
  expect(events).toEqual([
    ['start', { method: method.toUpperCase(), ...begun }],
    ['asyncEnd', { method: method.toUpperCase(), key, ...trace }],
  ]);
  expect(traces.size).toBe(1);
  expect(JSON.stringify(events)).not.toContain('the title');
  expect(JSON.stringify(events)).not.toContain('first title');
  expect(JSON.stringify(events)).not.toContain('another title');
});

test('a repeat of an idempotent request: repeated', async () => {
  const app = appOver(new HeldStore() as ResourceStore, { idempotency: 'optional' });
  const { events, stop } = record();
  for (let times = 0; times < 2; times++) await ask(app, 'put', '1', { 'idempotency-key': '"a"' });
  stop();
  const ended = events.filter(([name]) => name === 'asyncEnd').map(([, trace]) => trace);
  expect(ended).toMatchObject([
    { outcome: 'created', status: 201, attempts: 1 },
    { outcome: 'repeated', status: 201, attempts: 0 },
  ]);
});

test.each(['patch', 'put', 'delete'] as const)(
  '%s: an error of the store is an error event',
  async (method) => {
    const store = await losingStore(0);
    const error = new Error('disk full');
    const fail = () => Promise.reject(error);
    const app = appOver({ ...store, replace: fail, delete: fail });
    const { events, stop } = record();
    await ask(app, method, '1').expect(500);
    stop();
    const trace = { key: '1', outcome: undefined, status: undefined, attempts: 1, error };
    expect(events.slice(1)).toEqual([
      ['error', { method: method.toUpperCase(), ...trace }],
      ['asyncEnd', { method: method.toUpperCase(), ...trace }],
    ]);
  },
);

test('GET, HEAD and what is passed on are not traced', async () => {
  const app = appOver(await losingStore(0));
  const { events, stop } = record();
  await request(app).get('/notes/1').expect(200);
  await request(app).head('/notes/1').expect(200);
  await request(app).post('/notes/1').expect(404);
  stop();
  expect(events).toEqual([]);
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Two clients of one process, whose writes are held until both are on their way. */
async function serveHeld() {
  const held = new HeldStore();
  for (const key of ['1', '2']) await held.replace(key, null, first);
  held.calls();
  const server = appOver(held as ResourceStore).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const patch = (key: string) => {
    const { port, path, method } = { port: portOf(server), path: `/notes/${key}`, method: 'PATCH' };
    const headers = { 'content-type': 'application/merge-patch+json' };
    const sending = send({ port, path, method, headers, agent: false });
    sending.end(JSON.stringify(sent));
    return sending;
  };
  return { held, server, patch };
}

const abort = new DOMException('This operation was aborted', 'AbortError');
const diskFull = new Error('disk full');

test.each<{ title: string; key?: string; error?: Error; trace: Partial<Trace> }>([
  { title: 'before the write: not-awaited', trace: { outcome: 'not-awaited' } },
  { title: 'before a refusal: not-awaited', key: '3', trace: { outcome: 'not-awaited' } },
  {
    title: 'and whose signal has ended a query: not-awaited',
    error: abort,
    trace: { outcome: 'not-awaited' },
  },
  { title: 'before an error of the store: that error', error: diskFull, trace: { error: diskFull } },
])('a client that has gone $title', async ({ key = '1', error, trace }) => {
  const { held, server, patch } = await serveHeld();
  const ended = new Promise<Trace>((resolve) => {
    const stop = subscribe((name, trace) => {
      if (name !== 'asyncEnd') return;
      stop();
      resolve({ ...trace });
    });
  });
  const release = held.hold();
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const sending = patch(key);
  sending.on('error', () => undefined);
  const [socket] = await connected;
  while (held.calls().length === 0) await new Promise(setImmediate);
  const closed = once(socket, 'close');
  sending.destroy();
  await closed;
  release(error);
  const known = { method: 'PATCH', key, outcome: undefined, status: undefined, attempts: 0 };
  expect(await ended).toEqual({ ...known, ...trace });
  expect(held.calls()).toEqual([]);
});

test('two at once, and in one queue, keep their own trace and the context that bindStore gives them', async () => {
  const { held, patch } = await serveHeld();
  const requests = new AsyncLocalStorage<Trace>();
  channel.start.bindStore(requests, (trace) => trace as Trace);
  const ended: Trace[] = [];
  const stop = subscribe((name, trace) => {
    if (name !== 'asyncEnd') return;
    // Also behind another request of its key, in whose turn it may have begun.
    expect(requests.getStore()).toBe(trace);
    ended.push(trace);
  });
  const releases = [held.hold(), held.hold(), held.hold()];
  const answers = ['1', '2', '1', '2', '1'].map(async (key) => {
    const [response] = (await once(patch(key), 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    return response.statusCode;
  });
  for (const release of releases.reverse()) release();
  expect(await Promise.all(answers)).toEqual([204, 204, 204, 204, 204]);
  stop();
  channel.start.unbindStore(requests);
  expect(new Set(ended).size).toBe(5);
  expect(ended.map(({ key }) => key).sort()).toEqual(['1', '1', '1', '2', '2']);
  expect(ended.every(({ attempts, status }) => attempts === 1 && status === 204)).toBe(true);
});

test('a subscriber that throws changes no answer: what it throws is an uncaughtException, as of any channel', async () => {
  const printed = await printedByTypescript('../patch/throwing-subscribers.ts', [], {});
  // Four events of each PATCH, and one of the preflight.
  expect(JSON.parse(printed)).toEqual({ statuses: [204, 404], preflight: true, uncaught: 9 });
});
