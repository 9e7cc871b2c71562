/** Every kind of column through each ORM: written, read back, changed, cleared. */
import { randomUUID } from 'node:crypto';
import { types } from 'pg';
import { rowStore, type ColumnForm, type ColumnKind } from '../../lib/rows';
import { prismaRows } from '../../lib/rows';
import { openMariadbClient, openPostgresClient, openSqliteClient } from './support/prisma';
import { describeEachOrm } from './support/each-orm';
import type { OrmUnderTest } from './support/orm';
import { blocksOf, runBlock } from './support/page';

interface Kind {
  readonly column: string;
  readonly kind: ColumnKind;
  /** The ORMs that have the column. */
  readonly only?: readonly string[];
  /** The option `values`. */
  readonly allowed?: readonly string[];
  readonly as?: ColumnForm;
  readonly values: readonly unknown[];
  readonly on?: readonly OrmUnderTest['database'][];
  readonly except?: readonly string[];
}

/** Its oid, which pg does not name. */
const numericArray = 1231;

/** By the number of a type. */
interface Parsers {
  readonly getTypeParser: (oid: number) => unknown;
  readonly setTypeParser: (oid: number, parser: unknown) => void;
}
const parsers = types as Parsers;

/** Where the driver reads numeric[] as doubles. */
const roundingLists = ['Knex', 'Kysely', 'TypeORM', 'MikroORM'].map((orm) => `${orm} over PostgreSQL`);

const days = [
  ...[
    '0001-01-01',
    '0099-12-31',
    '0999-12-31',
    '1969-12-31',
    '1970-01-01',
    '2024-02-29',
    '2026-03-29',
    '2026-10-25',
  ],
  ...['2011-12-29', '2012-01-01', '9999-12-31'],
];
/** mysql2 reads the years before 100 as those of the last century. */
const ormsOverMysql2 = ['Knex', 'Kysely'];
const overMysql2 = ormsOverMysql2.map((orm) => `${orm} over MariaDB`);

/** What is sent is what is read; null, where it may be, is tried between them. */
const kinds: readonly Kind[] = [
  { column: 'body', kind: 'string?', values: ['', 'a', "'; --", '\u{1f600}é', 'null'] },
  // What drivers and ORMs replace in SQL, or quote.
  {
    column: 'body',
    kind: 'string?',
    values: ['?', '??', ':slug', '$1', "\\'", '\\', '\n\t\r\x1a\b', '%_', '[raw]: x'],
  },
  { column: 'ratio', kind: 'number?', values: [0, -1.5, 0.1 + 0.2, 1e300, 5e-324] },
  { column: 'age', kind: 'integer?', values: [0, -1, 199, -(2 ** 31)] },
  { column: 'done', kind: 'boolean', values: [true, false, true] },
  {
    column: 'due',
    kind: 'date?',
    values: ['2026-11-22T12:00:00.123Z', '1969-12-31T23:59:59.999Z', '0999-01-01T00:00:00.000Z'],
  },
  ...['day', 'text'].map((column) => ({
    ...{ column, kind: 'day?' as const, values: days },
    except: overMysql2,
    ...(column === 'text' && { as: 'iso' as const }),
  })),
  {
    column: 'day',
    kind: 'day?',
    values: days.filter((value) => !value.startsWith('00')),
    only: ormsOverMysql2,
  },
  { column: 'dayAsDate', kind: 'day?', values: days, only: ['Drizzle'] },
  { column: 'clock', kind: 'time?', values: ['00:00:00', '23:59:59', '10:00:00'] },
  {
    column: 'clock',
    kind: 'time?',
    values: ['23:59:59.999', '00:00:00.001', '10:00:00.12'],
  },
  { column: 'text', kind: 'time?', values: ['10:00:00', '23:59:59.999999'], as: 'iso' },
  { column: 'state', kind: 'string?', values: ['draft', 'paid'], allowed: ['draft', 'paid'] },
  {
    column: 'uid',
    kind: 'uuid?',
    values: ['00000000-0000-0000-0000-000000000000', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
  },
  ...['dueText', 'localText'].map((column) => ({
    ...{ column, kind: 'date?' as const, only: ['Drizzle'] },
    values: ['2026-11-22T12:00:00.123Z', '1969-12-31T23:59:59.999Z', '2026-10-25T01:30:00.000Z'],
  })),
  {
    column: 'text',
    kind: 'date?',
    values: ['2026-11-22T12:00:00.123Z', '2026-10-25T01:30:00.000Z'],
    as: 'iso',
  },
  {
    column: 'days',
    kind: 'day[]',
    values: [[], days],
    only: ['Prisma', 'Drizzle', 'Knex', 'Kysely'],
    on: ['PostgreSQL'],
  },
  {
    column: 'states',
    kind: 'string[]',
    ...{ values: [[], ['draft', 'paid']], allowed: ['draft', 'paid'] },
    ...{ only: ['Prisma', 'Drizzle', 'Knex', 'Kysely'], on: ['PostgreSQL'] },
  },
  {
    column: 'tags',
    kind: 'string?[]',
    values: [[], [null], ['a', null, 'NULL', '', ' a ', '"'], [null, null]],
    on: ['PostgreSQL'],
    except: ['Prisma over PostgreSQL'],
  },
  { column: 'price', kind: 'decimal?', values: ['12.5', '-0.25', '999999.99', '0', '7'] },
  { column: 'price', kind: 'decimal?', values: ['12.50'], on: ['PostgreSQL', 'MariaDB'] },
  {
    column: 'serial',
    kind: 'bigint?',
    values: ['0', '9007199254740993', '9223372036854775807', '-9223372036854775808'],
  },
  {
    column: 'extra',
    kind: 'json?',
    values: [{ a: [1, null, { b: 'c' }] }, [], 'text', 0, 1.5, true, false, { a: null }, { a: '1' }],
  },
  {
    column: 'extra',
    kind: 'json?',
    values: ['1', '{"a":1}', 'null', '"a"'],
    except: ['Drizzle over PostgreSQL'],
  },
  { column: 'facts', kind: 'json', values: [{ a: 1 }, [1], 'text', 0, { set: 1 }, { increment: 1 }] },
  {
    column: 'tags',
    kind: 'string[]',
    values: [[], ['a'], ['a', 'b,c', '"', '{}', '', 'NULL'], [' a ', 'b,\n', '\\"\\']],
    on: ['PostgreSQL'],
  },
  {
    column: 'prices',
    kind: 'decimal[]',
    values: [[], ['12345678901234567890.123456789'], ['0.0000001', '-1.5'], ['1000000000000000000000']],
    on: ['PostgreSQL'],
    except: roundingLists,
  },
];

describeEachOrm((opened, about) => {
  const storeOf = ({ column, kind, as, allowed }: Kind) =>
    rowStore({
      ...opened().rows,
      columns: {
        title: 'string',
        member: {
          kind,
          column,
          ...(as !== undefined && { as }),
          ...(allowed !== undefined && { values: allowed }),
        },
      },
      key: 'slug',
      version: 'version',
    });

  const name = `${about.orm} over ${about.database}`;
  const here = kinds.filter(
    ({ on, except, only }) =>
      (on?.includes(about.database) ?? true) &&
      (only?.includes(about.orm) ?? true) &&
      except?.includes(name) !== true,
  );
  test.each(here)('$kind: $values', async (declared) => {
    const { kind, values } = declared;
    const store = storeOf(declared);
    const slug = randomUUID();
    let last = await store.replace(slug, null, { title: 'a', member: values[0] });
    const sequence = kind.endsWith('?') ? values.flatMap((value) => [value, null]) : values;
    for (const member of [...sequence, ...[...values].reverse()]) {
      last = await store.replace(slug, last?.version ?? '', { title: 'a', member });
      const expected = outsideOf(declared, member, about);
      expect(last?.value).toEqual({ title: 'a', member: expected });
      expect(await store.get(slug)).toEqual(last);
    }
    const others = await opened().sql(`SELECT secret FROM notes WHERE slug = '${slug}'`);
    expect(others).toEqual([{ secret: 'hidden' }]);
  });

  test('a creation leaves to the database what is left out', async () => {
    const store = storeOf({ column: 'facts', kind: 'json', values: [] });
    const made = await store.replace(randomUUID(), null, { title: 'a' } as never);
    expect(made?.value).toEqual({ title: 'a', member: {} });
  });

  test('a misspelt column is found when the store is made, where the ORM knows its columns', () => {
    const opening = () => storeOf({ column: 'slog', kind: 'string', values: [] });
    if (['Knex', 'Kysely'].includes(about.orm)) expect(opening).not.toThrow();
    else
      expect(opening).toThrow(
        "columns.member.column: 'slog' is not a column that the ORM knows. Did you mean 'slug'?",
      );
  });

  test('a generated version is possible where the update returns the row, and a mistake where it does not', async () => {
    const opening = () =>
      rowStore({
        ...opened().rows,
        ...({ columns: { title: 'string' }, key: 'slug', version: { generated: 'version' } } as const),
      });
    const returns = about.database === 'PostgreSQL' && ['Drizzle', 'Knex', 'Kysely'].includes(about.orm);
    if (!returns) {
      expect(opening).toThrow("version: { generated: 'version' } needs an update that returns the row");
      return;
    }
    const slug = randomUUID();
    await opened().sql(`INSERT INTO notes (slug, title) VALUES ('${slug}', 'a')`);
    const seen = await opening().get(slug);
    expect((await opening().replace(slug, seen?.version ?? '', { title: 'b' }))?.value).toEqual({
      title: 'b',
    });
  });

  if (roundingLists.includes(name)) {
    test('a list of decimals is not read from doubles, and exactly with the type parser of the page', async () => {
      const store = storeOf({ column: 'prices', kind: 'decimal[]', values: [] });
      const slug = randomUUID();
      const exact = '12345678901234567890.123';
      const inTable = async () =>
        (await opened().sql(`SELECT prices::text FROM notes WHERE slug = '${slug}'`))[0]?.['prices'];
      const made = await store.replace(slug, null, { title: 'a', member: [exact] });
      expect(made?.unreadable).toEqual([
        {
          pointer: '/member',
          reason: expect.objectContaining({ code: 'PATCH_OPTIONS_COLUMN_VALUE' }) as unknown,
        },
      ]);
      await expect(store.replace(slug, made?.version ?? '', { title: 'b' } as never)).rejects.toMatchObject({
        status: 422,
      });
      expect(await inTable()).toBe(`{${exact}}`);
      const asDoubles = parsers.getTypeParser(numericArray);
      try {
        runBlock(blocksOf('Columns', 'ts')[2] ?? '', {}, 'numericArray');
        const seen = await store.get(slug);
        expect(seen?.value.member).toEqual([exact]);
        await store.replace(slug, seen?.version ?? '', { title: 'a', member: [exact, '0.10'] });
        expect(await inTable()).toBe(`{${exact},0.10}`);
      } finally {
        parsers.setTypeParser(numericArray, asDoubles);
      }
    });
  }

  const refusals: readonly {
    column: string;
    kind: ColumnKind;
    member: unknown;
    except?: readonly string[];
  }[] = [
    { column: 'state', kind: 'string?', member: 'nope' },
    { column: 'age', kind: 'string?', member: 'x' },
    { column: 'uid', kind: 'string?', member: 'x', except: ['MariaDB'] },
    { column: 'price', kind: 'string?', member: 'x' },
    ...(about.orm === 'Prisma'
      ? ([
          { column: 'state', kind: 'integer?', member: 7 },
          { column: 'tags', kind: 'string?[]', member: ['a', null], except: ['MariaDB'] },
          { column: 'clock', kind: 'time?', member: '10:00:00.000001' },
        ] as const)
      : []),
  ];
  if (about.database !== 'SQLite') {
    test.each(refusals.filter(({ except = [] }) => !except.includes(about.database)))(
      'what the ORM or the database refuses is 422 with the pointer: $member in $column',
      async ({ column, kind, member }) => {
        const store = storeOf({ column, kind, values: [] });
        const slug = randomUUID();
        const refusal = { status: 422, problem: { errors: [{ pointer: '/member' }] } };
        await expect(store.replace(slug, null, { title: 'a', member })).rejects.toMatchObject({
          status: 422,
        });
        const plain = storeOf({ column: 'body', kind: 'string?', values: [] });
        const made = await plain.replace(slug, null, { title: 'a', member: null });
        const writing = store.replace(slug, made?.version ?? '', { title: 'a', member });
        await expect(writing).rejects.toMatchObject(refusal);
      },
    );
  }

  if (about.orm === 'Prisma') {
    test('NULL in a Json column needs Prisma.DbNull, and the error says so', async () => {
      const { url } = opened();
      const open = { PostgreSQL: openPostgresClient, MariaDB: openMariadbClient, SQLite: openSqliteClient };
      const prisma = open[about.database](url);
      const store = rowStore({
        ...prismaRows(prisma.note),
        columns: { title: 'string', extra: 'json?' },
        key: 'slug',
        version: 'version',
      });
      const slug = randomUUID();
      const made = await store.replace(slug, null, { title: 'a', extra: 1 });
      await expect(store.replace(slug, made?.version ?? '', { title: 'a', extra: null })).rejects.toThrow(
        'prismaRows(prisma.note, { dbNull: Prisma.DbNull })',
      );
      await prisma.$disconnect();
    });
  }
});

/** numeric(8, 2) has two digits; Prisma's Decimal drops those that are zero, as SQLite does. */
function outsideOf({ kind }: Kind, member: unknown, { orm, database }: OrmUnderTest): unknown {
  if (kind !== 'decimal?' || typeof member !== 'string') return member;
  const inRow = database !== 'SQLite' ? Number(member).toFixed(2) : String(Number(member));
  return orm === 'Prisma' ? String(Number(inRow)) : inRow;
}
