/** Columns that keep fewer decimals than were sent: what the database makes of them is stored, answered and read. */
import { randomUUID } from 'node:crypto';
import { type ColumnOptions, rowStore, tableRows, tableStore } from '../../lib/rows';
import { describeOver, testEngines } from './databases';

interface Rounded {
  readonly column: string;
  readonly kind: 'time' | 'date';
  readonly as?: ColumnOptions['as'];
  readonly sent: string;
  readonly read: string;
}

const year10000 = '+010000-01-01T00:00:00.000Z';
const rounded: Readonly<Record<'postgres' | 'mysql', readonly Rounded[]>> = {
  postgres: [
    { column: 'time(0)', kind: 'time', sent: '12:00:00.6', read: '12:00:01' },
    { column: 'time(0)', kind: 'time', sent: '23:59:59.9', read: '24:00:00' },
    { column: 'time(3)', kind: 'time', sent: '23:59:59.9995', read: '24:00:00' },
    ...(['timestamp(0)', 'timestamptz(0)'] as const).flatMap((column): Rounded[] => [
      { column, kind: 'date', sent: '2026-12-31T23:59:59.600Z', read: '2027-01-01T00:00:00.000Z' },
      ...([undefined, 'iso'] as const).map((as): Rounded => {
        const form = as === undefined ? {} : { as };
        return { column, kind: 'date', ...form, sent: '9999-12-31T23:59:59.900Z', read: year10000 };
      }),
    ]),
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
      '$sent in $column as $as is read as $read',
      async ({ column, kind, as, sent, read }) => {
        const { db, sql, close } = await open();
        const table = `rounded_${randomUUID().slice(0, 8)}`;
        const key = 'varchar(40)';
        await sql(`CREATE TABLE ${table} (slug ${key} PRIMARY KEY, title text, a ${column}, version ${key})`);
        const columns = {
          title: 'string',
          a: { kind: `${kind}?`, ...(as !== undefined && { as }) },
        } as const;
        const declared = { columns, key: 'slug', version: 'version' } as const;
        const rows = tableRows(db, { table });
        const transacted = rowStore({ ...rows, ...declared, transaction: (run) => run(rows, undefined) });
        for (const store of [tableStore(db, { ...declared, table }), transacted]) {
          const slug = randomUUID();
          const made = await store.replace(slug, null, { title: 'a', a: sent });
          expect(made?.value).toEqual({ title: 'a', a: read });
          expect(await store.get(slug)).toEqual(made);
          const kept = await store.replace(slug, made?.version ?? '', { title: 'b', a: read });
          expect(kept?.value).toEqual({ title: 'b', a: read });
          expect((await store.get(slug))?.value).toEqual(kept?.value);
        }
        await close();
      },
    );
  },
);
