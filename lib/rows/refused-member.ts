import { isObject } from '../config/object';
import { formatPointer } from '../json/pointer';
import { errorsWithin, type Meaning } from '../stores/engine-error';
import type { RowSettings } from './compile-row-store';
import type { Row } from './rows';

/** A write that the database refused. */
export interface RefusedWrite {
  /** The columns that were written of the client's members. */
  readonly changes: Row;
  /** The columns that the store wrote. */
  readonly storeColumns: Row;
  /** The columns of the key, if the row is new. */
  readonly key?: Row;
}

/** What the database refused of a write. */
export interface RefusedMember {
  /** The member, if it is known. */
  readonly pointer?: string;
  /**
   * Whether the client cannot avoid it: it has changed nothing, or the error names a column of the store, or
   * one without a value that clients cannot write.
   */
  readonly isAppFault: boolean;
}

/**
 * The member whose column the error names; if it names none of the client's, the only member that the client
 * has changed.
 */
export function findRefusedMember(
  error: unknown,
  meaning: Meaning,
  { columnNames, members, writable, required }: RowSettings,
  { changes, storeColumns, key }: RefusedWrite,
): RefusedMember {
  const isNamedByError = readNamedColumns(error);
  const named = (names: readonly string[]) =>
    names.filter((name) => isNamedByError?.((Object.hasOwn(columnNames, name) && columnNames[name]) || name));
  const changed = Object.keys(changes).filter((name) => !Object.hasOwn(key ?? {}, name));
  const isNull = meaning === 'null';
  const isMissing = (name: string) => (changes[name] ?? null) === null;
  // In a new row, NULL is also what the client has left out.
  const nulls = (key === undefined ? changed : writable).filter(isMissing);
  // Of several columns, those that the client has written, such as the email in UNIQUE (tenant, email).
  const among = [changed, isNull ? nulls : [], Object.keys(key ?? {})]
    .map(named)
    .find(({ length }) => length > 0);
  const candidates = isNull ? nulls.filter((name) => key === undefined || required.includes(name)) : changed;
  const isAppFault =
    among === undefined &&
    (isNamedByError === undefined
      ? candidates.length === 0 && (isNull || key === undefined)
      : isNull || named(Object.keys(storeColumns)).length > 0);
  // Of a new row, the key can be meant too.
  const [column = '', ...more] = among ?? (key === undefined || isNull ? candidates : []);
  const member = more.length > 0 ? undefined : members.get(column);
  return {
    isAppFault,
    ...(member !== undefined && { pointer: formatPointer([member]) }),
  };
}

/**
 * How an error names columns, in members and not in its message: `column`, or the lists of Prisma, or the
 * names that PostgreSQL and Prisma give to a constraint of one column, such as notes_email_key.
 *
 * @returns undefined if it names none
 */
function readNamedColumns(error: unknown): ((column: string) => boolean) | undefined {
  for (const within of errorsWithin(error)) {
    const { column, target, constraint, table } = within as Readonly<Record<string, unknown>>;
    const { fields, index } = (isObject(constraint) ? constraint : {}) as Record<'fields' | 'index', unknown>;
    const lists: unknown[] = [typeof column === 'string' ? [column] : undefined, target, fields];
    const names = lists.find((list): list is unknown[] => Array.isArray(list));
    if (names !== undefined) return (name) => names.some((one) => isSameColumn(name, String(one)));
    const [, base] = /^(.+)_(?:key|check|fkey)\d*$/.exec(String(index ?? constraint)) ?? [];
    if (base !== undefined)
      return (name) => isSameColumn(`${typeof table === 'string' ? table : ''}_${name}`, base);
  }
  return undefined;
}

/** ORMs have names of their own for columns: authorId for author_id. */
export function isSameColumn(name: string, other: string): boolean {
  const plain = (text: string) => text.replaceAll('_', '').toLowerCase();
  return plain(name) === plain(other);
}
