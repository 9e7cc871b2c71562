/** The columns of notes, with the kinds that each is for. */
import { decimalsUpTo, integers32, isUnusual, type KindSent, sentOf } from '../../rows/kinds-in-columns';
import { fc } from '../../support/properties';
import type { DatabaseName } from './databases';
import type { OrmUnderTest } from './orm';

type OrmName = OrmUnderTest['orm'];

/** Which ORMs have a column, and which engines. */
interface Where {
  readonly only?: readonly OrmName[];
  readonly on?: readonly DatabaseName[];
  /** As `Knex over MariaDB`. */
  readonly except?: readonly string[];
}

export interface KindOverNote extends KindSent, Where {
  /** In camelCase. */
  readonly column: string;
}

/** A value that a kind accepts, and a column does not: it is refused, unless it is read back. */
interface Stray extends Where {
  readonly column: string;
  readonly kind: string;
  readonly sent: readonly unknown[];
}

export function pathOf({ orm, database }: Pick<OrmUnderTest, 'orm' | 'database'>): string {
  return `${orm} over ${database}`;
}

export function isOn({ only, on, except }: Where, about: OrmUnderTest): boolean {
  const { orm, database } = about;
  return (
    (only?.includes(orm) ?? true) && (on?.includes(database) ?? true) && !except?.includes(pathOf(about))
  );
}

const untyped: readonly OrmName[] = ['Knex', 'Kysely'];
const typed: readonly OrmName[] = ['Prisma', 'Drizzle', 'TypeORM', 'Sequelize', 'MikroORM'];

const lists: Readonly<Record<string, string>> = {
  ...{ string: 'tags', integer: 'ages', number: 'ratios', boolean: 'flags', date: 'dues', day: 'days' },
  ...{ time: 'clocks', bigint: 'serials', uuid: 'uids' },
};

/** JSON's null is NULL. */
function withoutNull({ edges, any }: ReturnType<typeof sentOf>): ReturnType<typeof sentOf> {
  return { edges, any: any.filter((value) => value !== null) };
}

const asciiText = fc.string({ unit: 'grapheme-ascii', maxLength: 8 });

export const kindsOverNotes: readonly KindOverNote[] = [
  { column: 'body', kind: 'string?' },
  { column: 'code', kind: 'string?', sends: { edges: ['', 'a', '12345678'], any: asciiText } },
  { column: 'ratio', kind: 'number?' },
  {
    column: 'age',
    kind: 'integer?',
    sends: { edges: [0, -1, 199, -(2 ** 31)], any: fc.integer({ max: 199 }) },
  },
  { column: 'serial', kind: 'integer?' },
  { column: 'serial', kind: 'bigint?' },
  { column: 'done', kind: 'boolean' },
  { column: 'due', kind: 'date?' },
  // Sequelize has no type for a timestamp without a time zone.
  { column: 'local', kind: 'date?', except: ['Sequelize over PostgreSQL'] },
  { column: 'dueText', kind: 'date?', only: ['Drizzle'] },
  { column: 'localText', kind: 'date?', only: ['Drizzle'] },
  { column: 'day', kind: 'day?' },
  { column: 'dayAsDate', kind: 'day?', only: ['Drizzle'] },
  { column: 'clock', kind: 'time?' },
  { column: 'state', kind: 'string?', values: ['draft', 'paid'] },
  { column: 'uid', kind: 'uuid?' },
  { column: 'price', kind: 'decimal?', sends: decimalsUpTo(999_999n) },
  { column: 'extra', kind: 'json?' },
  { column: 'facts', kind: 'json', sends: withoutNull(sentOf({ kind: 'json' })) },
  // Columns of other types.
  { column: 'text', kind: 'uuid?' },
  { column: 'text', kind: 'day?' },
  { column: 'text', kind: 'time?' },
  { column: 'text', kind: 'date?', only: typed },
  { column: 'text', kind: 'date?', storedAs: 'iso', only: untyped },
  { column: 'text', kind: 'date?', storedAs: 'sql' },
  { column: 'serial', kind: 'date?', storedAs: 'milliseconds' },
  { column: 'serial', kind: 'day?', storedAs: 'milliseconds' },
  // Lists.
  ...Object.entries(lists).flatMap(([kind, column]): KindOverNote[] => [
    ...['[]', '?[]'].map((list): KindOverNote => {
      const sends = kind === 'integer' ? { sends: integers32 } : {};
      return { column, kind: `${kind}${list}`, on: ['PostgreSQL'], ...sends };
    }),
    { column: 'extra', kind: `${kind}[]?`, on: ['MariaDB', 'SQLite'] },
    { column: 'facts', kind: `${kind}?[]`, on: ['MariaDB', 'SQLite'] },
  ]),
  ...['string[]', 'string?[]'].map((kind): KindOverNote => {
    const only: readonly OrmName[] = ['Prisma', 'Drizzle', 'Knex', 'Kysely'];
    return { column: 'states', kind, values: ['draft', 'paid'], only, on: ['PostgreSQL'] };
  }),
  { column: 'prices', kind: 'decimal[]', on: ['PostgreSQL'] },
  { column: 'prices', kind: 'decimal?[]', on: ['PostgreSQL'] },
  { column: 'extra', kind: 'decimal[]?', on: ['MariaDB', 'SQLite'] },
  { column: 'facts', kind: 'decimal?[]', on: ['MariaDB', 'SQLite'] },
];

export const strays: readonly Stray[] = [
  { column: 'state', kind: 'string?', sent: ['nope', ''] },
  { column: 'age', kind: 'integer?', sent: [200, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1] },
  { column: 'serial', kind: 'decimal?', sent: ['9223372036854775808'], on: ['PostgreSQL', 'MariaDB'] },
  {
    column: 'price',
    kind: 'decimal?',
    sent: ['1000000.00', '-99999999999999999999.5'],
    on: ['PostgreSQL', 'MariaDB'],
  },
  { column: 'code', kind: 'string?', sent: ['123456789', '\u{1f600}'.repeat(9)] },
  { column: 'uid', kind: 'string?', sent: ['x'] },
];

/** Values that a kind accepts, and some access paths read back as others, so that they are refused. */
const refusals: readonly { readonly by: RegExp; readonly of: (value: unknown) => boolean }[] = [
  { by: /./, of: isUnusual },
  // The time zone of the process or of the server has another year there, or another day.
  { by: /./, of: (value) => typeof value === 'string' && value > '9999-12-30' },
  { by: /^(?:Prisma|Drizzle|Sequelize) over PostgreSQL/, of: (value) => value === null },
  { by: /^Prisma over/, of: (value) => typeof value === 'number' && Number(value.toPrecision(16)) !== value },
  { by: /^Drizzle over PostgreSQL/, of: isJsonText },
  {
    by: /^MikroORM over PostgreSQL/,
    of: (value) => typeof value === 'string' && /^\s|\s$|^null$/i.test(value),
  },
];

function isJsonText(value: unknown): boolean {
  try {
    return typeof value === 'string' && JSON.parse(value) !== undefined;
  } catch {
    return false;
  }
}

export function refusesOf(about: OrmUnderTest): NonNullable<KindSent['refuses']> {
  const those = refusals.filter(({ by }) => by.test(pathOf(about)));
  return (value) => those.some(({ of }) => of(value));
}

/**
 * Prisma's Decimal, and a column of decimals in SQLite, have no zeros at the end of a fraction. Prisma has times
 * to the millisecond, and cuts off numbers after 15 digits.
 */
export function roundsOf({ orm, database }: OrmUnderTest, { column }: KindOverNote): KindSent['rounds'] {
  if (orm === 'Prisma' && column.startsWith('clock')) return each(toMilliseconds);
  if (orm === 'Prisma' && column.startsWith('ratio'))
    return each((one) => Number(Number(one).toPrecision(14)));
  if (orm === 'Prisma' && column.startsWith('price')) return each(withoutZeros);
  return database === 'SQLite' && column === 'price' ? withoutZeros : undefined;
}

/** Of a value, or of each element of a list. */
function each(rounded: (value: unknown) => unknown): (value: unknown) => unknown {
  const of = (value: unknown): unknown => (value === null ? null : rounded(value));
  return (value) => (Array.isArray(value) ? value.map(of) : of(value));
}

function toMilliseconds(value: unknown): unknown {
  return withoutZeros(String(value).replace(/(\.\d{3})\d+$/, '$1'));
}

function withoutZeros(value: unknown): unknown {
  return typeof value === 'string' && value.includes('.') ? value.replace(/\.?0+$/, '') : value;
}
