/** The errors of drivers and ORMs, each as the real one throws it: what `engine-error.ts` makes of them. */
import { randomUUID } from 'node:crypto';
import { readMeaning } from '../../lib/stores/engine-error';
import type { Row } from '../../lib/rows';
import { describeEachOrm } from './support/each-orm';
import type { OrmUnderTest } from './support/orm';
import { writeRow } from './support/write-row';

/** What rowStore makes of it. */
function meaningOf(error: unknown): string | undefined {
  const meaning = readMeaning(error);
  return meaning === undefined || ['unique', 'undone', 'table'].includes(meaning) ? meaning : 'refused';
}

const email = `${randomUUID()}@b.example`;

/** SQLite takes any number, and text of any length, into any column; Prisma checks types, and null, itself. */
const updates: readonly {
  what: string;
  set: Row;
  meaning: 'unique' | 'refused';
  on?: readonly OrmUnderTest['database'][];
  but?: OrmUnderTest['orm'][];
}[] = [
  { what: 'a value that another row has', set: { email }, meaning: 'unique' },
  { what: 'NULL where it cannot be', set: { title: null }, meaning: 'refused', but: ['Prisma'] },
  { what: 'what a CHECK refuses', set: { age: 200 }, meaning: 'refused' },
  { what: 'a text that is too long', set: { code: '123456789' }, meaning: 'refused' },
  { what: 'an integer out of range', set: { age: 2 ** 40 }, meaning: 'refused' },
  {
    what: 'a decimal out of range',
    set: { price: '1234567890.12' },
    meaning: 'refused',
    on: ['PostgreSQL', 'MariaDB'],
  },
  // Sequelize takes it out of the text, and MikroORM sends what PostgreSQL takes for a broken message: rowStore refuses it before.
  {
    what: 'NUL',
    set: { title: 'a\0b' },
    meaning: 'refused',
    on: ['PostgreSQL'],
    but: ['Sequelize', 'MikroORM'],
  },
  { what: 'letters in a number', set: { age: 'x' }, meaning: 'refused', but: ['Prisma'] },
];

describeEachOrm((opened, about) => {
  const inserted = async (row: Row = {}): Promise<string> => {
    const slug = randomUUID();
    await opened().rows.insert({ slug, title: 'a', ...row });
    return slug;
  };
  const errorOf = (act: () => unknown): Promise<unknown> =>
    Promise.resolve()
      .then(act)
      .then(
        () => Promise.reject(new Error('It threw nothing.')),
        (error: unknown) => error,
      );

  const cases = updates.filter(
    ({ on, but = [] }) => (on?.includes(about.database) ?? true) && !but.includes(about.orm),
  );
  test.each(cases)('$what: $meaning', async ({ set, meaning }) => {
    await opened().sql(`DELETE FROM notes WHERE email = '${email}'`);
    await inserted({ email });
    const slug = await inserted();
    const error = await errorOf(() => writeRow(opened().rows, { slug }, set));
    expect({ error, meaning: meaningOf(error) }).toMatchObject({ meaning });
  });

  test('a row whose key is there: unique', async () => {
    const slug = await inserted();
    const row = { slug, title: 'b' };
    expect(meaningOf(await errorOf(() => opened().rows.insert(row)))).toBe('unique');
  });

  test('a fault of the app is none of these', async () => {
    const slug = await inserted();
    const error = await errorOf(() => writeRow(opened().rows, { slug }, { missing: 1 }));
    // Most ORMs throw themselves, Prisma as for a value; those that do not know the columns ask the database.
    const meaning = { Prisma: 'refused', Knex: 'table', Kysely: 'table' }[about.orm as string];
    expect(meaningOf(error)).toBe(meaning);
  });

  if (about.database === 'PostgreSQL') {
    test('what another transaction has overtaken: undone', async () => {
      const slug = await inserted();
      const error = await errorOf(() =>
        opened().ownTransaction?.(async (rows) => {
          await rows.find({ slug }, ['slug']);
          await opened().sql(`UPDATE notes SET title = 'b' WHERE slug = '${slug}'`);
          await writeRow(rows, { slug }, { title: 'c' });
        }),
      );
      expect({ error, meaning: meaningOf(error) }).toMatchObject({ meaning: 'undone' });
    });
  }

  if (about.database !== 'SQLite') {
    test('two that wait for each other: undone, the one', async () => {
      const [a, b] = [await inserted(), await inserted()];
      let met = 0;
      let meet = (): void => undefined;
      const bothIn = new Promise<void>((resolve) => (meet = resolve));
      const crossing = (first: string, second: string) =>
        opened().ownTransaction?.(async (rows) => {
          await writeRow(rows, { slug: first }, { title: 'b' });
          met += 1;
          if (met === 2) meet();
          await bothIn;
          await writeRow(rows, { slug: second }, { title: 'c' });
        });
      const settled = await Promise.allSettled([crossing(a, b), crossing(b, a)]);
      const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
      expect(errors.length).toBeGreaterThan(0);
      expect(errors.map(meaningOf)).toEqual(errors.map(() => 'undone'));
    });
  } else {
    test('a file that another has locked: undone', async () => {
      const slug = await inserted();
      await opened().sql('BEGIN IMMEDIATE');
      try {
        const error = await errorOf(() => writeRow(opened().rows, { slug }, { title: 'b' }));
        expect({ error, meaning: meaningOf(error) }).toMatchObject({ meaning: 'undone' });
      } finally {
        await opened().sql('ROLLBACK');
      }
    });
  }
});
