/** What an app has in its client of Prisma runs when a client of the app sends PATCH or DELETE, as it does in the app's own code. */
import express, { type ErrorRequestHandler } from 'express';
import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { mergePatch, resource, type ResourceStore } from '../../lib';
import { prismaRows, type PrismaRowsOptions, type RowStore, rowStore } from '../../lib/rows';
import { Prisma as MariadbPrisma } from './generated/mariadb/client';
import { Prisma as PostgresPrisma, type PrismaClient } from './generated/postgresql/client';
import { Prisma as SqlitePrisma } from './generated/sqlite/client';
import {
  databaseNames,
  describeOver,
  type Found,
  openDatabase,
  type TestDatabase,
} from './support/databases';
import { blocksBelow, runBlock } from './support/page';
import { openMariadbClient, openPostgresClient, openSqliteClient } from './support/prisma';

const ddl = {
  PostgreSQL: `
    CREATE TABLE members (id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, tenant text NOT NULL, slug text NOT NULL,
      email text NOT NULL UNIQUE, name text NOT NULL, password text NOT NULL, hidden boolean NOT NULL DEFAULT false,
      extra jsonb, updated_at timestamptz(3) NOT NULL, UNIQUE (tenant, slug), UNIQUE (slug, email));
    CREATE TABLE posts (id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, title text NOT NULL,
      member_id integer NOT NULL REFERENCES members ON DELETE CASCADE)`,
  MariaDB: `
    CREATE TABLE members (id int AUTO_INCREMENT PRIMARY KEY, tenant varchar(50) NOT NULL, slug varchar(50) NOT NULL,
      email varchar(100) NOT NULL UNIQUE, name varchar(100) NOT NULL, password varchar(100) NOT NULL,
      hidden tinyint(1) NOT NULL DEFAULT 0, extra json, updated_at datetime(3) NOT NULL,
      UNIQUE (tenant, slug), UNIQUE (slug, email));
    CREATE TABLE posts (id int AUTO_INCREMENT PRIMARY KEY, title varchar(100) NOT NULL, member_id int NOT NULL,
      FOREIGN KEY (member_id) REFERENCES members (id) ON DELETE CASCADE)`,
  SQLite: `
    CREATE TABLE members (id INTEGER PRIMARY KEY AUTOINCREMENT, tenant text NOT NULL, slug text NOT NULL,
      email text NOT NULL UNIQUE, name text NOT NULL, password text NOT NULL, hidden boolean NOT NULL DEFAULT 0,
      extra jsonb, updated_at datetime NOT NULL, UNIQUE (tenant, slug), UNIQUE (slug, email));
    CREATE TABLE posts (id INTEGER PRIMARY KEY AUTOINCREMENT, title text NOT NULL,
      member_id integer NOT NULL REFERENCES members ON DELETE CASCADE)`,
};

/** The three generated clients have the same models. */
const clients = {
  PostgreSQL: { open: openPostgresClient, dbNull: PostgresPrisma.DbNull },
  MariaDB: { open: openMariadbClient as never as typeof openPostgresClient, dbNull: MariadbPrisma.DbNull },
  SQLite: { open: openSqliteClient as never as typeof openPostgresClient, dbNull: SqlitePrisma.DbNull },
};

const columns = {
  email: 'string',
  name: 'string',
  password: { kind: 'string', writeOnly: true },
  hidden: 'boolean',
  extra: 'json?',
  updatedAt: { kind: 'date', readOnly: true },
} as const;

const hashOf = (password: string) => `hash(${password})`;

class HttpError extends Error {
  readonly status = 409;
}

describe.each(databaseNames)('%s', (databaseName) => {
  describeOver[databaseName]('Prisma', () => {
    const { open, dbNull } = clients[databaseName];
    let database: TestDatabase;
    let prisma: PrismaClient;
    beforeAll(async () => {
      database = await openDatabase(databaseName);
      await database.sql(ddl[databaseName]);
      prisma = open(database.url);
    });
    afterAll(async () => {
      await prisma.$disconnect();
      await database.close();
    });

    const calls: unknown[] = [];
    beforeEach(() => (calls.length = 0));

    const create = async () => {
      const slug = randomUUID();
      const data = { tenant: 'acme', slug, email: `${slug}@a.example`, name: 'Ada', password: hashOf('one') };
      return prisma.member.create({ data: { ...data, posts: { create: [{ title: 'First' }] } } });
    };
    const rowOf = async (id: number): Promise<Found | undefined> =>
      (await database.sql(`SELECT * FROM members WHERE id = ${id}`))[0];

    const storeOver = (client: object, more: object = {}, options: PrismaRowsOptions = {}) =>
      rowStore({
        ...prismaRows(client as PrismaClient, 'member', { dbNull, ...options }),
        ...({ columns, key: (id: string) => ({ id: Number(id) }) } as const),
        ...more,
      });

    /** The app over a client, and the errors that reach its error handler. */
    const serve = (client: object, more: object = {}) => {
      const errors: unknown[] = [];
      const member = resource(storeOver(client, more), [mergePatch({ json: true })], { key: 'id' });
      const app = express();
      app.route('/:id').get(member.get).patch(member.patch).delete(member.delete);
      const onError: ErrorRequestHandler = (error: { status?: number }, _req, res, next) => {
        errors.push(error);
        if (res.headersSent) return next(error);
        res.status(error.status ?? 500).end();
      };
      app.use(onError);
      return { http: request(app), errors };
    };

    interface WhatRuns {
      readonly what: string;
      readonly extend: (client: PrismaClient) => object;
      /** Merge patches, sent one after the other. */
      readonly patches: readonly object[];
      readonly row: object;
      readonly calls: readonly unknown[];
    }
    const table: readonly WhatRuns[] = [
      {
        what: 'update of one model, which hashes a password once, and not when another member is changed',
        extend: (client) =>
          client.$extends({
            query: {
              member: {
                update: ({ args, query }) => {
                  const { password } = args.data;
                  calls.push(Object.keys(args.data));
                  const data = typeof password === 'string' ? { password: hashOf(password) } : {};
                  return query({ ...args, data: { ...args.data, ...data } });
                },
              },
            },
          }),
        patches: [{ password: 'two', name: 'Bob' }, { name: 'Cid' }],
        row: { name: 'Cid', password: hashOf('two') },
        calls: [['name', 'password'], ['name']],
      },
      {
        what: '$allModels.$allOperations, which sees each operation, and the whole row that it returns',
        extend: (client) =>
          client.$extends({
            query: {
              $allModels: {
                $allOperations: async ({ model, operation, args, query }) => {
                  const result: unknown = await query(args);
                  if (operation === 'update')
                    calls.push([model, Object.keys(Object(result) as object).length]);
                  return result;
                },
              },
            },
          }),
        patches: [{ name: 'Bob' }],
        row: { name: 'Bob' },
        calls: [['Member', 9]],
      },
      {
        what: '$allOperations, for statements of SQL, too',
        extend: (client) =>
          client.$extends({
            query: {
              $allOperations: ({ operation, args, query }) => {
                if (operation === 'update') calls.push(operation);
                return query(args);
              },
            },
          }),
        patches: [{ name: 'Bob' }],
        row: { name: 'Bob' },
        calls: ['update'],
      },
      {
        what: 'two extensions, in the order in which the app has added them',
        extend: (client) => {
          const naming = (by: string) =>
            PostgresPrisma.defineExtension({
              query: {
                member: {
                  update: ({ args, query }) => {
                    calls.push(by);
                    return query({
                      ...args,
                      data: { ...args.data, name: `${String(args.data.name)} ${by}` },
                    });
                  },
                },
              },
            });
          return client.$extends(naming('one')).$extends(naming('two'));
        },
        patches: [{ name: 'Bob' }],
        row: { name: 'Bob one two' },
        calls: ['one', 'two'],
      },
      {
        what: 'one that changes a value of JSON: that is not taken for a value that is misread',
        extend: (client) =>
          client.$extends({
            query: {
              member: {
                update: ({ args, query }) =>
                  query({ ...args, data: { ...args.data, extra: { by: 'extension' } } }),
              },
            },
          }),
        patches: [{ extra: { by: 'client' } }],
        row: { name: 'Ada' },
        calls: [],
      },
      {
        what: 'no update where nothing changes',
        extend: (client) =>
          client.$extends({
            query: {
              member: {
                update: ({ args, query }) => {
                  calls.push(args);
                  return query(args);
                },
              },
            },
          }),
        patches: [{ name: 'Ada' }, {}],
        row: { name: 'Ada' },
        calls: [],
      },
      {
        what: 'a computed field of a result extension, and one in place of a column',
        extend: (client) =>
          client.$extends({
            result: {
              member: {
                label: {
                  needs: { name: true, email: true },
                  compute: ({ name, email }) => `${name} <${email}>`,
                },
                name: { needs: { name: true }, compute: ({ name }) => name.toUpperCase() },
              },
            },
          }),
        patches: [{ hidden: true }, { name: 'Bob' }],
        row: { name: 'Bob' },
        calls: [],
      },
    ];

    test.each(table)('$what', async ({ extend, patches, row, calls: expected }) => {
      const { id } = await create();
      const { http, errors } = serve(extend(prisma));
      for (const patch of patches) await http.patch(`/${id}`).send(patch).expect(204);
      expect({ row: await rowOf(id), calls, errors }).toMatchObject({ row, calls: expected, errors: [] });
      const { body } = await http.get(`/${id}`).expect(200);
      expect(body).toMatchObject(
        patches.some((patch) => 'extra' in patch) ? { extra: { by: 'extension' } } : {},
      );
    });

    test('PUT creates with create, and DELETE calls delete: their extensions run, once, and get the whole row', async () => {
      const member = await create();
      const client = prisma.$extends({
        query: {
          member: {
            create: async ({ args, query }) => {
              const { password } = args.data;
              const created = await query({ ...args, data: { ...args.data, password: hashOf(password) } });
              calls.push(['create', created.id]);
              return created;
            },
            delete: async ({ args, query }) => {
              const deleted = await query(args);
              calls.push(['delete', deleted.id]);
              return deleted;
            },
          },
        },
      });
      const all = {
        tenant: 'string',
        slug: 'string',
        name: 'string',
        password: { kind: 'string', writeOnly: true },
      } as const;
      const store = storeOver(client, { columns: all, key: 'email' }) as never as ResourceStore;
      const resources = resource(store, [mergePatch({ json: true })], { key: 'email', create: true });
      const app = express();
      app.route('/:email').put(resources.put).delete(resources.delete);
      const email = `${randomUUID()}@a.example`;
      const sent = { tenant: 'acme', slug: email, name: 'Bob', password: 'one' };
      await request(app).put(`/${email}`).send(sent).expect(201);
      const created = await prisma.member.findUniqueOrThrow({ where: { email } });
      expect(created).toMatchObject({ name: 'Bob', password: hashOf('one') });
      await request(app).delete(`/${member.email}`).expect(204);
      expect(await rowOf(member.id)).toBeUndefined();
      expect(calls).toEqual([
        ['create', created.id],
        ['delete', member.id],
      ]);
    });

    test('relations are left as they are, and @updatedAt is the time of the last change', async () => {
      const before = await create();
      const { http } = serve(prisma);
      await http.patch(`/${before.id}`).send({ name: 'Ada' }).expect(204);
      const read = () =>
        prisma.member.findUniqueOrThrow({ where: { id: before.id }, include: { posts: true } });
      expect((await read()).updatedAt).toEqual(before.updatedAt);
      const answer = await http
        .patch(`/${before.id}`)
        .set('Prefer', 'return=representation')
        .send({ name: 'Bob' });
      const after = await read();
      expect(after.updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
      expect(answer.body).toMatchObject({ name: 'Bob', updatedAt: after.updatedAt.toISOString() });
      expect(after.posts).toMatchObject([{ title: 'First', memberId: before.id }]);
    });

    test.each<{ what: string; thrown: Error; status: number; errors?: readonly object[] }>([
      { what: 'with a status', thrown: new HttpError('The name is taken.'), status: 409 },
      { what: 'without one', thrown: new Error('The index is down.'), status: 500 },
      {
        what: 'of Prisma, about a row of another model',
        thrown: Object.assign(new Error(), { code: 'P2025', meta: { modelName: 'Post' } }),
        status: 500,
      },
      {
        what: 'of Zod',
        thrown: Object.assign(new Error(), {
          issues: [
            { path: ['name'], message: 'Too short.' },
            { path: ['extra', 'tags', 0], message: 'Unknown tag.' },
            { path: [], message: 'Give both, or neither.' },
          ],
        }),
        status: 422,
        errors: [
          { pointer: '/name', detail: 'Too short.' },
          { pointer: '/extra/tags/0', detail: 'Unknown tag.' },
          { detail: 'Give both, or neither.' },
        ],
      },
    ])(
      'an error $what that an extension throws is the answer $status, and nothing is written',
      async (row) => {
        const { id } = await create();
        const before = await rowOf(id);
        const { http, errors } = serve(
          prisma.$extends({
            query: {
              member: {
                update: async ({ args, query }) => {
                  if (databaseName !== 'SQLite') await query(args);
                  throw row.thrown;
                },
              },
            },
          }),
        );
        const answer = await http.patch(`/${id}`).send({ name: 'Bob' });
        expect(answer.status).toBe(row.status);
        if (row.errors === undefined) expect(errors).toEqual([row.thrown]);
        else expect(answer.body).toMatchObject({ errors: row.errors });
        expect(await rowOf(id)).toEqual(before);
      },
    );

    /** Members that are hidden are deleted: `delete` hides them, `findFirst` does not find them, and `update` returns nothing. */
    const softly = (client: PrismaClient) =>
      client.$extends({
        model: {
          member: {
            delete(this: unknown, { where }: { where: { id: number } }) {
              const context = PostgresPrisma.getExtensionContext(this) as unknown as PrismaClient['member'];
              return context.update({ where, data: { hidden: true } });
            },
          },
        },
        query: {
          member: {
            findFirst: ({ args, query }) => query({ ...args, where: { ...args.where, hidden: false } }),
            update: (async ({ args, query }: { args: object; query: (args: object) => Promise<object> }) => {
              await query(args);
            }) as never,
          },
        },
      });

    test('a soft delete of an extension is what DELETE does', async () => {
      const { id } = await create();
      const { http } = serve(softly(prisma));
      await http.delete(`/${id}`).expect(204);
      expect(await rowOf(id)).toMatchObject({
        name: 'Ada',
        hidden: databaseName === 'PostgreSQL' ? true : 1,
      });
      await http.get(`/${id}`).expect(404);
      await http.delete(`/${id}`).expect(404);
      await http.patch(`/${id}`).send({ name: 'Bob' }).expect(404);
    });

    test.each([undefined, 'return=representation', 'return=minimal'])(
      'a PATCH that deletes softly, with Prefer %s, is 204 without a tag and a body',
      async (prefer) => {
        const { id } = await create();
        const { http } = serve(softly(prisma));
        const sent = http.patch(`/${id}`).send({ hidden: true });
        const answer = await (prefer === undefined ? sent : sent.set('Prefer', prefer));
        expect([answer.status, answer.text, answer.headers['etag']]).toEqual([204, '', undefined]);
        await http.get(`/${id}`).expect(404);
      },
    );

    const byKey: readonly {
      key: string | readonly string[];
      unique?: string;
      /** What the error says, where the schema has no such key. */
      error?: string;
    }[] = [
      { key: 'email' },
      { key: ['tenant', 'slug'] },
      { key: ['tenant', 'slug'], unique: 'tenant_slug' },
      { key: ['slug', 'tenant'], unique: 'tenant_slug' },
      { key: ['slug', 'email'], unique: 'handle' },
      { key: ['tenant', 'id'], unique: 'id' },
      { key: 'name', error: 'Add @unique to name in the schema' },
      { key: ['slug', 'tenant'], error: "{ unique: 'tenant_slug' }" },
      { key: ['slug', 'email'], error: 'the schema has none named slug_email' },
      { key: ['slug', 'email'], unique: 'handles', error: 'the schema has none named handles' },
    ];
    test.each(byKey.map((of) => ({ unique: 'none', ...of })))(
      'the key $key, with the option unique: $unique',
      async ({ key, unique, error }) => {
        const row = { ...(await create()), name: randomUUID() };
        await prisma.member.update({ where: { id: row.id }, data: { name: row.name } });
        const shown = { hidden: 'boolean', id: { kind: 'integer', readOnly: true } } as const;
        const options = unique === 'none' ? {} : { unique };
        const store = storeOver(prisma, { columns: shown, key }, options) as never as {
          get: (path: string) => Promise<{ value: object }>;
          replace: (...of: readonly unknown[]) => Promise<{ value: object }>;
          delete: (path: string) => Promise<boolean>;
        };
        const path =
          typeof key === 'string'
            ? String(Reflect.get(row, key))
            : key.map((name) => encodeURIComponent(String(Reflect.get(row, name)))).join('/');
        const current = await store.get(path);
        const changing = store.replace(path, '', { ...current.value, hidden: true }, { current });
        if (error === undefined) {
          expect((await changing).value).toMatchObject({ hidden: true });
          expect(await store.delete(path)).toBe(true);
          expect(await rowOf(row.id)).toBeUndefined();
        } else {
          await expect(changing).rejects.toThrow(error);
          await expect(store.delete(path)).rejects.toThrow(error);
          expect(await rowOf(row.id)).toMatchObject({ id: row.id });
        }
      },
    );
  });
});

/** Extensions for row-level security, which begin a transaction for each query, as published ones do. */
describe('PostgreSQL: an extension that begins transactions of its own', () => {
  const role = `role_${randomUUID().slice(0, 8)}`;
  let database: TestDatabase;
  /** The policies apply to the role alone. */
  let clientOf: Readonly<Record<'owner' | 'role', PrismaClient>>;
  beforeAll(async () => {
    database = await openDatabase('PostgreSQL');
    await database.sql(`${ddl.PostgreSQL};
      CREATE ROLE ${role} LOGIN PASSWORD '${role}'; GRANT ALL ON members TO ${role};
      ALTER TABLE members ENABLE ROW LEVEL SECURITY;
      CREATE POLICY own ON members USING (tenant = current_setting('app.tenant', TRUE))`);
    const url = Object.assign(new URL(database.url), { username: role, password: role });
    clientOf = { owner: openPostgresClient(database.url), role: openPostgresClient(url.href) };
  });
  afterAll(async () => {
    await Promise.all(Object.values(clientOf).map((client) => client.$disconnect()));
    await database.sql(`DROP TABLE posts, members; DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await database.close();
  });

  const create = async () => {
    const email = `${randomUUID()}@a.example`;
    const data = { tenant: 'acme', slug: email, email, name: 'Ada', password: '' };
    await clientOf.owner.member.create({ data });
    return email;
  };
  const nameOf = async (email: string) =>
    (await database.sql(`SELECT name FROM members WHERE email = '${email}'`))[0]?.['name'];

  const forTenant = (tenant: string, prisma: PrismaClient) =>
    prisma.$extends({
      query: {
        $allModels: {
          $allOperations: async ({ args, query }) => {
            const setTenant = prisma.$executeRaw`SELECT set_config('app.tenant', ${tenant}, TRUE)`;
            const [, result] = await prisma.$transaction([setTenant, query(args) as never]);
            return result as never;
          },
        },
      },
    });
  const extensions = {
    'for each model': forTenant,
    'for all statements': (tenant: string, prisma: PrismaClient) =>
      prisma.$extends({
        query: {
          $allOperations: async ({ args, query }) => {
            const setTenant = prisma.$executeRaw`SELECT set_config('app.tenant', ${tenant}, TRUE)`;
            const [, result] = await prisma.$transaction([setTenant, query(args) as never]);
            return result as never;
          },
        },
      }),
    'with an answer without the database': (_tenant: string, prisma: PrismaClient) =>
      prisma.$extends({
        query: { member: { findFirst: () => ({ email: 'cached', name: 'cached' }) as never } },
      }),
  };

  test.each([
    { extension: 'for each model', as: 'owner' },
    { extension: 'for each model', as: 'role' },
    { extension: 'for all statements', as: 'owner' },
    { extension: 'for all statements', as: 'role' },
    { extension: 'with an answer without the database', as: 'owner' },
  ] as const)(
    '$extension, as the $as: nothing is written, and the error says what helps',
    async ({ extension, as }) => {
      const email = await create();
      const client = extensions[extension]('acme', clientOf[as]);
      const store = rowStore({
        ...prismaRows(client as PrismaClient, 'member'),
        columns: { name: 'string' },
        key: 'email',
      });
      const current = { value: { name: 'Ada' }, handle: { email, name: 'Ada' } };
      const error =
        /^prisma\.member\.findFirst was not carried out in the transaction .* transaction: \(run\) => /;
      await expect(store.replace(email, '', { name: 'Bob' }, { current })).rejects.toThrow(error);
      expect(await nameOf(email)).toBe('Ada');
    },
  );

  test('the recipe of docs/row-recipes.md: each user reads and writes the own rows alone', async () => {
    await database.sql(`GRANT ALL ON notes TO ${role}; ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
      CREATE POLICY own ON notes USING (body = current_setting('app.user', TRUE))`);
    const slug = randomUUID();
    await clientOf.owner.note.create({ data: { slug, title: 'Mine', body: 'ada' } });
    const [code = ''] = blocksBelow('row-recipes', 'Through Prisma', 'ts');
    const notes = runBlock(code, { prisma: clientOf.role }, 'notes') as RowStore<
      { title: 'string' },
      { delete: never }
    >;
    const note = resource(notes, [mergePatch({ json: true })], { key: 'slug' });
    const app = express();
    app.route('/:slug').get(note.get).patch(note.patch).delete(note.delete);
    const http = request(app);
    const title = async () =>
      (await database.sql(`SELECT title FROM notes WHERE slug = '${slug}'`))[0]?.['title'];
    await http.patch(`/${slug}`).set('X-User', 'eve').send({ title: 'Hers' }).expect(404);
    expect(await title()).toBe('Mine');
    await http.patch(`/${slug}`).set('X-User', 'ada').send({ title: 'Still mine' }).expect(204);
    const { body } = await http.get(`/${slug}`).set('X-User', 'ada').expect(200);
    expect([body, await title()]).toEqual([{ title: 'Still mine', body: 'ada' }, 'Still mine']);
    await http.delete(`/${slug}`).set('X-User', 'eve').expect(404);
    await http.delete(`/${slug}`).set('X-User', 'ada').expect(204);
    expect(await title()).toBeUndefined();
  });

  test('one that wraps update alone waits for the write until its time is over, and the warning says so', async () => {
    const email = await create();
    const prisma = clientOf.owner;
    const client = prisma.$extends({
      query: {
        member: {
          update: async ({ args, query }) => {
            const [result] = await prisma.$transaction([query(args) as never, prisma.$executeRaw`SELECT 1`]);
            return result as never;
          },
        },
      },
    });
    const store = rowStore({
      ...prismaRows(client as PrismaClient, 'member'),
      ...({ columns: { name: 'string' }, key: 'email', timeout: 200 } as const),
    });
    const changing = store.replace(
      email,
      '',
      { name: 'Bob' },
      { current: (await store.get(email)) as never },
    );
    await expect(changing).rejects.toMatchObject({
      status: 503,
      cause: { message: expect.stringContaining('an extension of the ORM') as unknown },
    });
  });
});
