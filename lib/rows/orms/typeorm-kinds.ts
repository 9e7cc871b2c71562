import { type Kind, toColumnKind } from '../kind';
import type { SchemaColumn } from '../rows';
import { sqlKinds } from './sql-types';

/** What TypeORM knows of a column. */
export interface TypeormColumn {
  readonly type: unknown;
  readonly transformer?: unknown;
  readonly isArray: boolean;
  readonly isNullable: boolean;
  readonly isPrimary: boolean;
  readonly isGenerated: boolean;
  readonly isUpdate: boolean;
  readonly isCreateDate: boolean;
  readonly isUpdateDate: boolean;
  readonly isVersion: boolean;
  readonly isVirtualProperty?: boolean;
  readonly generatedType?: unknown;
  readonly enum?: readonly unknown[];
}

/** The kinds of the types of TypeORM that SQL does not have. */
export const typeormKinds: ReadonlyMap<string, Kind> = new Map([
  ['String', 'string'],
  ['Number', 'integer'],
  ['Boolean', 'boolean'],
  ['Date', 'date'],
  ['simple-enum', 'string'],
  ['simple-json', 'json'],
]);

/** Types that TypeORM reads as lists of strings. */
export const typeormLists: readonly string[] = ['simple-array', 'set'];

export function toTypeormColumn(column: TypeormColumn): SchemaColumn {
  const type = typeof column.type === 'function' ? column.type.name : String(column.type);
  const isText = typeormLists.includes(type);
  const values = column.enum?.filter((value) => typeof value === 'string') ?? [];
  const hasNumbers = column.enum !== undefined && values.length !== column.enum.length;
  const base = isText ? 'string' : (typeormKinds.get(type) ?? sqlKinds.get(type.toLowerCase()));
  const known = hasNumbers || column.transformer !== undefined ? undefined : base;
  return {
    type: hasNumbers ? `${type} of numbers` : type,
    kind: known && toColumnKind(known, column.isArray || isText, column.isNullable),
    values: known !== undefined && values.length > 0 ? values : undefined,
    readOnly: isSetBySchema(column),
    convertedBy: column.transformer === undefined ? undefined : 'a transformer',
  };
}

function isSetBySchema(column: TypeormColumn): boolean {
  const { isPrimary, isGenerated, isUpdate, isCreateDate, isUpdateDate, isVersion } = column;
  const isComputed = column.generatedType !== undefined || column.isVirtualProperty === true;
  return isPrimary || isGenerated || !isUpdate || isCreateDate || isUpdateDate || isVersion || isComputed;
}
