/** Types of columns with a kind each, for tests that what a kind accepts is read back. */
import { randomUUID } from 'node:crypto';
import { type ColumnKind, type ColumnOptions, type TableConnection, tableStore } from '../../lib/rows';
import type { Dialect } from '../../lib/rows/rows';
import { fc } from '../support/properties';
import type { MemberStore } from './written-and-read';

/** What clients send of a kind. */
export interface KindSent extends Pick<ColumnOptions, 'storedAs' | 'values'> {
  readonly kind: string;
  /** Default: those of the kind, with its edges. */
  readonly sends?: Sends;
  /** Which values are not read back as they were sent, and so are refused. Default: none. */
  readonly refuses?: ((value: unknown) => boolean) | undefined;
  /** What its column, or the ORM, keeps of a value or of a list. Default: all of it. */
  readonly rounds?: ((value: unknown) => unknown) | undefined;
}

/** The values that are sent in any case, and any others. */
interface Sends {
  readonly edges: readonly unknown[];
  readonly any: fc.Arbitrary<unknown>;
}

export interface KindOverColumn extends KindSent {
  /** The type of the column. */
  readonly column: string;
}

const dayInMilliseconds = 86_400_000;
const [firstInstant, lastInstant] = [Date.parse('0001-01-01T00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

const toDay = (days: number) => new Date(days * dayInMilliseconds).toISOString().slice(0, 10);

/** The first and the last, leap days, and days on which clocks change somewhere. */
const edgeDays = [
  ...['0001-01-01', '0004-02-29', '0099-12-31', '0100-01-01', '0999-12-31', '1582-10-10', '1899-12-31'],
  ...['1969-12-31', '1970-01-01', '1970-01-02', '2000-02-29', '2024-02-29', '9999-12-31'],
  // Berlin and St. John's; Samoa left out 2011-12-30; Beirut, Havana and St. John's before 2011 changed at midnight.
  ...['2026-03-28', '2026-03-29', '2026-03-30', '2026-10-24', '2026-10-25', '2026-10-26'],
  ...['2026-03-08', '2026-11-01', '2010-03-14', '2010-11-07', '2011-12-29', '2011-12-30', '2011-12-31'],
];

const anyDay = fc
  .integer({ min: firstInstant / dayInMilliseconds, max: Math.floor(lastInstant / dayInMilliseconds) })
  .map(toDay);

const fraction = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.nat(999_999))
  .map(([length, digits]) => `.${String(digits).padStart(6, '0').slice(0, length)}`.replace(/\.?0*$/, ''));
const two = (max: number) => fc.nat(max).map((part) => String(part).padStart(2, '0'));
const anyTime = fc
  .tuple(two(23), two(59), two(59), fraction)
  .map(([h, m, s, rest]) => `${h}:${m}:${s}${rest}`);

/** Half hours around the changes of clocks in Berlin, St. John's and Samoa. */
const changingInstants = [
  ...[
    '2026-03-29T00:00Z',
    '2026-10-25T00:00Z',
    '2026-03-08T04:30Z',
    '2026-11-01T03:30Z',
    '2011-12-30T09:00Z',
  ],
].flatMap((start) =>
  Array.from({ length: 5 }, (_, index) => new Date(Date.parse(start) + index * 1_800_000).toISOString()),
);

/** Before there were time zones, offsets have seconds. */
const edgeInstants = [
  ...['0001-01-01T00:00:00.000Z', '0001-01-02T12:00:00.000Z', '0099-12-31T23:59:59.999Z'],
  ...['0100-01-01T00:00:00.000Z', '0999-01-01T00:00:00.000Z', '0999-12-31T23:59:59.999Z'],
  ...['1582-10-10T12:00:00.001Z', '1899-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ...['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.001Z', '2026-11-22T12:00:00.120Z'],
  ...['9999-12-31T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
];

const anyInstant = fc
  .integer({ min: firstInstant, max: lastInstant })
  .map((instant) => new Date(instant).toISOString());

const states = ['draft', 'paid', "it's"];
const signed = (bits: number) =>
  fc.bigInt({ min: -(2n ** BigInt(bits - 1)), max: 2n ** BigInt(bits - 1) - 1n }).map(String);
const toDecimal = ([whole, rest]: readonly [bigint, number]) => `${whole}.${String(rest).padStart(2, '0')}`;

/** Decimals with two digits after the point. */
export function decimalsUpTo(most: bigint): Sends {
  return {
    edges: ['0.00', '-0.00', '0.01', '-0.01', '-0.50', '7.10', toDecimal([most, 99]), toDecimal([-most, 99])],
    any: fc.tuple(fc.bigInt({ min: -most, max: most }), fc.nat(99)).map(toDecimal),
  };
}

/** Those of an integer column with 32 bits. */
export const integers32: Sends = { edges: [0, -1, -(2 ** 31), 2 ** 31 - 1], any: fc.integer() };

const kindsSent: Readonly<Record<string, Sends>> = {
  string: {
    edges: [
      ...['', 'NULL', 'null', '{}', '[]', ' a ', '"', '\\', ',', '007', '1e3', 'true', "'; --"],
      // What drivers and ORMs replace in SQL, or quote.
      ...['?', '??', ':slug', '$1', "\\'", '\n\t\r\x1a\b', '%_', '[raw]: x', '\u{1f600}e\u0301'],
    ],
    any: fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
  },
  number: {
    edges: [0, -1.5, 0.1 + 0.2, 1e300, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, Number.EPSILON],
    any: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  },
  integer: { edges: [0, -1, 2 ** 53 - 1, -(2 ** 53 - 1)], any: fc.maxSafeInteger() },
  boolean: { edges: [true, false], any: fc.boolean() },
  date: { edges: [...edgeInstants, ...changingInstants], any: anyInstant },
  day: { edges: edgeDays, any: anyDay },
  time: {
    edges: ['00:00:00', '23:59:59', '12:00:00.1', '23:59:59.999', '23:59:59.999999', '00:00:00.000001'],
    any: anyTime,
  },
  decimal: decimalsUpTo(10n ** 20n),
  bigint: {
    edges: ['0', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808'],
    any: signed(64),
  },
  uuid: {
    edges: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    any: fc.uuid().chain((uuid) => fc.constantFrom(uuid, uuid.toUpperCase())),
  },
  json: {
    edges: [
      ...[
        {},
        [],
        '',
        'text',
        0,
        1.5,
        true,
        false,
        [null],
        { a: null },
        { a: [1, null, { b: 'c' }] },
        { a: '1' },
      ],
      ...['1', '{"a":1}', 'null', '"a"', { set: 1 }, { increment: 1 }],
    ],
    any: fc
      .jsonValue({ noUnicodeString: true } as never)
      .map((value) => JSON.parse(JSON.stringify(value)) as unknown),
  },
};

/** The values that clients send of a kind, without NULL. */
export function sentOf({ kind, values, sends }: KindSent): Sends {
  const [, base = '', nulls, list] = /^(\w+)(\??)(\[\])?/.exec(kind) ?? [];
  const one =
    sends ?? (values === undefined ? kindsSent[base] : { edges: values, any: fc.constantFrom(...values) });
  if (one === undefined) throw new Error(`There are no values of ${kind}.`);
  if (list === undefined) return one;
  const hasNulls = nulls === '?';
  return {
    edges: [[], one.edges, ...(hasNulls ? [[null], [null, ...one.edges, null]] : [])],
    any: fc.array(hasNulls ? fc.option(one.any, { freq: 3 }) : one.any, { maxLength: 4 }),
  };
}

/** mysql2 reads these years as those of the last century. */
export const isBeforeYear100 = (value: unknown) => String(value).startsWith('00');

/**
 * From before there were time zones, in an hour in which clocks change, or a day that Samoa left out: of some
 * of these, drivers read another value.
 */
export const isUnusual = (value: unknown) =>
  String(value) < '1900' || [...changingInstants, '2011-12-30'].includes(String(value));

export const kindsOverColumns: Readonly<Record<Dialect, readonly KindOverColumn[]>> = {
  postgres: [
    { kind: 'string', column: 'text' },
    { kind: 'string', column: 'text', values: states },
    { kind: 'string', column: 'state_of_bill', values: states },
    { kind: 'number', column: 'float8' },
    { kind: 'integer', column: 'bigint' },
    { kind: 'boolean', column: 'boolean' },
    { kind: 'date', column: 'timestamptz(3)' },
    { kind: 'date', column: 'timestamptz(3)', storedAs: 'iso' },
    { kind: 'date', column: 'timestamptz(3)', storedAs: 'sql' },
    { kind: 'date', column: 'timestamp(3)', storedAs: 'iso' },
    { kind: 'date', column: 'timestamp(3)', storedAs: 'sql' },
    { kind: 'date', column: 'bigint', storedAs: 'milliseconds' },
    { kind: 'date', column: 'text', storedAs: 'iso' },
    { kind: 'day', column: 'date' },
    { kind: 'day', column: 'text' },
    { kind: 'day', column: 'bigint', storedAs: 'milliseconds' },
    { kind: 'time', column: 'time' },
    { kind: 'time', column: 'text' },
    { kind: 'decimal', column: 'numeric' },
    { kind: 'bigint', column: 'bigint' },
    { kind: 'uuid', column: 'uuid' },
    { kind: 'uuid', column: 'text' },
    { kind: 'json', column: 'jsonb' },
    { kind: 'json', column: 'json' },
    ...['string[]', 'string?[]'].map((kind) => ({ kind, column: 'text[]' })),
    ...['string[]', 'string?[]'].map((kind) => ({ kind, column: 'state_of_bill[]', values: states })),
    ...['integer[]', 'integer?[]'].map((kind) => ({ kind, column: 'bigint[]' })),
    ...['number[]', 'number?[]'].map((kind) => ({ kind, column: 'float8[]' })),
    ...['boolean[]', 'boolean?[]'].map((kind) => ({ kind, column: 'boolean[]' })),
    ...['date[]', 'date?[]'].map((kind) => ({ kind, column: 'timestamptz(3)[]', storedAs: 'iso' as const })),
    ...['date[]', 'date?[]'].map((kind) => ({ kind, column: 'timestamp(3)[]', storedAs: 'iso' as const })),
    ...['day[]', 'day?[]'].map((kind) => ({ kind, column: 'date[]' })),
    ...['time[]', 'time?[]'].map((kind) => ({ kind, column: 'time[]' })),
    ...['decimal[]', 'decimal?[]'].map((kind) => ({ kind, column: 'numeric[]' })),
    ...['bigint[]', 'bigint?[]'].map((kind) => ({ kind, column: 'bigint[]' })),
    ...['uuid[]', 'uuid?[]'].map((kind) => ({ kind, column: 'uuid[]' })),
  ],
  mysql: [
    { kind: 'string', column: 'longtext' },
    { kind: 'string', column: `enum('draft', 'paid', 'it''s')`, values: states },
    { kind: 'number', column: 'double' },
    { kind: 'integer', column: 'bigint' },
    { kind: 'boolean', column: 'boolean' },
    { kind: 'boolean', column: 'bit(1)' },
    { kind: 'date', column: 'datetime(3)', refuses: isBeforeYear100 },
    { kind: 'date', column: 'bigint', storedAs: 'milliseconds' },
    { kind: 'date', column: 'varchar(40)', storedAs: 'iso' },
    { kind: 'date', column: 'varchar(40)', storedAs: 'sql' },
    { kind: 'day', column: 'date', refuses: isBeforeYear100 },
    { kind: 'day', column: 'varchar(10)', storedAs: 'iso' },
    { kind: 'day', column: 'bigint', storedAs: 'milliseconds' },
    { kind: 'time', column: 'time(6)' },
    { kind: 'time', column: 'varchar(20)' },
    { kind: 'decimal', column: 'decimal(65, 2)' },
    { kind: 'bigint', column: 'bigint' },
    { kind: 'uuid', column: 'uuid', sends: { edges: [], any: fc.uuid({ version: [1, 4, 7] }) } },
    { kind: 'uuid', column: 'char(36)' },
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
      sends: { edges: [-0.1, Number.MAX_VALUE], any: fc.integer().map((value) => value / 8) },
    },
    { kind: 'integer', column: 'integer' },
    { kind: 'boolean', column: 'boolean' },
    { kind: 'date', column: 'text', storedAs: 'iso' },
    { kind: 'date', column: 'datetime', storedAs: 'sql' },
    { kind: 'date', column: 'integer', storedAs: 'milliseconds' },
    ...['text', 'date', 'datetime', 'any'].map((column) => ({
      kind: 'day',
      column,
      storedAs: 'iso' as const,
    })),
    { kind: 'day', column: 'integer', storedAs: 'milliseconds' },
    ...['text', 'time', 'any'].map((column) => ({ kind: 'time', column })),
    { kind: 'decimal', column: 'text' },
    { kind: 'bigint', column: 'integer' },
    ...['text', 'uuid', 'any'].map((column) => ({ kind: 'uuid', column })),
    { kind: 'json', column: 'text' },
    ...['string', 'integer', 'boolean', 'time', 'decimal', 'bigint', 'uuid'].flatMap((kind) =>
      ['[]', '?[]'].map((list) => ({ kind: `${kind}${list}`, column: 'text' })),
    ),
    ...['date', 'day'].flatMap((kind) =>
      ['[]', '?[]'].map((list) => ({ kind: `${kind}${list}`, column: 'text', storedAs: 'iso' as const })),
    ),
  ],
};

/** A member of a store over a column of its own, which can be NULL. */
interface OpenMember extends KindOverColumn {
  readonly name: string;
  readonly columnName: string;
}

export function membersOf<K extends KindOverColumn>(kinds: readonly K[]): (K & OpenMember)[] {
  return kinds.map((about, index) => {
    const { kind, column, storedAs = 'it is', values } = about;
    const name = `${kind} over ${column} as ${storedAs}${values === undefined ? '' : ', some values'}`;
    return { ...about, kind: `${kind}?`, name, columnName: `c${index}` };
  });
}

/** Creates a table with a column for each member. */
export async function createTable(
  sql: (text: string) => Promise<unknown>,
  dialect: Dialect,
  members: readonly OpenMember[],
): Promise<string> {
  const table = `kinds_${randomUUID().slice(0, 8)}`;
  const key = dialect === 'mysql' ? 'varchar(40)' : 'text';
  const columns = members.map(({ columnName, column }) => `${columnName} ${column}`);
  await sql(`CREATE TABLE ${table} (slug ${key} PRIMARY KEY, ${columns.join(', ')})`);
  return table;
}

/** A store over that table. */
export function openStore(db: TableConnection, table: string, members: readonly OpenMember[]): MemberStore {
  const columns = members.map(({ name, kind, columnName, storedAs, values }): [string, ColumnOptions] => [
    name,
    {
      kind: kind as ColumnKind,
      column: columnName,
      ...(storedAs !== undefined && { storedAs }),
      ...(values !== undefined && { values }),
    },
  ]);
  // All rows are written at once, and the machine may be busy.
  const options = { columns: Object.fromEntries(columns), key: 'slug', timeout: 120_000 };
  return tableStore(db, { table, ...options });
}
