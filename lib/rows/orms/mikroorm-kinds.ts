import { type Kind, toColumnKind } from '../kind';
import type { SchemaColumn } from '../rows';
import { sqlKinds } from './sql-types';

/** What MikroORM knows of a property. */
export interface MikroormProperty {
  /** `scalar`, a relation such as `m:1`, or `embedded`, of MikroORM 6 and later. */
  readonly kind?: string;
  /** The same of MikroORM 5. */
  readonly reference?: string;
  readonly type?: string;
  readonly runtimeType?: string;
  readonly columnTypes?: readonly string[];
  readonly nullable?: boolean;
  readonly items?: readonly unknown[];
  readonly primary?: boolean;
  readonly autoincrement?: boolean;
  readonly generated?: unknown;
  readonly formula?: unknown;
  readonly version?: boolean;
  readonly onUpdate?: unknown;
  readonly customType?: object;
}

/** The types of MikroORM itself that convert values. */
const ownTypes: readonly string[] = [
  ...['ArrayType', 'BigIntType', 'BooleanType', 'DateType', 'DecimalType', 'DoubleType', 'EnumArrayType'],
  ...['EnumType', 'FloatType', 'IntegerType', 'JsonType', 'StringType', 'TextType', 'TimeType', 'UuidType'],
];

export function toMikroormColumn(property: MikroormProperty): SchemaColumn {
  const {
    kind = property.reference ?? 'scalar',
    type = '',
    columnTypes: [columnType = ''] = [],
    customType,
    nullable = false,
  } = property;
  const isScalar = kind === 'scalar';
  const isOwn = customType === undefined || ownTypes.includes(customType.constructor.name);
  const values = property.items?.filter((value) => typeof value === 'string') ?? [];
  const isList = columnType.endsWith('[]') || customType?.constructor.name === 'ArrayType';
  const base = isScalar && isOwn ? findKind(property, columnType) : undefined;
  return {
    type: isScalar ? columnType : `${kind} ${type}`,
    kind: base && toColumnKind(base, isList, nullable),
    values: base === 'string' && values.length > 0 ? values : undefined,
    readOnly: isSetBySchema(property),
    convertedBy:
      isScalar && !isOwn && !/^(?:Uint8Array|Blob|Interval)Type$/.test(type) ? 'a custom type' : undefined,
  };
}

/** The kind of a value, or of an element, as MikroORM reads it. */
function findKind({ type, runtimeType, items }: MikroormProperty, columnType: string): Kind | undefined {
  if (items !== undefined) return items.every((item) => typeof item === 'string') ? 'string' : 'integer';
  // It reads the elements of a column of texts as they are.
  if (type === 'number[]') return undefined;
  const sqlType = columnType
    .toLowerCase()
    .replace(/\(.*?\)/, '')
    .replace(/ unsigned$|\[\]$/g, '');
  const base = sqlKinds.get(sqlType);
  if (columnType.endsWith('[]') || type === 'ArrayType') return base;
  if (type === 'uuid') return 'uuid';
  if (runtimeType === 'boolean') return 'boolean';
  if (runtimeType !== 'number') return base;
  return base === 'bigint' ? 'integer' : base === 'decimal' ? 'number' : base;
}

function isSetBySchema(property: MikroormProperty): boolean {
  const { primary, autoincrement, generated, formula, version, onUpdate } = property;
  const isCounted = primary === true || autoincrement === true || version === true;
  return isCounted || [generated, formula, onUpdate].some((way) => way !== undefined);
}
