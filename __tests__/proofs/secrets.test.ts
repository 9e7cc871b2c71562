/**
 * No secret is said: whatever an app passes where something else belongs, errors, warnings and DEBUG lines show of an object the name of
 * its type, and a text only where a name, a pointer, a media type or an origin belongs.
 */
import { sampled } from '../support/deep-scale';
import { asLogged, said } from '../support/said';
import express from 'express';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import supertest from 'supertest';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { createConnection, createPool } from 'mysql2';
import { createPool as createPromisePool } from 'mysql2/promise';
import { Client, Pool } from 'pg';
import { createClient } from 'redis';
import * as library from '../../lib';
import { resourceClient } from '../../lib/client';
import * as readOptionsModule from '../../lib/config/read-options';
import { explainCors } from '../../lib/explain';
import { mongooseStore } from '../../lib/mongoose';
import * as rows from '../../lib/rows';
import { PostgresStore } from '../../lib/stores/postgres';
import { RedisStore } from '../../lib/stores/redis';
import { SqliteStore } from '../../lib/stores/sqlite';
import { storeConformance } from '../../lib/testing';
import { DatabaseSync } from '../support/sqlite';

const secret = 's3cr3t';
const url = `postgres://app:${secret}@127.0.0.1:1/app`;
const config = { host: '127.0.0.1', user: 'app', password: secret };

class Connection {
  readonly password = secret;
  readonly inner = { options: { url } };
  get [Symbol.toStringTag]() {
    return secret;
  }
  toString() {
    return url;
  }
  toJSON() {
    return url;
  }
  [inspect.custom]() {
    return url;
  }
}

/** Nothing here opens a connection before it is used. */
const pgPool = new Pool({ connectionString: url });
const pgClient = new Client({ connectionString: url });
const mysqlPool = createPool(config);
const mysqlPromisePool = createPromisePool(config);
const mysqlConnection = createConnection({ ...config, port: 1 });
mysqlConnection.on('error', () => undefined);
const ioredis = new Redis(`redis://app:${secret}@127.0.0.1:1`, { lazyConnect: true });
const nodeRedis = createClient({ url: `redis://app:${secret}@127.0.0.1:1` });
const mongo = mongoose.createConnection();
const Note = mongo.model('Note', new mongoose.Schema({ slug: { type: String, unique: true } }));
afterAll(async () => {
  mysqlConnection.destroy();
  mysqlPool.end();
  await Promise.all([mysqlPromisePool.end(), pgPool.end(), mongo.close()]);
  ioredis.disconnect();
});

const objects: Readonly<Record<string, unknown>> = {
  'a literal': config,
  'a literal in literals': { connection: { pool: { auth: { url } } } },
  'a list': [url, config],
  'lists in a list': [[[url]], config],
  'a Map': new Map([[url, config]]),
  'a Set': new Set([url]),
  'an instance that shows itself': new Connection(),
  'an object without a prototype': Object.assign(Object.create(null), config),
  'an object whose constructor is data': { constructor: { name: secret }, url },
  'an object with a getter': Object.defineProperty({}, 'url', { enumerable: true, get: () => url }),
  'a Proxy': new Proxy(config, {}),
  'a URL': new URL(url),
  'a RegExp': new RegExp(secret),
  'a Buffer': Buffer.from(url),
  'an Error': Object.assign(new Error(url), config, { cause: config }),
  'a symbol': Symbol(secret),
  'a function': Object.assign(() => url, config),
  'a function with a secret name': { [url]: () => undefined }[url],
  'a class': Object.assign(class extends Map {}, { url }),
  'a Pool of pg': pgPool,
  'a Client of pg': pgClient,
  'a pool of mysql2': mysqlPool,
  'a pool of mysql2/promise': mysqlPromisePool,
  'a connection of mysql2': mysqlConnection,
  'a client of ioredis': ioredis,
  'a client of node-redis': nodeRedis,
  'a connection of Mongoose': mongo,
};

const texts: Readonly<Record<string, unknown>> = {
  'a URL of a database': url,
  'a URL with a token': `https://a.example/?token=${secret}`,
  'an origin with user info': `https://app:${secret}@a.example`,
  'origins with user info': `https://a.example, https://app:${secret}@b.example`,
  'the line of a header': `authorization: Bearer ${secret}`,
  'a connection string': `Server=a;User=app;Password=${secret}`,
};

const nothing = (): void => undefined;
const answerErrors: express.ErrorRequestHandler = (_error, _req, res, next) => {
  if (res.headersSent) next();
  else res.sendStatus(500);
};
const store = new library.MemoryStore();
const parsers = [library.jsonPatch()];
const prismaClient = {
  note: { findFirst: nothing, update: nothing, create: nothing, delete: nothing },
  ...{ $queryRawUnsafe: nothing, $executeRawUnsafe: nothing, $transaction: nothing },
};
const redisClient = { eval: nothing, evalsha: nothing };
const noteModel = {
  ...{ findOne: nothing, update: nothing, create: nothing, destroy: nothing, getAttributes: nothing },
};
const open = () => ({ open: () => store });
const declared = { columns: { title: 'string' }, key: 'slug' };
const tableFunctions = { find: nothing, lock: nothing, update: nothing, transaction: nothing };
const dirty = <V>(value: unknown): V => value as V;

/** Everything that takes options, by the name under which it reports mistakes, with the options last. */
const takesOptions: Readonly<Record<string, (options: never) => unknown>> = {
  'patchOptions()': (options) => library.patchOptions(options),
  'patchOptions() of cors': (options) => library.patchOptions({ cors: options }),
  'patchOptions() of a resource': (options) => library.patchOptions({ resources: { '/notes/:id': options } }),
  'optionsListener()': (options) => library.optionsListener(express(), options),
  'optionsHandler()': (options) => library.optionsHandler(options),
  'corsPreflight()': (options) => library.corsPreflight(options),
  'methodNotAllowed()': (options) => library.methodNotAllowed(options),
  'patchHandler()': (options) => library.patchHandler(store, parsers, options),
  'resource()': (options) => library.resource(store, parsers, options),
  'jsonPatch()': (options) => library.jsonPatch(options),
  'mergePatch()': (options) => library.mergePatch(options),
  'keyedMergePatch()': (options) => library.keyedMergePatch(options),
  'new SqliteStore()': (options) => new SqliteStore(new DatabaseSync(':memory:'), options),
  'new PostgresStore()': (options) => new PostgresStore(dirty({ query: nothing }), options),
  'new RedisStore()': (options) => new RedisStore(dirty(redisClient), options),
  'storeConformance()': (options) => storeConformance(open, options),
  'rowStore()': (options) =>
    rows.rowStore({ ...tableFunctions, ...declared, ...(options as object) } as never),
  'rowStore() of a column': (options) =>
    rows.rowStore({ ...tableFunctions, ...declared, columns: { title: options } } as never),
  'rowStore() of a version': (options) =>
    rows.rowStore({ ...tableFunctions, ...declared, version: options } as never),
  'tableStore()': (options) =>
    rows.tableStore(dirty({ query: nothing }), {
      table: 'notes',
      ...declared,
      ...(options as object),
    } as never),
  'tableRows()': (options) => rows.tableRows(dirty({ query: nothing }), options),
  'prismaRows()': (options) => rows.prismaRows(prismaClient, 'note' as never, options),
  'sequelizeRows()': (options) => rows.sequelizeRows(dirty<never>(noteModel), options),
  'mongooseStore()': (options) => mongooseStore(Note, options),
  'explainCors()': (options) => explainCors(express(), options),
  'PostgresStore.setupSql()': (options) => PostgresStore.setupSql(options),
  'SqliteStore.setupSql()': (options) => SqliteStore.setupSql(options),
  'resourceClient()': (options) => resourceClient('https://a.example/', options),
  'save()': (options) =>
    resourceClient('https://a.example/', {
      fetch: () => Promise.resolve(new Response('{}', { status: 404 })),
    }).save(...(['note', {}, {}, options] as const)),
};

/** Everything that takes something else, such as a client, in its place. */
const takesValues: Readonly<Record<string, (value: never) => unknown>> = {
  'optionsListener()': (value) => library.optionsListener(value),
  'optionsListener().attach()': (value) => library.optionsListener(express()).attach(value),
  'declareMethods()': (value) => library.declareMethods(value, value),
  'patchHandler() of a store': (value) => library.patchHandler(value, parsers),
  'patchHandler() of parsers': (value) => library.patchHandler(store, value),
  'resource() of a store': (value) => library.resource(value, parsers).delete,
  'new MemoryStore()': (value) => new library.MemoryStore(value),
  'new SqliteStore()': (value) => new SqliteStore(value, { table: 'notes' }),
  'new PostgresStore()': (value) => new PostgresStore(value, { table: 'notes' }),
  'new RedisStore()': (value) => new RedisStore(value, { prefix: 'notes' }),
  'storeConformance()': (value) => storeConformance(value),
  'rowStore()': (value) => rows.rowStore(value),
  'rowStore() of rows': (value) => rows.rowStore({ rows: value, ...declared } as never),
  'tableStore()': (value) =>
    rows.tableStore(value, { table: 'notes', ...declared, columns: { tags: 'string[]' } } as never),
  'tableRows()': (value) => rows.tableRows(value, { table: 'notes' }),
  'prismaRows()': (value) => rows.prismaRows(value, value),
  'drizzleRows()': (value) => rows.drizzleRows(value, value),
  'knexRows()': (value) => rows.knexRows(value, value),
  'kyselyRows()': (value) => rows.kyselyRows(value, value),
  'typeormRows()': (value) => rows.typeormRows(value),
  'sequelizeRows()': (value) => rows.sequelizeRows(value),
  'mikroormRows()': (value) => rows.mikroormRows(value, value),
  'mongooseStore()': (value) => mongooseStore(value),
  'explainCors()': (value) =>
    explainCors(value, { origin: 'https://a.example', method: 'PATCH', path: '/', timeout: 1_000 }),
};

/** The names of all options that are declared, by the path of those around them. */
function optionNames(make: (options: never) => unknown): string[] {
  const names = new Set<string>();
  const spy = jest.spyOn(readOptionsModule, 'readOptions');
  try {
    void Promise.resolve(make({} as never)).catch(nothing);
  } catch {
    // The options are missing.
  }
  for (const [, expected, , path = ''] of spy.mock.calls)
    for (const [name, expectation] of Object.entries(expected)) {
      names.add(path + name);
      if (!('findIssue' in expectation))
        for (const inner of Object.keys(expectation)) names.add(`${path}${name}.${inner}`);
    }
  spy.mockRestore();
  return [...names];
}
/** Options with one value at one place, `limits.bytes` inside `limits`. */
function optionsWith(path: string, value: unknown): object {
  return path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
}

const secrets = Object.entries({ ...objects, ...texts });

describe.each(Object.entries(takesOptions))('%s', (_subject, make) => {
  const names = optionNames(make);
  const paths = [...names, 'connectionString', 'client', 'pool'];

  // After each change each at every eighth, from another one on.
  test('each secret, at each option', async () => {
    for (const [index, [what, value]] of secrets.entries())
      for (const path of sampled(paths, Math.min(8, paths.length), index)) {
        const text = await said(() => make(optionsWith(path, value) as never));
        expect([what, path, text]).toEqual([what, path, expect.not.stringContaining(secret)]);
      }
  });

  test('each secret, in place of the options', async () => {
    for (const [what, value] of secrets) {
      const text = await said(() => make(value as never));
      expect([what, text]).toEqual([what, expect.not.stringContaining(secret)]);
    }
  });
});

describe.each(Object.entries(takesValues))('%s', (_subject, make) => {
  test('each secret', async () => {
    for (const [what, value] of secrets) {
      const text = await said(() => make(value as never));
      expect([what, text]).toEqual([what, expect.not.stringContaining(secret)]);
    }
  });
});

test('nothing that takes options is left out', () => {
  const lib = join(__dirname, '../../lib');
  const subjects = readdirSync(lib, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(join(lib, file), 'utf8').matchAll(
        /(?:OptionsCheck|ConfigurationError|readChecked)\('([^']+)'/g,
      ),
    ])
    .map(([, subject = '']) => subject);
  const covered = [...Object.keys(takesOptions), ...Object.keys(takesValues)].map((name) =>
    name.replace(/ of .*/, ''),
  );
  expect(subjects.length).toBeGreaterThan(30);
  expect(subjects.filter((subject) => !covered.includes(subject))).toEqual([]);
});

test('a text is shown at these options, whose values are names, pointers, media types or origins', async () => {
  const shown = new Set<string>();
  for (const make of Object.values(takesOptions))
    for (const name of optionNames(make))
      for (const value of [secret, [secret]])
        if ((await said(() => make(optionsWith(name, value) as never))).includes(secret)) shown.add(name);
  expect([...shown].toSorted()).toEqual([
    ...[
      'conflict',
      'dialect',
      'errors',
      'fallbackMethods',
      'hidden',
      'idempotency',
      'key',
      'mediaType',
      'method',
    ],
    ...[
      'methods',
      'origin',
      'precondition',
      'readOnly',
      'respond',
      'stateMembers',
      'unwritable',
      'version',
      'writable',
      'writeOnly',
    ],
  ]);
});

describe('functions of the app that throw, or return, what has secrets', () => {
  const failure = () => Object.assign(new Error('down'), config, { cause: new Connection() });
  const fail = () => {
    throw failure();
  };

  test.each<{ what: string; options: object; headers?: Record<string, string> }>([
    { what: 'origin throws', options: { cors: { origin: fail } } },
    { what: 'origin rejects', options: { cors: { origin: () => Promise.reject(failure()) } } },
    { what: 'origin returns an object', options: { cors: { origin: () => dirty(new Connection()) } } },
    { what: 'origin returns a text', options: { cors: { origin: () => dirty(url) } } },
    { what: 'onRefused throws', options: { cors: { origin: 'https://b.example', onRefused: fail } } },
    { what: 'body returns an object', options: { body: () => dirty(new Connection()) } },
  ])('$what: warnings and DEBUG lines', async ({ options }) => {
    const app = express();
    app.use(library.patchOptions({ cors: { origin: '*' }, ...options }));
    app.patch('/notes/:id', nothing);
    app.use(answerErrors);
    const sent = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'PATCH' };
    const text = await said(async () => {
      await supertest(app).options('/notes/1').set(sent);
      await supertest(app).options('/notes/1');
    });
    expect(text).toMatch(/patch-options:/);
    expect(text).not.toContain(secret);
  });

  const returned = [...Object.values(objects), ...Object.values(texts)];
  test.each<{ what: string; options: (value: unknown) => object }>([
    { what: 'key', options: (value) => ({ key: () => value }) },
    { what: 'may', options: (value) => ({ may: () => value }) },
    { what: 'authorize', options: (value) => ({ authorize: () => value }) },
    { what: 'writable', options: (value) => ({ writable: () => value }) },
    { what: 'writable, a list', options: (value) => ({ writable: () => [value] }) },
    { what: 'entityTag', options: (value) => ({ entityTag: () => value }) },
    {
      what: 'prepare',
      options: (value) => ({ prepare: () => value, validate: () => [{ pointer: '', detail: 'no' }] }),
    },
    { what: 'scope', options: (value) => ({ scope: () => value, idempotency: 'required' }) },
    {
      what: 'onPatched throws',
      options: (value) => ({
        onPatched: () => {
          throw value;
        },
      }),
    },
    {
      what: 'what is thrown by validate',
      options: (value) => ({
        validate: () => {
          throw Object.assign(Object.create(null), { value });
        },
      }),
    },
  ])('$what of patchHandler(): the error, warnings and DEBUG lines', async ({ what, options }) => {
    // A text is the key itself.
    const values = what === 'key' ? Object.values(objects) : returned;
    for (const value of sampled(values, 4, what.length)) {
      const notes = new library.MemoryStore({ 1: { title: 'a' } });
      const app = express();
      const handed: unknown[] = [];
      app.patch(
        '/notes/:id',
        library.patchHandler(notes, [library.mergePatch()], { key: 'id', ...options(value) } as never),
      );
      app.use(((error, _req, _res, next) => {
        handed.push(error);
        next(error);
      }) satisfies express.ErrorRequestHandler);
      app.use(answerErrors);
      const text = await said(() =>
        supertest(app)
          .patch('/notes/1')
          .set({ 'Content-Type': 'application/merge-patch+json', 'Idempotency-Key': '"1"' })
          .send('{"title":"b"}'),
      );
      // What a pointer is shown for is a text of the app's own choice.
      expect([text, ...handed.flatMap(asLogged)].join('\n')).not.toContain(secret);
    }
  });
});

describe('explainCors', () => {
  const question = { origin: 'https://a.example', method: 'PATCH', path: '/notes/1' } as const;

  test.each([
    `http://app:${secret}@127.0.0.1:1`,
    new URL(`http://app:${secret}@127.0.0.1:1/?token=${secret}`),
    url,
  ])('a target with user info is a mistake that does not show it (%#)', async (target) => {
    const text = await said(() => explainCors(target, question));
    expect(text).toContain('target: a string');
    expect(text).not.toContain(secret);
  });

  // Fails as soon as explainCors() masks it: then `failing` goes.
  test('the Location of a redirect, in what is explained', async () => {
    const app = express();
    app.use((_req, res) => {
      res.redirect(307, `http://app:${secret}@127.0.0.1:1/?token=${secret}`);
    });
    const explained = await explainCors(app, question);
    expect(inspect(explained, { depth: Infinity })).not.toContain(secret);
  });
});
