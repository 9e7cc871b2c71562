import { hasNames } from '../../config/object';
import type { OptionsCheck } from '../../config/options-check';
import type { SchemaColumn } from '../rows';
import type { ColumnOptions } from './column-options';

/** A column of the options without a kind. */
interface WithoutKind {
  /** The path of the option, such as `columns.title`. */
  readonly option: string;
  readonly value: unknown;
  readonly member: string;
  readonly options: ColumnOptions;
}

/** What the ORM says of its columns, if it knows them. */
export interface Schema {
  readonly columnNames?: Readonly<Record<string, string>> | undefined;
  readonly columnKinds?: Readonly<Record<string, SchemaColumn>> | undefined;
}

/**
 * The options of a column, with what the schema of the ORM says of it where they say nothing.
 *
 * @returns undefined if it has no kind, which is reported, or is unknown, which is reported with all names of columns
 */
export function completeFromSchema(
  check: OptionsCheck,
  { option, value, member, options }: WithoutKind,
  { columnNames, columnKinds }: Schema,
): ColumnOptions | undefined {
  const { column: name = member } = options;
  if (hasNames(columnNames) && !Object.hasOwn(columnNames, name)) return undefined;
  const column = hasNames(columnKinds) && Object.hasOwn(columnKinds, name) ? columnKinds[name] : undefined;
  if (column?.kind === undefined) {
    check.mistake(option, value, { code: 'option-dependency', ...describeMissing(column, member) });
    return undefined;
  }
  const { kind, values, readOnly = false } = column;
  const isSet = options.writeOnly === true ? 'writeOnly' : 'readOnly';
  if (readOnly && (options.writeOnly === true || options.readOnly === false)) {
    check.mistake(`${option}.${isSet}`, options[isSet], {
      code: 'option-conflict',
      reason: 'contradicts the schema: it is the primary key, or the database or the ORM sets it',
      fix: `Leave it out; or write the kind too, as in { kind: '${kind}' }, if clients set the column.`,
    });
    return undefined;
  }
  return {
    ...(values !== undefined && { values }),
    ...options,
    kind,
    readOnly: readOnly || options.readOnly === true,
  };
}

function describeMissing(column: SchemaColumn | undefined, member: string): { reason: string; fix: string } {
  if (column === undefined) {
    return {
      reason: 'names no kind, and the schema of the table is not known here',
      fix:
        `Write the kind, as in ${member}: 'string'. It can be left out over Prisma, Drizzle, Sequelize, MikroORM and, ` +
        'after initialize(), TypeORM, but not with the option rows.',
    };
  }
  const { type, convertedBy } = column;
  return convertedBy === undefined
    ? {
        reason: `is of the type ${type} in the schema, for which there is no kind`,
        fix: 'Write a codec of your own, as { kind: { fault, read, write } }, or leave the column out.',
      }
    : {
        reason: `has ${convertedBy} in the schema, so only your app knows its kind`,
        fix: `Write the kind of the values that your app sees, as in ${member}: 'string', or a codec of your own.`,
      };
}
