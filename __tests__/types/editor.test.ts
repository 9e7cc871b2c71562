/**
 * What an editor says of options: of each, what it does, its default and the clause that it follows, which `npm run docs` writes
 * into a page; and of one that cannot be, what is wrong with it. And what it shows of a store over rows: the type of its values, and
 * not the options again. In one program, because most of the time is spent on reading the declarations of packages.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { entries, LibTexts } from '../docs/lib-texts';
import { optionsOfPages, optionsOn } from '../docs/written-pages';
import { compile, findingsIn, toModules } from './compiler';

/** Options that follow from no clause of a standard, but from what this library is. */
const ourOwn = new Set([
  ...['root', 'errors', 'cors', 'resources', 'guard', 'patch', 'onRefused'],
  ...[
    'key',
    'identity',
    'represent',
    'may',
    'authorize',
    'idempotencyLimits',
    'outcomes',
    'keep',
    'total',
    'commandTimeout',
    'IdempotencyLimits.maxAge',
    'scope',
    'versions',
    'onDeleted',
    'get',
    'put',
  ],
  ...['onPatched', 'bytes', 'operations', 'depth', 'result'],
  ...['table', 'schema', 'prepare', 'prefix', 'busyTimeout', 'acceptWalResetFault', 'max'],
  ...['timeout', 'onConflict'],
  ...['carrier', 'members', 'creates', 'deletes'],
  ...['show'],
  ...['columns', 'version', 'counter', 'modified', 'onWrite', 'rows', 'dbNull', 'maxWait', 'unique'],
  ...['lock', 'transaction', 'transactionSync', 'updateReturning'],
  ...[
    'find',
    'update',
    'save',
    'insert',
    'delete',
    'dialect',
    'columnNames',
    'columnForms',
    'columnKinds',
    'values',
    'storedAs',
    'kind',
    'readOnly',
    'writeOnly',
    'nullable',
    'column',
  ],
]);

/** What is wrong: the snapshot is to be read as who sees it in an editor would. */
const wrong = [
  "patchOptions({ origin: '*' });",
  'patchOptions({ cors: false });',
  "patchOptions({ cors: { orgin: '*' } });",
  "patchOptions({ resources: { '/notes/:id': { patch: patchHandler(notes, formats) } } });",
  "patchOptions({ resources: { '/notes/:id': { guard: 'nobody', patch: patchHandler(notes, formats) } } });",
  'optionsHandler({ status: 201 });',
  "optionsHandler({ body: 'text' });",
  "optionsListener('app');",
  "corsPreflight({ credentials: 'include' });",
  'corsPreflight({ origin: true });',
  "corsPreflight({ maxAge: '10m' });",
  'corsPreflight({ origin: (origin) => origin.length });',
  "methodNotAllowed({ errors: 'throw' });",
  "declareMethods('GET', () => undefined);",
  "patchHandler('notes', formats);",
  'patchHandler(notes, jsonPatch());',
  'patchHandler(notes, [jsonPatch]);',
  "patchHandler(notes, formats, { precondition: 'always' });",
  "patchHandler(notes, formats, { respond: 'full' });",
  'patchHandler(notes, formats, { idempotency: true });',
  'patchHandler(notes, formats, { key: (req) => req.params.id.toLowerCase() });',
  "patchHandler(notes, formats, { limits: { bytes: '1 MB' } });",
  "patchHandler(notes, formats, { create: () => ({ name: '' }) });",
  'patchHandler(notes, formats, { validate: (next) => next.title.length > 0 });',
  "patchHandler(notes, formats, { prefer: 'minimal' });",
  'mergePatch({ mediaType: 5 });',
  "checkPreconditions(req, undefined, { precondition: 'always' });",
  'new SqliteStore(db, {});',
  "new PostgresStore('postgres://127.0.0.1', { table: 'notes' });",
  "new PostgresStore(pool, { table: 'notes', prepared: false });",
  'new RedisStore(client, {});',
  "resourceClient('/api', { idempotency: 'optional' });",
  "resourceClient('/api', { retry: 3 });",
];

const around = `
import { checkPreconditions, corsPreflight, declareMethods, jsonPatch, MemoryStore, mergePatch, methodNotAllowed, optionsHandler, optionsListener, patchHandler, patchOptions } from 'patch-options';
import { resourceClient } from 'patch-options/client';
import { PostgresStore } from 'patch-options/postgres';
import { RedisStore } from 'patch-options/redis';
import { SqliteStore } from 'patch-options/sqlite';
const notes = new MemoryStore<{ title: string }>();
const formats = [jsonPatch(), mergePatch()];
const client = { eval: () => Promise.resolve(null), evalsha: () => Promise.resolve(null) };
const pool = { query: () => Promise.resolve({ rows: [] }) };
const db = { exec: () => undefined, prepare: () => ({ all: () => [] }) };
declare const req: import('node:http').IncomingMessage;
`;

const mistakes = toModules(
  join(__dirname, 'mistakes'),
  wrong.map((text) => `${around}${text}`),
);

const aroundStores = `
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

const storeModules = toModules(
  join(__dirname, 'stores'),
  stores.map(({ written }) => `${aroundStores}export const store = ${written};`),
);

const modules = new Map([...mistakes, ...storeModules]);
const program = compile(entries, { module: ts.ModuleKind.ESNext }, modules);
const checker = program.getTypeChecker();

interface Option {
  readonly name: string;
  readonly required: boolean;
  readonly shown: string;
}

/** Every property of every exported type of options, those that it inherits included. */
const typesOfOptions = [...new Set(entries.flatMap(exportsOf))]
  .filter((symbol) => /Options$|^PatchLimits$|^MountedResource$|^IdempotencyLimits$/.test(symbol.name))
  .filter((symbol) => resolved(symbol).flags & ts.SymbolFlags.Interface)
  .map((symbol) => ({
    type: symbol.name,
    all: checker.getDeclaredTypeOfSymbol(resolved(symbol)).getProperties().map(optionOf),
  }));

function exportsOf(file: string): ts.Symbol[] {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  return module === undefined ? [] : checker.getExportsOfModule(module);
}

function resolved(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function optionOf(symbol: ts.Symbol): Option {
  return {
    name: symbol.name,
    required: (symbol.flags & ts.SymbolFlags.Optional) === 0,
    shown: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
  };
}

const libTexts = new LibTexts(program);
const onPages = new Set([...optionsOfPages.keys()].flatMap((path) => optionsOn(path, libTexts)));

describe.each(typesOfOptions)('$type', ({ type, all }) => {
  const names = (kept: (option: Option) => boolean): string[] => all.filter(kept).map(({ name }) => name);

  test('says what each does', () => {
    expect(all).not.toEqual([]);
    expect(names(({ shown }) => !/^[A-Z`'].{15,}\.$/s.test(shown))).toEqual([]);
  });

  test('and its default, where it may be left out', () => {
    const mustBeSaid = ({ required }: Option): boolean => !required || type === 'PatchLimits';
    expect(
      names(
        (option) =>
          mustBeSaid(option) && !/\bDefault\b|\bleft\s+out\b|\bleave\s+it\s+out\b/i.test(option.shown),
      ),
    ).toEqual([]);
  });

  test('and a page has a heading for it', () => {
    const isOnPage = ({ name }: Option): boolean =>
      onPages.has(`${name}: ${libTexts.option(type, name)?.text}`);
    expect(type === 'MountedResource' ? [] : names((option) => !isOnPage(option))).toEqual([]);
  });

  test('and its clause, where there is one', () => {
    const clause = /\bRFC \d+|\bFetch\b|\bdraft-ietf|\bSecure Contexts\b/;
    const isOwn = (name: string): boolean => ourOwn.has(name) || ourOwn.has(`${type}.${name}`);
    expect(names(({ name, shown }) => !isOwn(name) && !clause.test(shown))).toEqual([]);
  });
});

/** As it is: the snapshot is to be read. */
expect.addSnapshotSerializer({ test: (value) => typeof value === 'string', serialize: String });

test('each is an error, with a message that names the option', () => {
  const findings = findingsIn(program, mistakes);
  const compiled = wrong.filter((_text, i) => findings[i]?.length === 0);
  expect(compiled).toEqual([]);
  const said = wrong.map((text, i) => [
    text,
    ...(findings[i] ?? []).map((found) => found.replace(/^.*? … /s, '')),
  ]);
  expect(said.map((lines) => lines.join('\n')).join('\n\n')).toMatchSnapshot();
});

test.each(stores.map((store, i) => ({ ...store, path: [...storeModules.keys()][i] ?? '' })))(
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
