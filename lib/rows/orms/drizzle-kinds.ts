import { type Kind, toColumnKind } from '../kind';
import type { SchemaColumn } from '../rows';

/** What Drizzle knows of a column. */
export interface DrizzleSchemaColumn {
  readonly baseColumn?: DrizzleSchemaColumn;
  readonly notNull?: boolean;
  readonly primary?: boolean;
  readonly autoIncrement?: boolean;
  readonly withTimezone?: boolean;
  readonly enumValues?: unknown;
  readonly generated?: unknown;
  readonly generatedIdentity?: unknown;
  readonly onUpdateFn?: unknown;
  readonly hasOnUpdateNow?: boolean;
}

/** The classes of Drizzle's columns, without the `Pg`, `MySql` or `SQLite` before each. */
const classesByKind: Readonly<Record<Kind, readonly string[]>> = {
  string: [
    'Text',
    'Varchar',
    'VarChar',
    'Char',
    'EnumColumn',
    'EnumObjectColumn',
    'Inet',
    'Cidr',
    'Macaddr',
    'Macaddr8',
  ],
  integer: [
    'Integer',
    'Int',
    'TinyInt',
    'SmallInt',
    'MediumInt',
    'Serial',
    'SmallSerial',
    'BigInt53',
    'BigSerial53',
    'Year',
  ],
  bigint: ['BigInt64', 'BigSerial64', 'BigInt', 'NumericBigInt', 'DecimalBigInt'],
  number: ['Real', 'DoublePrecision', 'Double', 'Float', 'NumericNumber', 'DecimalNumber'],
  decimal: ['Numeric', 'Decimal'],
  boolean: ['Boolean'],
  date: ['Timestamp', 'TimestampString', 'DateTime', 'DateTimeString'],
  day: ['Date', 'DateString'],
  time: ['Time'],
  uuid: ['UUID'],
  json: ['Json', 'Jsonb', 'TextJson', 'BlobJson'],
};

export const drizzleKinds: ReadonlyMap<string, Kind> = new Map(
  Object.entries(classesByKind).flatMap(([kind, names]) =>
    names.map((name) => [name, kind as Kind] as const),
  ),
);

/** @param readKind - the name that Drizzle gives the class of a column */
export function toDrizzleColumn(
  column: DrizzleSchemaColumn,
  readKind: (column: object) => string,
): SchemaColumn {
  const { baseColumn, notNull = false } = column;
  const element = baseColumn ?? column;
  const type = readKind(element);
  // The offset of a time has no place in the kind.
  const hasOffset = type === 'PgTime' && element.withTimezone === true;
  const base = hasOffset ? undefined : drizzleKinds.get(type.replace(/^(?:Pg|MySql|SQLite)/, ''));
  const { enumValues } = element;
  return {
    type: `${type}${hasOffset ? ' with time zone' : ''}${baseColumn === undefined ? '' : '[]'}`,
    kind: base && toColumnKind(base, baseColumn !== undefined, !notNull),
    values:
      base === 'string' && Array.isArray(enumValues) && enumValues.length > 0
        ? enumValues.map(String)
        : undefined,
    readOnly: isSetBySchema(column),
    convertedBy: type.endsWith('CustomColumn') ? 'a custom type' : undefined,
  };
}

function isSetBySchema(column: DrizzleSchemaColumn): boolean {
  const { primary, autoIncrement, hasOnUpdateNow, generated, generatedIdentity, onUpdateFn } = column;
  const isCounted = primary === true || autoIncrement === true || hasOnUpdateNow === true;
  return isCounted || [generated, generatedIdentity, onUpdateFn].some((way) => way !== undefined);
}
