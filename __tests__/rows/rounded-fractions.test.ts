/** Columns that keep fewer decimals than were sent: what the database makes of them is stored, answered and read. */
import { randomUUID } from 'node:crypto';
import { tableStore } from '../../lib/rows';
import { change, create } from '../support/written';
import { describeOver, testEngines } from './databases';

interface Rounded {
  readonly column: string;
  readonly kind: 'time' | 'date';
  readonly sent: string;
  readonly read: string;
}

const rounded: Readonly<Record<'postgres' | 'mysql', readonly Rounded[]>> = {
  postgres: [
    { column: 'time(0)', kind: 'time', sent: '12:00:00.6', read: '12:00:01' },
    { column: 'time(0)', kind: 'time', sent: '23:59:59.9', read: '24:00:00' },
    { column: 'time(3)', kind: 'time', sent: '23:59:59.9995', read: '24:00:00' },
    ...['timestamp(0)', 'timestamptz(0)'].map((column): Rounded => {
      return { column, kind: 'date', sent: '2026-12-31T23:59:59.600Z', read: '2027-01-01T00:00:00.000Z' };
    }),
  ],
  // Cut off, unless sql_mode has TIME_ROUND_FRACTIONAL. MySQL rounds as PostgreSQL does.
  mysql: [
    { column: 'time(0)', kind: 'time', sent: '23:59:59.9', read: '23:59:59' },
    {
      column: 'datetime(0)',
      kind: 'date',
      sent: '2026-12-31T23:59:59.600Z',
      read: '2026-12-31T23:59:59.000Z',
    },
  ],
};

describeOver(
  testEngines.filter(({ dialect }) => dialect !== 'sqlite'),
  'fewer decimals than were sent',
  ({ dialect, open }) => {
    test.each(rounded[dialect === 'mysql' ? 'mysql' : 'postgres'])(
      '$sent in $column is read as $read',
      async ({ column, kind, sent, read }) => {
        const { db, sql, close } = await open();
        const table = `rounded_${randomUUID().slice(0, 8)}`;
        const key = 'varchar(40)';
        await sql(`CREATE TABLE ${table} (slug ${key} PRIMARY KEY, title text, a ${column})`);
        const columns = { title: 'string', a: `${kind}?` } as const;
        const store = tableStore(db, { columns, key: 'slug', table });
        const slug = randomUUID();
        const made = await create(store, slug, { title: 'a', a: sent });
        expect(made.value).toEqual({ title: 'a', a: read });
        expect(await store.get(slug)).toEqual(made);
        const changed = await change(store, slug, { title: 'b', a: read });
        expect(changed.value).toEqual({ title: 'b', a: read });
        expect((await store.get(slug))?.value).toEqual(changed.value);
        const sentAgain = await change(store, slug, { title: 'c', a: sent });
        expect(sentAgain.value).toEqual({ title: 'c', a: read });
        await close();
      },
    );
  },
);
