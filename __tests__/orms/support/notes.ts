import { rowStore, type RowStoreOptions } from '../../../lib/rows';
import type { Opened } from './each-orm';
import type { OrmUnderTest } from './orm';

/** What clients see of a note in these tests. */
export function columnsOf({ names, orm, database }: OrmUnderTest) {
  // SQLite has no type for dates, of which these two say nothing.
  const form =
    database === 'SQLite' && (orm === 'Knex' || orm === 'Kysely') ? { storedAs: 'iso' as const } : {};
  return {
    title: 'string',
    body: 'string?',
    email: 'string?',
    age: 'integer?',
    ratio: 'number?',
    price: 'decimal?',
    serial: 'bigint?',
    extra: 'json?',
    facts: 'json',
    done: 'boolean',
    due: { kind: 'date?', ...form },
    code: 'string?',
    slug: { kind: 'string', readOnly: true },
    createdAt: { kind: 'date', readOnly: true, column: names.createdAt, ...form },
  } as const;
}

type NoteColumns = ReturnType<typeof columnsOf>;

export function notesOf(
  orm: Opened,
  about: OrmUnderTest,
  options: Partial<RowStoreOptions<NoteColumns>> = {},
) {
  return rowStore({
    ...orm.rows,
    ...{ columns: columnsOf(about), key: 'slug' },
    ...options,
  });
}
