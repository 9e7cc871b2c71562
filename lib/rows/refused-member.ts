import { formatPointer } from '../json/pointer';
import { isNullRefusal } from './database-error';
import { isSameColumn, refusedColumns } from './refused-column';
import type { RowSettings } from './row-store-options';
import type { Row } from './rows';

/** A write that the database refused. */
export interface RefusedWrite {
  /** The columns that were written of the client's members. */
  readonly changes: Row;
  /** The columns that the store wrote. */
  readonly own: Row;
  /** The columns of the key, if the row is new. */
  readonly key?: Row;
}

/** What the database refused of a write. */
export interface RefusedMember {
  /** The member, if it is known. */
  readonly pointer?: string;
  /**
   * Whether the client cannot avoid it: a column of the store, or one without a value that clients cannot
   * write.
   */
  readonly isOfApp: boolean;
}

export function refusedMember(error: unknown, settings: RowSettings, write: RefusedWrite): RefusedMember {
  const { changes, key = {} } = write;
  const { columnNames = {} } = settings.rows;
  const inDatabase = (name: string) => (Object.hasOwn(columnNames, name) && columnNames[name]) || name;
  const written = Object.entries({ ...key, ...changes }).map(([name, value]) => [inDatabase(name), value]);
  const refused = refusedColumns(error, Object.fromEntries(written) as Row);
  const among = (names: readonly string[]) => {
    const same = names.filter((name) => refused.includes(inDatabase(name)));
    if (same.length > 0) return same;
    return names.filter((name) => refused.some((column) => isSameColumn(inDatabase(name), column)));
  };

  // Of several columns, those that the client has written, such as the email in UNIQUE (tenant, email); else
  // the one that it has left out. A new row's changes contain its key, if clients see it.
  const members = Object.keys(changes).filter((name) => !Object.hasOwn(key, name));
  const others = refused.length === 1 && isNullRefusal(error) ? settings.writable : [];
  const named = [members, Object.keys(key), others].map(among).find(({ length }) => length > 0);
  if (
    named === undefined &&
    refused.length > 0 &&
    (isNullRefusal(error) || among(Object.keys(write.own)).length > 0)
  ) {
    return { isOfApp: true };
  }
  // If the database names no column, only that of a single change can be meant: a new row has a key, too.
  const [column = '', ...more] = named ?? (write.key === undefined ? Object.keys(changes) : []);
  const member = more.length > 0 ? undefined : settings.members.get(column);
  return { isOfApp: false, ...(member !== undefined && { pointer: formatPointer([member]) }) };
}
