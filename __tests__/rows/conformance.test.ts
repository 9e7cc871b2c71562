/** The contract over tables as apps have them: with a serial id, with slugs under a CHECK, and with a column of the tenant. */
import { randomUUID } from 'node:crypto';
import { type ConformanceOptions, storeConformance } from '../../lib/testing';
import type { Members } from '../../lib/testing/members';
import { rowStore, type Rows, tableRows } from '../../lib/rows';
import type { Dialect } from '../../lib/rows/rows';
import { isDeep } from '../support/deep-scale';
import { testCases, testSomeCases } from '../support/test-cases';
import { describeOver, type TestDatabase, testEngines } from './databases';

const ddl = {
  postgres: (table: string) => `
    CREATE TABLE ${table} (
      "id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, "tenant" integer NOT NULL DEFAULT 7,
      "slug" text NOT NULL DEFAULT gen_random_uuid() CHECK ("slug" ~ '^[a-z0-9-]{1,50}$'), "title" text NOT NULL,
      "age" integer, "email" text UNIQUE, "role" text NOT NULL DEFAULT 'reader', "changes" integer NOT NULL DEFAULT 0,
      "createdAt" timestamptz NOT NULL DEFAULT now(), "outcomes" text, "updatedAt" timestamptz, UNIQUE ("tenant", "slug"));
    CREATE FUNCTION ${table}_count() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN NEW."changes" := OLD."changes" + 1; RETURN NEW; END $$;
    CREATE TRIGGER count BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_count();`,
  sqlite: (table: string) => `
    CREATE TABLE ${table} (
      "id" INTEGER PRIMARY KEY AUTOINCREMENT, "tenant" integer NOT NULL DEFAULT 7,
      "slug" text NOT NULL DEFAULT (lower(hex(randomblob(16)))) CHECK ("slug" <> '' AND "slug" NOT GLOB '*[^a-z0-9-]*'),
      "title" text NOT NULL, "age" integer, "email" text UNIQUE, "role" text NOT NULL DEFAULT 'reader',
      "changes" integer NOT NULL DEFAULT 0, "createdAt" text NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
      "outcomes" text, "updatedAt" text,
      UNIQUE ("tenant", "slug"));
    CREATE TRIGGER ${table}_count AFTER UPDATE OF "title" ON ${table} BEGIN
      UPDATE ${table} SET "changes" = OLD."changes" + 1 WHERE "id" = NEW."id"; END`,
  mysql: (table: string) => `
    CREATE TABLE ${table} (
      "id" bigint PRIMARY KEY AUTO_INCREMENT, "tenant" integer NOT NULL DEFAULT 7,
      "slug" varchar(50) NOT NULL DEFAULT (uuid()) CHECK (BINARY "slug" REGEXP '^[a-z0-9-]{1,50}$'), "title" longtext NOT NULL,
      "age" integer, "email" varchar(200) UNIQUE, "role" varchar(20) NOT NULL DEFAULT 'reader',
      "changes" integer NOT NULL DEFAULT 0, "createdAt" datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
      "outcomes" longtext, "updatedAt" datetime(3),
      UNIQUE ("tenant", "slug"));
    CREATE TRIGGER ${table}_count BEFORE UPDATE ON ${table} FOR EACH ROW SET NEW."changes" = OLD."changes" + 1`,
};

const declaredOver = (dialect: Dialect) =>
  ({
    columns: {
      title: 'string',
      age: 'integer?',
      email: 'string?',
      slug: { kind: 'string', readOnly: true },
      changes: { kind: 'integer', readOnly: true },
      // SQLite has no type for dates.
      createdAt: { kind: 'date', readOnly: true, ...(dialect === 'sqlite' && { storedAs: 'iso' as const }) },
    },
    ...{ modified: 'updatedAt', outcomes: 'outcomes' },
  }) as const;

const ofRows: ConformanceOptions<Members> = {
  versions: false,
  carrier: { wrap: (title) => ({ title }), unwrap: ({ title }) => String(title) },
  members: {
    clearable: { age: 7 },
    fixed: { id: 777, tenant: 8, slug: 'stolen', role: 'admin', changes: 1_000 },
    unique: () => ({ email: `${randomUUID()}@example.com` }),
  },
};

// better-sqlite3 runs the same engine; over the others the fast tests are those of tableStore.
const engines = testEngines.filter(
  ({ engine, dialect }) => engine !== 'better-sqlite3' && (isDeep() || dialect === 'sqlite'),
);

describeOver(engines, 'rowStore', ({ dialect, open }) => {
  let database: TestDatabase;
  const table = 'notes';
  const declared = declaredOver(dialect);
  beforeAll(async () => {
    database = await open();
    await database.sql(ddl[dialect](table));
  });
  afterAll(() => database.close());

  const rows = () => tableRows(database.db, { table });
  const rowsWithoutInsert = (): Rows => {
    const { insert, ...others } = rows();
    expect(insert).toBeDefined();
    return others;
  };
  const serial = /^[1-9]\d{0,14}$/;
  const tenant = /^([1-9]\d{0,8})\/(.+)$/;

  describe.each([
    {
      by: 'a serial id, where another part of the app creates',
      store: () =>
        rowStore({
          ...rowsWithoutInsert(),
          ...declared,
          key: (key) => (serial.test(key) ? { id: Number(key) } : undefined),
        }),
      options: {
        ...ofRows,
        creates: false,
        key: async () => {
          const slug = randomUUID();
          await database.sql(`INSERT INTO ${table} (title, slug) VALUES ('not JSON', '${slug}')`);
          const [row] = await database.sql(`SELECT id FROM ${table} WHERE slug = '${slug}'`);
          return String(row?.['id']);
        },
      },
    },
    {
      by: 'a slug that a CHECK allows',
      store: () => rowStore({ ...rows(), ...declared, key: 'slug' }),
      options: { ...ofRows, key: () => randomUUID() },
    },
    {
      by: 'the number of a tenant and a slug',
      store: () =>
        rowStore({
          ...rows(),
          ...declared,
          key: (key) => {
            const [, number, slug] = tenant.exec(key) ?? [];
            return slug === undefined ? undefined : { tenant: Number(number), slug };
          },
        }),
      options: { ...ofRows, key: () => `7/${randomUUID()}` },
    },
  ])('by $by', ({ by, store, options }) => {
    const cases = storeConformance(() => ({ open: store }), options);
    if (by === 'a slug that a CHECK allows') testCases(cases);
    else testSomeCases(cases, by.length);

    test('and no case is skipped but for what is declared', () => {
      const skipped = cases.flatMap(({ skip }) => skip ?? []);
      const reasons = [
        'the keys have a special form, which the option key returns',
        'the states of the store are their content',
      ];
      if ('creates' in options) reasons.unshift('the store creates nothing');
      expect([...new Set(skipped)].sort()).toEqual(reasons.sort());
    });
  });
});
