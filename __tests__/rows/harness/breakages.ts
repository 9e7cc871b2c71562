/** Stores that are broken on purpose, each in one way that the harness is to find. */
import type { Row, Rows } from '../../../lib/rows';
import type { OpenPath } from './engine-path';

export interface Breakage {
  readonly name: string;
  /** @throws TypeError if the path does not have what it takes */
  readonly of: (opened: OpenPath) => Rows;
}

/** Changes the rows of each transaction. */
type Change = (inside: Rows, tx: unknown) => Partial<Rows>;

/** Functions that the store does not recognise as the library's own. */
const unmarked = (rows: Rows): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'function' ? (...args: unknown[]): unknown => Reflect.apply(value, rows, args) : value,
    ]),
  ) as unknown as Rows;

function within({ rows }: OpenPath, change: Change): Rows {
  const { transaction, transactionSync } = rows;
  const changed = (inside: Rows, tx: unknown) => unmarked({ ...inside, ...change(inside, tx) });
  return unmarked({
    ...rows,
    ...(transaction && {
      transaction: (run) => transaction((inside, tx) => run(changed(inside, tx), tx)),
    }),
    ...(transactionSync && {
      transactionSync: (run) => {
        transactionSync((inside, tx) => {
          run(changed(inside, tx), tx);
        });
      },
    }),
  });
}

function sender({ send }: OpenPath): NonNullable<OpenPath['send']> {
  if (send === undefined) throw new TypeError('This path cannot send SQL in its transaction.');
  return send;
}

/** The first read of a transaction is one that does not lock: over MySQL, the transaction's own does. */
function readFirst({ rows }: OpenPath, inside: Rows, afterwards?: (where: Row) => unknown): Rows['find'] {
  let isFirst = true;
  return async (...args) => {
    if (!isFirst) return inside.find(...args);
    isFirst = false;
    const row = await rows.find(...args);
    await afterwards?.(args[0]);
    return row;
  };
}

export const breakages: readonly Breakage[] = [
  {
    name: 'no lock',
    of: (opened) => within(opened, (inside) => ({ lock: () => 1, find: readFirst(opened, inside) })),
  },
  {
    name: 'no comparison',
    of: (opened) => {
      const { find } = opened.rows;
      const seen = new Map<string, unknown>();
      const rows = within(opened, (inside) => {
        let isFirst = true;
        return {
          find: (where, ...rest) => {
            const known = seen.get(JSON.stringify(where));
            const isStale = isFirst && known !== undefined;
            isFirst = false;
            return isStale ? known : inside.find(where, ...rest);
          },
        };
      });
      const remember = (where: Row, row: unknown) => {
        seen.set(JSON.stringify(where), row);
        return row;
      };
      return {
        ...rows,
        find: (where, ...rest) => {
          const found = find(where, ...rest);
          return Array.isArray(found)
            ? remember(where, found)
            : Promise.resolve(found).then((row) => remember(where, row));
        },
      };
    },
  },
  {
    name: 'locked after it is read',
    of: (opened) =>
      within(opened, (inside) => {
        const lock = (where: Row) => inside.lock?.(where);
        return { lock: () => 1, find: readFirst(opened, inside, lock) };
      }),
  },
  {
    name: 'written beside the transaction',
    of: (opened) => {
      const { update, save, insert, delete: remove } = opened.rows;
      return within(opened, () => ({
        ...(update && { update }),
        ...(save && { save }),
        insert,
        delete: remove,
      }));
    },
  },
  {
    name: 'committed before it is read back',
    of: (opened) => {
      const send = sender(opened);
      return within(opened, (inside, tx) => {
        const committed = async (writing: unknown) => {
          const count: unknown = await writing;
          await send(tx, 'COMMIT');
          await send(tx, 'BEGIN');
          return count;
        };
        const { update, save } = inside;
        return {
          ...(update && { update: (...args) => committed(update(...args)) }),
          ...(save && { save: (...args) => committed(save(...args)) }),
          insert: (row) => committed(inside.insert?.(row)),
          delete: (...args) => committed(inside.delete?.(...args)),
        };
      });
    },
  },
  {
    name: 'repeated after a lost connection',
    of: (opened) => {
      const { transaction, ...rows } = within(opened, () => ({}));
      return {
        ...rows,
        transaction: async (run) => {
          for (let tries = 1; ; tries++) {
            try {
              await transaction?.(run);
              return;
            } catch (error) {
              const { status, message } = error as Error & { status?: unknown };
              if (status !== undefined || tries === 3 || message.startsWith('The app')) throw error;
            }
          }
        },
      };
    },
  },
  {
    name: 'acknowledged and rolled back',
    of: (opened) => {
      const { transaction, ...rows } = within(opened, () => ({}));
      const undo = new Error('The transaction is rolled back.');
      let number = 0;
      return {
        ...rows,
        transaction: async (run) => {
          try {
            await transaction?.(async (inside, tx) => {
              await run(inside, tx);
              if ((number += 1) % 4 === 0) throw undo;
            });
          } catch (error) {
            if (error !== undo) throw error;
          }
        },
      };
    },
  },
  {
    name: 'locked FOR UPDATE',
    of: (opened) => {
      const send = sender(opened);
      return within(opened, (_inside, tx) => ({
        lock: async ({ slug }) => {
          await send(tx, `SELECT 1 FROM notes WHERE slug = '${String(slug)}' FOR UPDATE`);
          return 1;
        },
      }));
    },
  },
  {
    name: 'xmin, without the condition',
    of: ({ rows }) => {
      const { updateReturning } = rows;
      if (updateReturning === undefined) throw new TypeError('This path has no version of PostgreSQL.');
      const unconditional = ({ slug }: Row, ...rest: [Row, readonly string[]]) =>
        updateReturning({ slug }, ...rest);
      return unmarked({ ...rows, updateReturning: unconditional });
    },
  },
  {
    name: 'awaited in a transaction of SQLite',
    of: (opened) => {
      const send = sender(opened);
      const { transactionSync, ...rows } = opened.rows;
      let known: { readonly inside: Rows; readonly tx: unknown } | undefined;
      transactionSync?.((inside, tx) => {
        known = { inside, tx };
      });
      return unmarked({
        ...{ ...rows, lock: () => 1 },
        transaction: async (run) => {
          if (known === undefined) throw new TypeError('This path has no synchronous transaction.');
          const { inside, tx } = known;
          send(tx, 'BEGIN IMMEDIATE');
          try {
            await run(unmarked({ ...inside, lock: () => 1 }), tx);
            send(tx, 'COMMIT');
          } catch (error) {
            send(tx, 'ROLLBACK');
            throw error;
          }
        },
      });
    },
  },
  {
    name: 'without a transaction',
    of: (opened) => {
      const { transactionSync, ...rows } = opened.rows;
      let known: { readonly inside: Rows; readonly tx: unknown } | undefined;
      transactionSync?.((inside, tx) => {
        known = { inside, tx };
      });
      return unmarked({
        ...rows,
        transactionSync: (run) => {
          if (known === undefined) throw new TypeError('This path has no synchronous transaction.');
          run(unmarked(known.inside), known.tx);
        },
      });
    },
  },
];
