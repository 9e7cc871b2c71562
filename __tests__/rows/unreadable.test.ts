/** A value that its kind cannot show is an error that names it; a change after which a row could not be shown is rolled back. */
import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler } from 'express';
import supertest from 'supertest';
import { mergePatch, resource } from '../../lib';
import { ColumnValueError, rowStore, tableStore, type TableStoreOptions } from '../../lib/rows';
import type { Dialect } from '../../lib/rows/rows';
import { memoryTable } from '../support/memory-table';
import { change, replaceAt } from '../support/written';
import { describeOver, type TestDatabase, testEngines } from './databases';

const columns = { title: 'string', amount: 'integer?' } as const;

/** Writes what is no number into `amount`, which is a column of text. */
const triggers: Readonly<Record<Dialect, (table: string) => string>> = {
  sqlite: (table) =>
    ['INSERT', 'UPDATE OF title']
      .map(
        (event, i) => `CREATE TRIGGER ${table}_${i} AFTER ${event} ON ${table} WHEN NEW.title = 'spoils' BEGIN
          UPDATE ${table} SET amount = 'many' WHERE slug = NEW.slug; END`,
      )
      .join(';\n'),
  postgres: (table) => `
    CREATE FUNCTION ${table}_spoil() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.title = 'spoils' THEN NEW.amount := 'many'; END IF; RETURN NEW; END $$;
    CREATE TRIGGER spoil BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_spoil();`,
  mysql: (table) =>
    ['INSERT', 'UPDATE']
      .map(
        (event) => `CREATE TRIGGER ${table}_${event} BEFORE ${event} ON ${table} FOR EACH ROW
          SET NEW.amount = IF(NEW.title = 'spoils', 'many', NEW.amount)`,
      )
      .join(';\n'),
};

describeOver(testEngines, 'a value that its kind cannot show', ({ dialect, open }) => {
  const text = dialect === 'mysql' ? 'varchar(40)' : 'text';
  let database: TestDatabase;
  let table: string;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    table = `unreadable_${randomUUID().slice(0, 8)}`;
    await database.sql(
      `CREATE TABLE ${table} (slug ${text} PRIMARY KEY, title ${text}, amount ${text}, secret ${text})`,
    );
    await database.sql(
      `INSERT INTO ${table} VALUES ('milk', 'Buy milk', '7', 's'), ('bread', 'Buy bread', 'many', 's')`,
    );
  });

  const bytes = () => database.sql(`SELECT * FROM ${table} ORDER BY slug`);
  const serve = (more: Partial<TableStoreOptions<typeof columns>> = {}) => {
    const store = tableStore(database.db, { table, columns, key: 'slug', ...more });
    const note = resource(store, [mergePatch({ json: true })], { key: 'slug', create: true });
    const errors: unknown[] = [];
    const keepError: ErrorRequestHandler = (error, _req, res, next) => {
      errors.push(error);
      if (res.headersSent) next(error);
      else res.status(500).end();
    };
    const app = express();
    app.route('/:slug').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
    return { store, errors, server: supertest(app.use(keepError)) };
  };

  test.each([
    { method: 'get', sent: undefined },
    { method: 'delete', sent: undefined },
    { method: 'patch', sent: { title: 'x' } },
    { method: 'patch', sent: { amount: 8 } },
    { method: 'put', sent: { title: 'x', amount: 8 } },
  ] as const)(
    'is an error for Express that names column, kind and remedy: $method $sent',
    async ({ method, sent }) => {
      const { server, errors } = serve();
      const before = await bytes();
      const request = server[method]('/bread');
      const answer = await (sent === undefined ? request : request.send(sent));
      expect([answer.status, answer.text]).toEqual([500, '']);
      expect(errors).toEqual([expect.any(ColumnValueError)]);
      expect(errors).toMatchObject([
        {
          code: 'PATCH_OPTIONS_COLUMN_VALUE',
          message:
            'The column amount contains a string, but is declared as integer. Declare it as decimal or bigint.',
        },
      ]);
      expect(await bytes()).toEqual(before);
    },
  );

  test('does not keep the app from deleting the row, without a condition', async () => {
    const { store } = serve();
    expect(await store.delete('bread')).toBe(true);
    expect(await bytes()).toMatchObject([{ slug: 'milk' }]);
  });

  test('that another writer has written since the row was read is an error too, and nothing is written', async () => {
    const { store } = serve();
    const current = await store.get('milk');
    if (current === undefined) throw new Error('There is no milk.');
    await database.sql(`UPDATE ${table} SET amount = 'many' WHERE slug = 'milk'`);
    const before = await bytes();
    await expect(replaceAt(store, 'milk', current, { title: 'x', amount: 7 })).rejects.toThrow(
      ColumnValueError,
    );
    await expect(store.delete('milk', '', { current })).rejects.toThrow(ColumnValueError);
    expect(await bytes()).toEqual(before);
  });

  describe('after a change', () => {
    beforeEach(() => database.sql(triggers[dialect](table)));

    test.each([
      { what: 'PATCH', method: 'patch', path: '/milk', sent: { title: 'spoils' } },
      { what: 'PUT', method: 'put', path: '/milk', sent: { title: 'spoils', amount: 8 } },
      { what: 'PUT that creates', method: 'put', path: '/new', sent: { title: 'spoils', amount: 8 } },
    ] as const)('$what: 422 with its pointer, and rolled back', async ({ method, path, sent }) => {
      const onWrite = jest.fn();
      const { server, errors } = serve({ onWrite });
      const before = await bytes();
      const answer = await server[method](path).send(sent);
      expect(answer.body).toMatchObject({
        ...{ status: 422, code: 'invalid-result' },
        errors: [{ pointer: '/amount', detail: 'would be stored in a form that cannot be read back' }],
      });
      expect(answer.text).not.toContain('many');
      expect([errors, await bytes()]).toEqual([[], before]);
      expect(onWrite).not.toHaveBeenCalled();
    });

    test('that does not spoil the row is made', async () => {
      const { server } = serve();
      await server.patch('/milk').send({ title: 'x' }).expect(204);
      expect(await bytes()).toMatchObject([
        { slug: 'bread' },
        { slug: 'milk', title: 'x', amount: '7', secret: 's' },
      ]);
    });
  });
});

describe('a codec of the app', () => {
  const open = (codec: { readonly read?: () => string; readonly write?: (outside: string) => unknown }) => {
    const table = memoryTable([{ slug: 'milk', title: 'Buy milk', day: 'x' }]);
    const kind = { fault: () => undefined, read: String, write: (outside: string) => outside, ...codec };
    return {
      table,
      store: rowStore({ ...table.orm, columns: { title: 'string', day: { kind } }, key: 'slug' }),
    };
  };

  test.each([
    { what: 'another error', read: () => JSON.parse('{') as string },
    {
      what: 'no error',
      read: () => {
        throw 'no day';
      },
    },
  ])('whose read throws $what is named by its column', async ({ read }) => {
    const { table, store } = open({ read });
    await expect(store.get('milk')).rejects.toMatchObject({
      code: 'PATCH_OPTIONS_COLUMN_VALUE',
      message:
        'The column day contains a string, but is declared as a codec that throws for it. Correct the value, or the codec.',
      cause: expect.anything() as unknown,
    });
    expect(await store.delete('milk')).toBe(true);
    expect(table.rows).toEqual([]);
  });

  test('whose read throws for what write has made is 422, and rolled back', async () => {
    const read = (inside: unknown) => {
      if (inside !== 'x') throw new Error(`${String(inside)} is no day`);
      return 'x';
    };
    const { table, store } = open({ read: read as () => string });
    await expect(change(store, 'milk', { title: 'y', day: 'z' })).rejects.toMatchObject({
      ...{ status: 422, code: 'invalid-result', cause: expect.any(ColumnValueError) as unknown },
      problem: {
        errors: [{ pointer: '/day', detail: 'would be stored in a form that cannot be read back' }],
      },
    });
    expect(table.rows).toEqual([{ slug: 'milk', title: 'Buy milk', day: 'x' }]);
  });
});

test('a key that its column cannot hold is for the database to refuse', async () => {
  const refused = Object.assign(new Error('invalid input syntax for type uuid: "x"'), { code: '22P02' });
  const { orm } = memoryTable([]);
  const store = rowStore({
    ...orm,
    find: () => Promise.reject(refused),
    insert: () => Promise.reject(refused),
    transaction: (run) => run({ ...orm, insert: () => Promise.reject(refused) }, undefined),
    columns: { id: { kind: 'uuid', readOnly: true }, title: 'string' },
    key: 'id',
  });
  expect(await store.get('x')).toBeUndefined();
  expect(store.fit('x', { title: 'a' } as never, undefined)).toEqual({ title: 'a' });
  await expect(store.replace('x', null, { title: 'a' } as never)).rejects.toMatchObject({ status: 422 });
});
