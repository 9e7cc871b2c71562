import type { Row, Rows } from '../../lib/rows';

type Orm = Required<
  Omit<Rows, 'dialect' | 'columnNames' | 'columnKinds' | 'transactionSync' | 'updateReturning' | 'save'>
>;

/** A table in memory, as an ORM reaches it. */
export interface MemoryTable {
  readonly rows: Record<string, unknown>[];
  readonly orm: Orm;
  /** What the ORM was asked. */
  readonly calls: { readonly call: string; readonly where?: Row; readonly set?: Row }[];
}

interface Behaviour {
  /** What the engine makes of the values that are written. */
  readonly stores?: (set: Row) => Row;
  /** The columns of a new row. */
  readonly defaults?: () => Row;
}

/** @param rows - each with its key in `slug` */
export function memoryTable(
  rows: Record<string, unknown>[],
  { stores = (set) => set, defaults = () => ({}) }: Behaviour = {},
): MemoryTable {
  const calls: MemoryTable['calls'] = [];
  const met = (where: Row) =>
    rows.filter((row) => Object.entries(where).every(([name, value]) => row[name] === value));
  // A column that was never written is NULL.
  const read = (row: Row, columns: readonly string[] = []): Row => ({
    ...Object.fromEntries(columns.map((name) => [name, null])),
    ...row,
  });
  // One transaction after the other, so that nothing else is undone with one.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    const mine = last.then(act);
    last = mine.catch(() => undefined);
    return mine;
  };
  const orm: Orm = {
    find: (where, columns) => {
      calls.push({ call: 'find', where });
      return met(where).map((row) => read(row, columns))[0];
    },
    lock: (where) => {
      calls.push({ call: 'lock', where });
      return met(where).length;
    },
    update: (where, set) => {
      calls.push({ call: 'update', where, set });
      return met(where).map((row) => Object.assign(row, stores(set))).length;
    },
    insert: (set) => {
      calls.push({ call: 'insert', set });
      if (met({ slug: set['slug'] }).length > 0) throw Object.assign(new Error('taken'), { code: '23505' });
      rows.push({ ...defaults(), ...stores(set) });
    },
    delete: (where) => {
      calls.push({ call: 'delete', where });
      return met(where).map((row) => rows.splice(rows.indexOf(row), 1)).length;
    },
    transaction: (run) =>
      inTurn(async () => {
        const before = rows.map((row) => ({ ...row }));
        try {
          await run(orm, 'tx');
        } catch (error) {
          rows.splice(0, rows.length, ...before);
          throw error;
        }
      }),
  };
  return { rows, orm, calls };
}
