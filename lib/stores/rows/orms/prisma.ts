import type { Awaitable, Row, Rows } from '../rows';

/** The model of a Prisma client, `prisma.note`, in what is asked of it. */
export interface PrismaModel {
  findFirst(args: { where: never; select: never }): Awaitable<object | null>;
  updateMany(args: { where: never; data: never }): Awaitable<{ count: number }>;
  create(args: { data: never; select: never }): Awaitable<object>;
  deleteMany(args: { where: never }): Awaitable<{ count: number }>;
}

/**
 * A table through Prisma, by `updateMany`: its `update` reads before it writes on some databases, and loses updates there.
 *
 * ```ts
 * const notes = rowStore({ ...prismaRows(prisma.note), columns: { title: 'string' }, key: 'slug', version: 'version' });
 * ```
 */
export function prismaRows(model: PrismaModel): Required<Omit<Rows, 'dialect'>> {
  // Of its types, which are made for each schema, the least is asked: what columns are called is for rowStore to say.
  const { findFirst, updateMany, create, deleteMany } = model as unknown as Model;
  return {
    find: (where, columns) => findFirst({ where, select: selected(columns) }),
    update: (where, set) => updateMany({ where, data: set }),
    insert: (row, columns) => create({ data: row, select: selected(columns) }),
    delete: (where) => deleteMany({ where }),
  };
}

type Model = Record<'findFirst' | 'updateMany' | 'create' | 'deleteMany', (args: object) => unknown>;

function selected(columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, true]));
}
