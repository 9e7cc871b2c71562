/** Types of columns with a kind each, for tests that what a kind accepts is read back. */
import { randomUUID } from 'node:crypto';
import {
  type ColumnOptions,
  type Dialect,
  type RowStore,
  type TableConnection,
  tableStore,
} from '../../lib/rows';
import { fc } from '../support/properties';

export interface KindOverColumn extends Pick<ColumnOptions, 'as' | 'values'> {
  readonly kind: string;
  readonly column: string;
  readonly values?: readonly string[];
  /** What clients send. Default: that of the kind. */
  readonly sends?: fc.Arbitrary<unknown>;
}

const dayInMilliseconds = 86_400_000;
const [firstInstant, lastInstant] = [Date.parse('0001-01-01T00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

const toDay = (days: number) => new Date(days * dayInMilliseconds).toISOString().slice(0, 10);

/** The first and the last, leap days, and days on which clocks change somewhere. */
export const edgeDays = [
  ...['0001-01-01', '0004-02-29', '0099-12-31', '0100-01-01', '0999-12-31', '1582-10-10', '1899-12-31'],
  ...['1969-12-31', '1970-01-01', '1970-01-02', '2000-02-29', '2024-02-29', '9999-12-31'],
  // Berlin and St. John's; Samoa left out 2011-12-30; Beirut, Havana and St. John's before 2011 changed at midnight.
  ...['2026-03-28', '2026-03-29', '2026-03-30', '2026-10-24', '2026-10-25', '2026-10-26'],
  ...['2026-03-08', '2026-11-01', '2010-03-14', '2010-11-07', '2011-12-29', '2011-12-30', '2011-12-31'],
];

export const days = fc.oneof(
  fc.constantFrom(...edgeDays),
  fc
    .integer({ min: firstInstant / dayInMilliseconds, max: Math.floor(lastInstant / dayInMilliseconds) })
    .map(toDay),
);

const fraction = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.nat(999_999))
  .map(([length, digits]) => `.${String(digits).padStart(6, '0').slice(0, length)}`.replace(/\.?0*$/, ''));
const two = (max: number) => fc.nat(max).map((part) => String(part).padStart(2, '0'));
export const times = fc.oneof(
  fc.constantFrom('00:00:00', '23:59:59', '23:59:59.999999', '00:00:00.000001', '12:00:00.1'),
  fc.tuple(two(23), two(59), two(59), fraction).map(([h, m, s, rest]) => `${h}:${m}:${s}${rest}`),
);

export const instants = fc.oneof(
  fc.constantFrom('1970-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '2026-10-25T00:30:00.000Z'),
  fc.integer({ min: firstInstant, max: lastInstant }).map((instant) => new Date(instant).toISOString()),
);

/** Not of the years that mysql2 takes for those of the last century, which the kinds refuse. */
const isRead = (value: string) => !value.startsWith('00');

const states = ['draft', 'paid', "it's"];
const texts = fc.oneof(
  fc.constantFrom('', 'NULL', 'null', '{}', ' a ', '"', '\\', ',', '007', '1e3'),
  fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
);
const signed = (bits: number) =>
  fc.bigInt({ min: -(2n ** BigInt(bits - 1)), max: 2n ** BigInt(bits - 1) - 1n }).map(String);
const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(99))
  .map(([whole, rest]) => `${whole}.${String(rest).padStart(2, '0')}`);

const sent: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: texts,
  number: fc.oneof(
    fc.constantFrom(0, 5e-324, Number.MAX_VALUE, 0.1 + 0.2),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  ),
  integer: fc.oneof(fc.constantFrom(2 ** 53 - 1, -(2 ** 53 - 1), 0), fc.maxSafeInteger()),
  boolean: fc.boolean(),
  date: instants,
  day: days,
  time: times,
  decimal: decimals,
  bigint: fc.oneof(fc.constantFrom('9223372036854775807', '-9223372036854775808', '0'), signed(64)),
  uuid: fc.oneof(
    fc.constantFrom('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
    fc.uuid(),
  ),
  json: fc
    .jsonValue({ noUnicodeString: true } as never)
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown),
};

/** The values that clients send of a kind, without NULL. */
export function valuesOf({ kind, values, sends }: KindOverColumn): fc.Arbitrary<unknown> {
  const [, base = '', nulls, list] = /^(\w+)(\??)(\[\])?/.exec(kind) ?? [];
  const one =
    sends ?? (values === undefined ? sent[base] : fc.constantFrom(...values)) ?? fc.constant(undefined);
  if (list === undefined) return one;
  return fc.array(nulls === '?' ? fc.option(one, { freq: 3 }) : one, { maxLength: 4 });
}

const uuidsAsSent = fc.uuid().chain((uuid) => fc.constantFrom(uuid, uuid.toUpperCase()));

export const kindsOverColumns: Readonly<Record<Dialect, readonly KindOverColumn[]>> = {
  postgres: [
    { kind: 'string', column: 'text' },
    { kind: 'string', column: 'text', values: states },
    { kind: 'string', column: 'state_of_bill', values: states },
    { kind: 'number', column: 'float8' },
    { kind: 'integer', column: 'bigint' },
    { kind: 'boolean', column: 'boolean' },
    { kind: 'date', column: 'timestamptz(3)' },
    { kind: 'date', column: 'timestamptz(3)', as: 'iso' },
    { kind: 'date', column: 'timestamptz(3)', as: 'sql' },
    { kind: 'date', column: 'timestamp(3)', as: 'iso' },
    { kind: 'date', column: 'timestamp(3)', as: 'sql' },
    { kind: 'date', column: 'bigint', as: 'milliseconds' },
    { kind: 'date', column: 'text', as: 'iso' },
    { kind: 'day', column: 'date' },
    { kind: 'day', column: 'text' },
    { kind: 'day', column: 'bigint', as: 'milliseconds' },
    { kind: 'time', column: 'time' },
    { kind: 'time', column: 'text' },
    { kind: 'decimal', column: 'numeric' },
    { kind: 'bigint', column: 'bigint' },
    { kind: 'uuid', column: 'uuid', sends: uuidsAsSent },
    { kind: 'uuid', column: 'text', sends: uuidsAsSent },
    { kind: 'json', column: 'jsonb' },
    { kind: 'json', column: 'json' },
    ...['string[]', 'string?[]'].map((kind) => ({ kind, column: 'text[]' })),
    ...['string[]', 'string?[]'].map((kind) => ({ kind, column: 'state_of_bill[]', values: states })),
    ...['integer[]', 'integer?[]'].map((kind) => ({ kind, column: 'bigint[]' })),
    ...['number[]', 'number?[]'].map((kind) => ({ kind, column: 'float8[]' })),
    ...['boolean[]', 'boolean?[]'].map((kind) => ({ kind, column: 'boolean[]' })),
    ...['date[]', 'date?[]'].map((kind) => ({ kind, column: 'timestamptz(3)[]', as: 'iso' as const })),
    ...['date[]', 'date?[]'].map((kind) => ({ kind, column: 'timestamp(3)[]', as: 'iso' as const })),
    ...['day[]', 'day?[]'].map((kind) => ({ kind, column: 'date[]' })),
    ...['time[]', 'time?[]'].map((kind) => ({ kind, column: 'time[]' })),
    ...['decimal[]', 'decimal?[]'].map((kind) => ({ kind, column: 'numeric[]' })),
    ...['bigint[]', 'bigint?[]'].map((kind) => ({ kind, column: 'bigint[]' })),
    ...['uuid[]', 'uuid?[]'].map((kind) => ({ kind, column: 'uuid[]' })),
  ],
  mysql: [
    { kind: 'string', column: 'longtext' },
    { kind: 'string', column: `enum('draft', 'paid', 'it''s')`, values: states },
    {
      kind: 'number',
      column: 'double',
      sends: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    },
    { kind: 'integer', column: 'bigint' },
    { kind: 'boolean', column: 'boolean' },
    { kind: 'boolean', column: 'bit(1)' },
    { kind: 'date', column: 'datetime(3)', sends: instants.filter(isRead) },
    { kind: 'date', column: 'bigint', as: 'milliseconds' },
    { kind: 'date', column: 'varchar(40)', as: 'iso' },
    { kind: 'date', column: 'varchar(40)', as: 'sql' },
    { kind: 'day', column: 'date', sends: days.filter(isRead) },
    { kind: 'day', column: 'varchar(10)', as: 'iso' },
    { kind: 'day', column: 'bigint', as: 'milliseconds' },
    { kind: 'time', column: 'time(6)' },
    { kind: 'time', column: 'varchar(20)' },
    { kind: 'decimal', column: 'decimal(65, 2)' },
    { kind: 'bigint', column: 'bigint' },
    { kind: 'uuid', column: 'uuid', sends: fc.uuid({ version: [1, 4, 7] }) },
    { kind: 'uuid', column: 'char(36)', sends: uuidsAsSent },
    { kind: 'json', column: 'json' },
    ...['string', 'integer', 'boolean', 'date', 'day', 'time', 'decimal', 'bigint', 'uuid'].flatMap((kind) =>
      ['[]', '?[]'].map((list) => ({ kind: `${kind}${list}`, column: 'json' })),
    ),
  ],
  sqlite: [
    { kind: 'string', column: 'text' },
    { kind: 'string', column: 'text', values: states },
    // node:sqlite reads subnormal doubles as 0.
    {
      kind: 'number',
      column: 'real',
      sends: fc.oneof(
        fc.constant(-0.1),
        fc.integer().map((value) => value / 8),
      ),
    },
    { kind: 'integer', column: 'integer' },
    { kind: 'boolean', column: 'boolean' },
    { kind: 'date', column: 'text' },
    { kind: 'date', column: 'datetime', as: 'sql' },
    { kind: 'date', column: 'integer', as: 'milliseconds' },
    ...['text', 'date', 'datetime', 'any'].map((column) => ({ kind: 'day', column })),
    { kind: 'day', column: 'integer', as: 'milliseconds' },
    ...['text', 'time', 'any'].map((column) => ({ kind: 'time', column })),
    { kind: 'decimal', column: 'text' },
    { kind: 'bigint', column: 'integer' },
    ...['text', 'uuid', 'any'].map((column) => ({ kind: 'uuid', column, sends: uuidsAsSent })),
    { kind: 'json', column: 'text' },
    ...['string', 'integer', 'boolean', 'date', 'day', 'time', 'decimal', 'bigint', 'uuid'].flatMap((kind) =>
      ['[]', '?[]'].map((list) => ({ kind: `${kind}${list}`, column: 'text' })),
    ),
  ],
};

type MemberStore = RowStore<{ member: 'json?' }, object>;

/** A store over a new table, whose member `member` is the column. */
export async function openMember(
  db: TableConnection,
  dialect: Dialect,
  sql: (text: string) => Promise<unknown>,
  { column, kind, as, values }: KindOverColumn,
): Promise<{ store: MemberStore; table: string }> {
  const table = `kinds_${randomUUID().slice(0, 8)}`;
  const key = dialect === 'mysql' ? 'varchar(40)' : 'text';
  await sql(`CREATE TABLE ${table} (slug ${key} PRIMARY KEY, member ${column}, version ${key})`);
  const options = {
    kind: `${kind}?`,
    ...(as !== undefined && { as }),
    ...(values !== undefined && { values }),
  };
  const columns = { member: options } as unknown as { member: 'json?' };
  return { store: tableStore(db, { table, columns, key: 'slug', version: 'version' }), table };
}

/**
 * What is sent in a new row, instead of NULL, and instead of another value, as it is read back of each.
 *
 * @returns what the store gave for each write, and for each read after it
 */
export async function writeAndRead(store: MemberStore, first: unknown, second: unknown): Promise<unknown[]> {
  const slug = randomUUID();
  const results: unknown[] = [];
  let version: string | null = null;
  for (const member of [first, second, null, first] as never[]) {
    const stored = await store.replace(slug, version, { member });
    const seen = await store.get(slug);
    results.push(stored?.value.member, seen?.value.member);
    version = stored?.version ?? null;
  }
  return results;
}

/** What `writeAndRead` returns if each value is read back as a database spells it. */
export function expectedOf(kind: string, first: unknown, second: unknown): unknown[] {
  const spelled = (value: unknown) =>
    kind.startsWith('uuid') && typeof value === 'string' ? value.toLowerCase() : value;
  return [first, second, null, first].flatMap((value) => [spelled(value), spelled(value)]);
}
