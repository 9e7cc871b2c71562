/** Whatever can be wrong with options, all at once where one object has room for it. Hosts without a compiler write this. */
import express from 'express';
import * as library from '../../lib';
import { explainCors } from '../../lib/explain';
import * as postgres from '../../lib/stores/postgres';
import * as redis from '../../lib/stores/redis';
import * as sqlite from '../../lib/stores/sqlite';
import * as testing from '../../lib/testing';

type Anything = (...given: unknown[]) => unknown;
type AnyClass = new (...given: unknown[]) => unknown;

const {
  corsPreflight,
  declareMethods,
  mergePatch,
  methodNotAllowed,
  optionsHandler,
  optionsListener,
  patchHandler,
  patchOptions,
  resource,
} = library as unknown as Readonly<Record<string, Anything>> & Record<keyof typeof library, Anything>;
const { PostgresStore } = postgres as unknown as Record<keyof typeof postgres, AnyClass>;
const { RedisStore } = redis as unknown as Record<keyof typeof redis, AnyClass>;
const { SqliteStore } = sqlite as unknown as Record<keyof typeof sqlite, AnyClass>;
const { storeConformance } = testing as unknown as Record<keyof typeof testing, Anything>;
const store = new library.MemoryStore();
const jsonPatch = library.jsonPatch();
const nothing = (): void => undefined;

/** Takes four parameters, as what handles errors does. */
const onlyErrors = Object.defineProperty(() => undefined, 'length', { value: 4 });

/** A handle that says which release of SQLite it is, in WAL mode, and in which encoding. */
const oldSqlite = { exec: nothing, prepare: () => ({ all: () => [['3.40.0', 'wal', 'UTF-16le']] }) };

/** A client of ioredis or node-redis, without what these show. */
const silentRedis = { eval: nothing, evalsha: nothing };

/** `patchOptions` where Express is not installed. */
const withoutExpress: Anything = (options) => {
  jest.doMock('express', () => {
    throw new Error("Cannot find module 'express'");
  });
  try {
    return patchOptions(options);
  } finally {
    jest.dontMock('express');
  }
};

/** What takes options, given something else. */
const withoutOptions: readonly Anything[] = [
  patchOptions,
  (options) => optionsListener(express(), options),
  optionsHandler,
  corsPreflight,
  methodNotAllowed,
  (options) => patchHandler(store, [jsonPatch], options),
  mergePatch,
  (options) => new SqliteStore(oldSqlite, options),
  (options) => new PostgresStore({ query: nothing }, options),
  (options) => new RedisStore({ eval: nothing, evalsha: nothing }, options),
  (options) => storeConformance(nothing, options),
];

export const mistakes: readonly (() => unknown)[] = [
  ...withoutOptions.map((make) => () => make(null)),

  () => withoutExpress({ resources: {} }),
  () =>
    patchOptions({
      cors: false,
      resources: '/notes/:id',
      root: 'app',
      body: 'JSON',
      status: 300,
      orgin: '*',
    }),
  () => patchOptions({ status: 204, body: () => ({}) }),
  () => patchOptions({ origin: '*', maxAge: 60 }),
  () =>
    patchOptions({
      cors: { maxAge: '10m' },
      resources: {
        '/a': 'patch',
        '/b': { patch: nothing },
        '/c': { guard: [], patch: nothing },
        '/d': { guard: 'none' },
        '/i': { guard: 'none', put: 'put' },
        '/e': { guard: 'none', patch: nothing, path: '/e' },
        '/f/*': { guard: 'none', patch: nothing },
        '/h': { guard: [nothing, onlyErrors], patch: onlyErrors },
        'g/:id': { guard: 'none', patch: nothing },
      },
    }),

  () => optionsListener('app'),
  () => optionsListener(nothing),
  () => library.optionsListener(express()).attach(nothing as never),

  () =>
    corsPreflight({
      allowHeaders: 'x-request-id',
      credentials: 'yes',
      onRefused: 'log',
      methods: 5,
      allowedHeaders: ['cookie', 'etag', 'a b', 7],
      exposedHeaders: 'set-cookie, if-match, a b',
    }),
  () => corsPreflight({ headers: 'x-request-id', preflightContinue: false, optionsSuccessStatus: 204 }),
  () => corsPreflight({ allowedOrigins: 'https://a.example', allowedMethods: 'GET' } as object),
  () => corsPreflight({ methods: ['*', 'connect', 'patch', 'FETCH'] }),
  () => corsPreflight({ methods: 'GET, PATCH', fallbackMethods: ['*', 'POST', 'get'] }),
  () => corsPreflight({ fallbackMethods: [] }),
  () => corsPreflight({ credentials: true, allowedHeaders: '*' }),
  () => corsPreflight({ allowedHeaders: [], exposedHeaders: { only: 7 } }),
  () => corsPreflight({ allowedHeaders: ['requested'] }),
  () => corsPreflight({ origin: undefined }),
  () => corsPreflight({ origin: true }),
  () => corsPreflight({ origin: false }),
  () => corsPreflight({ origin: [] }),
  () => corsPreflight({ origin: ['http://localhost:undefined', undefined as never, ''] }),
  () => corsPreflight({ origin: '["http://localhost:5173"]' }),
  () => corsPreflight({ origin: '["*"]' }),
  () => corsPreflight({ origin: ['https://a.example;https://b.example', 'a.example, https://b*c'] }),
  () => corsPreflight({ origin: ['"https://a.example"', '"*"', 'https://a.example,', 'moz-extension://*'] }),
  () => corsPreflight({ origin: 'http://*.co.uk', credentials: true }),
  () => corsPreflight({ origin: ['*', 'https://a.example', 5] }),
  () =>
    corsPreflight({
      origin: ['*', 'null', 'http://a.example', 'https://*.com', /^https:\/\/a\.example$/],
      credentials: true,
    }),
  () =>
    corsPreflight({
      origin: [
        'https://a.*.example',
        'https://*.127.0.0.1',
        'https://a.example, https://b.example',
        'app.example',
        'localhost:3000',
        ' https://a.example',
        'file:///page.html',
        'https://a b',
        'https://bücher.example',
        'https://A.example',
        'https://a.example/',
        'https://a.example/page',
        'https://me@a.example',
        'https://a.example:443',
        'https://127.1',
        'https://a..example',
        'https://*.github.io',
        'chrome-extension://ä',
      ],
    }),
  () => explainCors('https://a.example/a', { origin: 'https://*.example', method: 'PATCH', path: '/ä' }),
  () =>
    explainCors('https://ann:secret@a.example/a?b=c', {
      origin: 'https://b.example',
      method: 'GET',
      path: '/',
    }),
  () => explainCors('api.example', { origin: 'https://a.example/', method: 'GET', path: '/', body: 'a' }),
  () =>
    explainCors(express(), {
      ...{ origin: 'https://a.example', method: 'patch', path: '/', send: true, timeout: 0 },
      headers: { 'x-a': 'a\nb', host: 'a/b' },
    }),
  () =>
    explainCors(express(), {
      origin: 'null',
      method: 'GET',
      path: '/',
      send: true,
      body: 5 as never,
      url: '',
    } as never),
  () => explainCors({} as never, { method: 'PA TCH', path: 'notes', headers: 5 } as never),
  () => explainCors(express(), { root: express() } as never),

  () => declareMethods([], 'static'),
  () => declareMethods(['GET'], onlyErrors),
  () => declareMethods('GET', nothing),

  () => patchHandler(),
  () => new library.MemoryStore([{ title: 'Buy milk' }] as never),
  () =>
    patchHandler(store, [library.jsonPatch, jsonPatch, jsonPatch, { mediaType: '*/*', parse: nothing }], {
      key: ':id',
      limits: 5,
      prefer: 'minimal',
      method: 'put',
    }),
  () =>
    patchHandler(store, [jsonPatch, { mediaType: [], parse: nothing }], {
      limits: { bytes: -1, depth: 2_000, operations: undefined, size: 5 },
      respond: '200',
      represent: true,
      create: {},
      validate: {},
      readOnly: ['id'],
      authorize: true,
      onPatched: 'log',
      onRefused: 'log',
      errors: 'throw',
      entityTag: 'strong',
      precondition: true,
    }),
  () => patchHandler({ get: nothing, replace: nothing }, [jsonPatch], { idempotency: 'optional' }),
  () => patchHandler(store, [jsonPatch], { idempotencyLimits: {}, scope: 'user' }),
  () =>
    patchHandler(store, [jsonPatch], {
      idempotency: true,
      idempotencyLimits: { keep: 0, total: -1, maxAge: 1e9, age: 1 },
      scope: 5,
    }),
  () =>
    patchHandler(store, [jsonPatch], { idempotency: 'required', idempotencyLimits: { keep: 9, total: 5 } }),
  () => patchHandler(store, [jsonPatch], { transform: true, readOnly: '/id', may: true }),
  () => patchHandler(store, [jsonPatch], { hidden: ['', 'id', '/pin'], writable: ['/pin/a'], readOnly: [] }),
  () =>
    patchHandler(store, [jsonPatch], {
      prepare: 5,
      writeOnly: ['', '/a', '/b'],
      hidden: ['/a'],
      readOnly: ['/b'],
    }),
  () => patchHandler(store, [{ mediaType: 'text/x-diff', parse: nothing }], { prepare: nothing }),
  () =>
    patchHandler(store, [jsonPatch], {
      hidden: ['/people/*/salary', '/*'],
      readOnly: ['/items/*/price', '/*'],
    }),
  () => resource(store, [jsonPatch], { onDeleted: 5, onDelete: nothing }),
  () => resource(store, [jsonPatch], { represent: (value: unknown, req: unknown) => [value, req] }),
  () => Reflect.get(Object(resource({ get: nothing, replace: nothing }, [jsonPatch])), 'delete') as unknown,
  () => patchHandler(store, [jsonPatch], { writable: 'all', conflict: 'current' }),
  () => patchHandler(store, [jsonPatch], { unwritable: 'ignore', errors: 'send' }),
  () => patchHandler(store, [jsonPatch], { stateMembers: ['/id', '/pin'], hidden: ['/pin'] }),
  () => mergePatch({ mediaType: 'json', type: 'application/json', json: 1, whole: 'yes' }),
  () => library.optionsHandler({ headers: {}, method: 'GET', url: '/' } as never),
  () => library.keyedMergePatch({}),
  () => library.keyedMergePatch({ items: 'id', '/a': '', '/tags': 'self', '/tags/*/x': 'id' }),
  () => library.keyedMergePatch({ '/items': 'id', '/items/*': 'k', '/items/*/id': 'k' }),
  () => library.jsonPatch({ mediaType: ['application/*'], type: 'application/json' } as object),

  () => new SqliteStore('notes.db', { table: 'sqlite_notes', busyTimeout: '5s' }),
  () => new SqliteStore(oldSqlite, { table: 7 }),
  () =>
    new PostgresStore('postgres://127.0.0.1', {
      table: 'n'.repeat(70),
      schema: 'pg_notes',
      prepared: false,
      prepare: 'false',
    }),
  () => postgres.PostgresStore.setupSql({ table: 'a\0b' }),
  () => new RedisStore('redis://127.0.0.1', {}),
  () => new RedisStore(silentRedis, { prefix: '\ud800', commandTimeout: '5s' }),
  () =>
    new RedisStore(
      {
        ...silentRedis,
        options: { retryDelayOnFailover: 100 },
        startupNodes: [{ autoResendUnfulfilledCommands: true }],
      },
      { prefix: '' },
    ),
  () => new RedisStore({ ...silentRedis, getSentinelNode: nothing }, { prefix: '' }),

  () => storeConformance(store, { wrap: nothing, unwrap: nothing, outcomes: 'none', deletes: 0 }),
  () => storeConformance(nothing, { carrier: { wrap: nothing }, key: 'id', creates: 'no', members: ['age'] }),
  () =>
    storeConformance(nothing, {
      creates: false,
      members: { clearable: {}, fixed: 'id', unique: {}, nullable: 1 },
    }),
];
