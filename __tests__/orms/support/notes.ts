import { rowStore, type RowStoreOptions } from '../../../lib/rows';
import type { Opened } from './each-orm';
import type { OrmUnderTest } from './orm';

/** What clients see of a note in these tests. */
export function columnsOf({ names }: OrmUnderTest) {
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
    due: 'date?',
    code: 'string?',
    slug: { kind: 'string', readOnly: true },
    createdAt: { kind: 'date', readOnly: true, column: names.createdAt },
  } as const;
}

export type NoteColumns = ReturnType<typeof columnsOf>;

export function notesOf(
  orm: Opened,
  about: OrmUnderTest,
  options: Partial<RowStoreOptions<NoteColumns>> = {},
) {
  return rowStore({
    ...orm.rows,
    ...{ columns: columnsOf(about), key: 'slug', version: 'version' },
    ...options,
  });
}
