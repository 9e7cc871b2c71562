/** What an editor shows of a store over rows: the type of its values, and not the options again. */
import ts from 'typescript';
import { compile, toModules } from './compiler';

const around = `
import { integer, jsonb, numeric, pgEnum, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/node-postgres';
import { drizzleRows, knexRows, rowStore, tableStore } from 'patch-options/rows';
declare const knex: Parameters<typeof knexRows>[0];
declare const pool: import('pg').Pool;
const db = drizzle(pool);
const { delete: _left, ...withoutDelete } = knexRows(knex, 'notes');
const notesTable = pgTable('notes', {
  title: text().notNull(),
  body: text(),
  price: numeric(),
  made: timestamp().notNull(),
  extra: jsonb(),
  tags: text().array().notNull(),
  state: pgEnum('state', ['draft', 'paid'])().notNull(),
  count: integer().notNull(),
});
`;

const stores = [
  {
    written:
      "rowStore({ ...knexRows(knex, 'notes'), columns: { title: 'string', body: 'string?' }, key: 'slug' })",
    shown: 'RowStore<{ title: string; body: string | null; }, "delete">',
  },
  {
    written:
      "tableStore(pool, { table: 'notes', columns: { title: 'string', body: { kind: 'string?', readOnly: true } }, key: 'slug' })",
    shown: 'RowStore<{ title: string; body: string | null; }, "delete">',
  },
  {
    written:
      "rowStore({ rows: () => knexRows(knex, 'notes'), columns: { title: 'string' }, key: 'slug', outcomes: 'outcomes' })",
    shown: 'RowStore<{ title: string; }, "delete" | "outcomes">',
  },
  {
    written: "rowStore({ ...withoutDelete, columns: { title: 'string' }, key: 'slug' })",
    shown: 'RowStore<{ title: string; }, never>',
  },
  {
    written:
      "rowStore({ ...knexRows(knex, 'notes'), columns: { title: 'string', password: { kind: 'string', writeOnly: true } }, key: 'slug' })",
    shown: 'RowStore<{ title: string; password: string; }, "delete" | { writeOnly: "password"; }>',
  },
  {
    written: `rowStore({ ...drizzleRows(db, notesTable), key: 'slug', columns: {
      title: true, body: { readOnly: true }, price: true, made: true, extra: true, tags: true, state: true,
      count: 'bigint', made2: { column: 'made' }, limited: { column: 'state', values: ['draft'] },
    } })`,
    shown:
      'RowStore<{ title: string; body: string | null; price: string | null; made: string; extra: unknown; tags: string[]; ' +
      'state: "draft" | "paid"; count: string; made2: string; limited: "draft"; }, "delete">',
  },
  {
    written: "rowStore({ ...knexRows(knex, 'notes'), columns: { title: true }, key: 'slug' })",
    shown: 'RowStore<{ title: unknown; }, "delete">',
  },
];

const texts = toModules(
  __dirname,
  stores.map(({ written }) => `${around}export const store = ${written};`),
);
const program = compile([], { module: ts.ModuleKind.ESNext }, texts);
const checker = program.getTypeChecker();

test.each(stores.map((store, i) => ({ ...store, path: [...texts.keys()][i] ?? '' })))(
  '$written',
  ({ path, shown }) => {
    const source = program.getSourceFile(path);
    const module = source && checker.getSymbolAtLocation(source);
    const store = module && checker.getExportsOfModule(module).find(({ name }) => name === 'store');
    const type = store && checker.getTypeOfSymbol(store);
    expect(type && checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)).toBe(shown);
    expect(ts.getPreEmitDiagnostics(program, source).map(({ messageText }) => messageText)).toEqual([]);
  },
);
