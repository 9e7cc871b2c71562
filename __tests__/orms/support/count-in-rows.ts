/**
 * A process that counts in rows, among others, until its standard input ends: `count-in-rows.ts <orm> <database> <url> <writer>
 * <first> <slug>…`. It says the number of each increment that the store has acknowledged, a line each. One that was begun before the
 * process was killed is begun again under its old id.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { rowStore } from '../../../lib/rows';
import type { OrmUnderTest } from './orm';

/** Each is loaded where it is named: it takes seconds. */
const orms: Readonly<Record<string, () => Promise<readonly OrmUnderTest[]>>> = {
  Prisma: async () => (await import('./prisma')).prismas,
  Drizzle: async () => (await import('./drizzle')).drizzles,
  Knex: async () => (await import('./knex')).knexes,
  Kysely: async () => (await import('./kysely')).kyselys,
  TypeORM: async () => (await import('./typeorm')).typeorms,
  Sequelize: async () => (await import('./sequelize')).sequelizes,
  MikroORM: async () => (await import('./mikroorm')).mikroorms,
};

async function countInRows([
  orm = '',
  database,
  url = '',
  writer = '',
  first,
  ...slugs
]: string[]): Promise<void> {
  const overEach = await orms[orm]?.();
  const opened = await overEach?.find((about) => about.database === database)?.open(url);
  if (opened === undefined) throw new Error(`There is no ${orm} over ${database ?? 'a database'} here.`);
  const store = rowStore({
    ...opened.rows,
    columns: { count: { kind: 'number', column: 'ratio' } },
    key: 'slug',
    outcomes: 'outcomes',
  });
  process.stdin.resume();
  // One that may be killed has to find its last outcome, however long it takes to start it again; of one that counts all the
  // while, all that it keeps is written with every increment.
  const maxAge = writer === 'killed' ? 3_600 : 1;

  const count = async (slug: string, id: string): Promise<void> => {
    const outcome = { id, scope: writer, text: () => 'counted', keep: 1e6, total: 1e6, maxAge };
    for (;;) {
      const seen = await store.get(slug, { outcome: { id } });
      if (seen === undefined) throw new Error(`There is no ${slug} to count in.`);
      if (seen.outcome !== undefined) return;
      const next = { count: seen.value.count + 1 };
      const result = await store.replace(slug, '', next, { current: seen, outcome });
      if (result !== undefined && 'value' in result) return;
    }
  };

  for (let number = Number(first); !process.stdin.readableEnded; number++) {
    await count(slugs[number % slugs.length] ?? '', `${writer}-${number}`);
    process.stdout.write(`${number}\n`);
    await delay(5);
  }
  await opened.close();
}

void countInRows(process.argv.slice(2));
