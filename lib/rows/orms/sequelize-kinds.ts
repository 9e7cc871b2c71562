import { isObject } from '../../config/object';
import { type Kind, toColumnKind } from '../kind';
import type { SchemaColumn } from '../rows';

/** What Sequelize knows of an attribute. */
export interface SequelizeAttribute {
  readonly type?: unknown;
  readonly allowNull?: boolean;
  readonly primaryKey?: boolean;
  readonly autoIncrement?: boolean;
  readonly get?: unknown;
}

/** The kinds of Sequelize's types, by their keys. */
export const sequelizeKinds: ReadonlyMap<string, Kind> = new Map([
  ...(['STRING', 'CHAR', 'TEXT', 'CITEXT', 'ENUM', 'INET', 'CIDR', 'MACADDR'] as const).map(
    (type) => [type, 'string'] as const,
  ),
  ...(['TINYINT', 'SMALLINT', 'MEDIUMINT', 'INTEGER'] as const).map((type) => [type, 'integer'] as const),
  ['BIGINT', 'bigint'],
  ...(['FLOAT', 'REAL', 'DOUBLE PRECISION'] as const).map((type) => [type, 'number'] as const),
  ['DECIMAL', 'decimal'],
  ['BOOLEAN', 'boolean'],
  ['DATE', 'date'],
  ['DATEONLY', 'day'],
  ['TIME', 'time'],
  ['UUID', 'uuid'],
  ...(['JSON', 'JSONB'] as const).map((type) => [type, 'json'] as const),
]);

/** @param isReadOnly - whether Sequelize sets it itself: a date of its own, or the version */
export function toSequelizeColumn(attribute: SequelizeAttribute, isReadOnly: boolean): SchemaColumn {
  const { type, allowNull = true, primaryKey = false, autoIncrement = false } = attribute;
  const isList = readMember(type, 'key') === 'ARRAY';
  const element = isList ? readMember(type, 'type') : type;
  const key = String(readMember(element, 'key'));
  const values = readMember(element, 'values');
  const isBinary = readMember(element, '_binary') === true;
  const base = isBinary || attribute.get !== undefined ? undefined : sequelizeKinds.get(key);
  return {
    type: `${key}${isBinary ? '.BINARY' : ''}${isList ? '[]' : ''}`,
    kind: base && toColumnKind(base, isList, allowNull && !primaryKey),
    values: base === 'string' && Array.isArray(values) && values.length > 0 ? values.map(String) : undefined,
    readOnly: primaryKey || autoIncrement || isReadOnly,
    convertedBy: attribute.get === undefined ? undefined : 'a getter',
  };
}

function readMember(object: unknown, name: string): unknown {
  return isObject(object) ? Reflect.get(object, name) : undefined;
}
