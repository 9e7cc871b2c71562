/** What is said of rows: at start, to clients, and of a database or an ORM that gives what nobody can use. */
import { type InvalidMember, mergePatch, patchHandler, ProblemError, type Stored } from '../../lib';
import {
  drizzleRows,
  knexRows,
  kyselyRows,
  mikroormRows,
  prismaRows,
  type Row,
  type Rows,
  rowStore,
  type RowStoreOptions,
  sequelizeRows,
  tableRows,
  tableStore,
  typeormRows,
  versionTrigger,
} from '../../lib/rows';
import { fixMissingColumn } from '../../lib/rows/library-rows';

const nothing = (): void => undefined;
const given = (options: unknown): never => options as never;
const noteModel = {
  ...{ findFirst: nothing, updateMany: nothing, create: nothing, deleteMany: nothing },
  fields: { extra: { typeName: 'Json' }, h: { typeName: 'Json' } },
};

const kyselyThatWrites = (sql: string) => {
  const query = { selectAll: () => query, where: () => query, limit: () => query, compile: () => ({ sql }) };
  return { selectFrom: () => query, updateTable: nothing, insertInto: nothing, deleteFrom: nothing };
};
const drizzle = { select: nothing, update: nothing, insert: nothing, delete: nothing };
const repository = {
  ...{ createQueryBuilder: nothing, findOneBy: nothing },
  metadata: { name: 'Note', columns: [{ propertyPath: 'title', isVirtual: false, isUpdate: false }] },
};
const NoteModel = {
  ...{ findOne: nothing, update: nothing, create: nothing, destroy: nothing },
  ...{ name: 'Note', getAttributes: () => ({}) },
};
const entityManager = {
  ...{ fork: nothing, nativeUpdate: nothing, getTransactionContext: nothing },
  getMetadata: () => ({ className: 'Note', properties: {} }),
};

const statements = { find: nothing, update: nothing };

/** A store whose other options are right. */
const storeWith = (options: object) =>
  rowStore(
    given({
      ...statements,
      columns: { a: 'string' },
      key: 'id',
      version: 'v',
      transaction: nothing,
      ...options,
    }),
  );

export const mistakesInRows: readonly (() => unknown)[] = [
  () => rowStore(given({ find: 'find', transaction: 1, dialect: 'oracle', modified: '', key: 7 })),
  () => patchHandler(storeOver({}), [mergePatch()], { create: () => given({}), key: () => '1' }),
  () => rowStore(given({ onWrite: 1 })),
  () =>
    rowStore(given({ ...statements, columns: { a: 'string[]' }, key: 'id', version: 'v', returning: true })),
  () => rowStore(given({ ...statements, columns: {}, key: '', version: '', outcomes: 7, onWrite: nothing })),
  () => storeWith({ columns: { a: 'text', b: 7, c: { kind: 7 }, version: 'string' } }),
  () =>
    storeWith({
      columns: {
        a: { kind: 'string', values: [], as: 'iso' },
        b: { kind: 'integer', values: ['draft'], readOnly: true, writeOnly: true },
        c: { kind: 'string', values: ['draft', 1] },
        d: { kind: 'date', as: 'text' },
        e: { kind: 'time', as: 'milliseconds' },
      },
      columnForms: { a: 'text' },
    }),
  () => storeWith({ version: { counter: 'revision' }, outcomes: 'outcomes' }),
  () => storeWith({ dialect: 'sqlite', columns: { a: 'date', b: { kind: 'day?', as: 'Date' } } }),
  () => storeWith({ version: { counter: 'revision', id: 'id' }, outcomes: 'outcomes', insert: nothing }),
  () => storeWith({ version: { generated: 'xmin' }, outcomes: 'outcomes' }),
  () =>
    storeWith({
      columns: { titel: 'string', made: { kind: 'date', column: 'x' } },
      ...{ key: 'slug' },
      columnNames: { slug: 'slug', title: 'title' },
    }),
  () => storeWith({ columns: { a: 'string', b: { kind: 'string', column: 'a' } }, key: 'c', version: 'd' }),
  () => storeWith({ columnNames: 'slug' }),
  () =>
    replaced(
      { delete: nothing },
      { a: 'x' },
      {
        transaction: (run: (rows: Rows, tx: unknown) => Promise<void>) =>
          run(prismaRows(given(noteModel)), 0),
      },
    ),
  () => tableRows(given({}), { table: '' }),
  () => {
    const options = { table: 'notes', columns: { a: 'string' }, key: 'id' } as const;
    return tableStore(given({ execute: nothing, query: nothing }), options);
  },
  () => {
    const options = { table: 'notes', columns: { a: 'string[]' }, key: 'id' } as const;
    return tableStore(given({ query: nothing }), options);
  },
  () => prismaRows(given({ note: {} })),
  () => drizzleRows(given({}), {}),
  () => knexRows(given({}), ''),
  () => kyselyRows(given({}), ''),
  () => typeormRows(given({})),
  () => sequelizeRows(given({}), given({ transactions: {} })),
  () => mikroormRows(given({}), ''),
  () => versionTrigger(given({ table: 'notes', version: '', engine: 'oracle' })),
  () => versionTrigger({ table: 'n'.repeat(60), engine: 'mysql' }),
];

const columns = {
  ...({
    a: 'string',
    b: 'number',
    c: 'integer',
    d: 'boolean',
    e: 'date',
    f: 'decimal',
    g: 'bigint',
  } as const),
  ...({
    h: 'json',
    i: 'string[]',
    n: { kind: 'integer?', readOnly: true },
    id: { kind: 'string', readOnly: true },
  } as const),
};
const row = {
  a: '',
  b: 0,
  c: 0,
  d: true,
  e: new Date(0),
  f: '0',
  g: 0n,
  h: {},
  i: [],
  n: 1,
  id: '1',
};

const failing = (code: string) => () => {
  throw Object.assign(new Error('refused'), { code });
};

/** Refuses what clients write, and not the columns of the store alone. */
const refusing = (code: string) => (_where: Row, set: Row) => ('a' in set ? failing(code)() : 0);

function storeOver(rows: Partial<Rows>, options: Partial<RowStoreOptions<typeof columns>> = {}) {
  const all = { find: (): Row => ({ ...row, version: 'v' }), update: () => 1, ...rows };
  return rowStore({
    ...{ columns, key: 'id', version: 'version' as const },
    ...all,
    transaction: (run) => run(all, 0),
    ...options,
  });
}

const next = { ...row, e: '1970-01-01T00:00:00.000Z', g: '0' };
const replaced = (rows: Partial<Rows>, value: object, options?: object) =>
  storeOver(rows, options).replace('1', 'v', given({ ...next, ...value }));

const refused: readonly (() => unknown)[] = [
  () => replaced({}, { a: 1, b: '', c: 0.5, d: 0, e: 'now', f: 1, g: 1, h: '\0', i: 7, id: '2', more: 1 }),
  () => replaced({}, { a: '\0', i: [1] }),
  () => replaced({}, { a: null }),
  () => storeOver({}).replace('1', 'v', given([])),
  () => replaced({ update: refusing('23505') }, { a: 'taken' }),
  ...['23502', '23503', '23514', '22001', '22003', '22P02'].map(
    (code) => () => replaced({ update: refusing(code) }, { a: code === '23502' ? null : 'forbidden' }),
  ),
  () => storeOver({ delete: failing('23503') }).delete?.('1'),
  () => replaced({ update: refusing('428C9') }, { a: 'forbidden' }),
  ...['428C9', '0A000'].map((code) => () => {
    const statements = { find: nothing, update: nothing, insert: failing(code), returning: true };
    const store = rowStore({
      ...statements,
      columns: { a: 'string' },
      key: 'id',
      version: { generated: 'xmin' },
    });
    return store.replace('1', null, { a: 'x' });
  }),
  () => replaced({ find: () => ({ ...row, version: 'v', f: 'NaN' }) }, { f: undefined }),
  () => {
    let stored: Row = { ...row, version: 'v' };
    const update = (_where: Row, set: Row) => ((stored = { ...stored, ...set, f: 'NaN' }), 1);
    const rows = { find: () => stored, update };
    const transaction = (run: (inside: Rows, tx: unknown) => Promise<void>) => run(rows, 0);
    return replaced(rows, { f: '1.5' }, { transaction });
  },
  () => replaced({ update: prismaRows(given(noteModel)).update }, { a: 'x' }),
  () => {
    const { update } = prismaRows(given({ ...noteModel }));
    const transaction = (run: (inside: Rows, tx: unknown) => Promise<void>) =>
      run({ find: () => ({ ...row, version: 'v' }), update }, 0);
    return replaced(
      { update: prismaRows(given(noteModel)).update },
      { h: { __prismaRawParameters__: true } },
      { transaction },
    );
  },
  () => {
    // As Drizzle reads a text in a json column of PostgreSQL that is itself JSON.
    let stored: Row = { ...row, version: 'v' };
    const update = (_where: Row, set: Row) => ((stored = { ...stored, ...set, h: {} }), 1);
    const rows = { find: () => stored, update };
    const transaction = (run: (inside: Rows, tx: unknown) => Promise<void>) => run(rows, 0);
    return replaced(rows, { h: '{}' }, { transaction });
  },
  () =>
    storeOver({ insert: (made) => ({ ...row, ...made, id: '7' }) }).replace(
      '007',
      null,
      given({ ...next, id: '007', n: null }),
    ),
];

const kinds = {
  ...({ day: 'day', time: 'time', precise: 'time', clock: 'time', uuid: 'uuid', uuids: 'uuid[]' } as const),
  state: { kind: 'string', values: ['draft', 'paid'] },
  only: { kind: 'string?', values: ['draft'] },
} as const;

/** A store with columns of these kinds, whose row has these values. */
function storeOfKinds(kindsOfColumns: object, values: Row, options: object = {}) {
  const find = (): Row => ({ id: '1', version: 'v', ...values });
  const columnsOfKinds = kindsOfColumns as { readonly a: 'json' };
  return rowStore({
    find,
    update: () => 1,
    transaction: (run) => run({ find, update: () => 1 }, 0),
    columns: columnsOfKinds,
    key: 'id',
    ...options,
  });
}

const refusedByKinds: readonly (() => unknown)[] = [
  () =>
    storeOfKinds(kinds, {
      ...{ day: '2026-11-22', time: '10:00:00', precise: '10:00:00', clock: '10:00:00', only: null },
      ...{ uuid: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6', uuids: [], state: 'draft' },
    }).replace(
      '1',
      'v',
      given({
        ...{ day: '2026-02-29', time: '24:00:00', precise: '10:00:00.1234567', uuid: 'x', uuids: ['x'] },
        ...{ clock: '10:00:00', state: 'x', only: 'x' },
      }),
    ),
];

const unreadableKinds: readonly (() => unknown)[] = [
  () => storeOver({ find: failing('42703') }).get('1'),
  () => storeOfKinds({ a: { kind: 'date', as: 'iso' } }, { a: new Date(0) }).get('1'),
  () => storeOfKinds({ a: 'day' }, { a: new Date(1) }, { dialect: 'mysql' }).get('1'),
  () => storeOfKinds({ a: 'time' }, { a: '-01:00:00' }).get('1'),
  () => storeOfKinds({ a: 'date' }, { a: new Date(NaN) }).get('1'),
  () => storeOfKinds({ a: 'date' }, { a: Infinity }).get('1'),
  () => storeOfKinds({ a: 'day' }, { a: '0000-00-00' }).get('1'),
  () => storeOfKinds({ a: 'date' }, { a: new Date(NaN) }, { dialect: 'mysql' }).get('1'),
  () => storeOfKinds({ a: 'date' }, { a: '2026-11-22 10:00:00' }).get('1'),
  () => storeOfKinds({ a: 'day' }, { a: 0 }).get('1'),
  () => storeOfKinds({ a: 'decimal' }, { a: 0.1 }).get('1'),
  () => storeOfKinds({ a: 'string[]' }, { a: '{a,b}' }).get('1'),
  () => storeOfKinds({ a: 'string[]' }, { a: [null] }).get('1'),
];

const faults: readonly (() => unknown)[] = [
  () => replaced({ update: nothing }, { a: 'x' }),
  ...['update', 'insert'].map((call) => () => {
    const made = { a: 'x' };
    const all = {
      find: () => ({ id: '1', a: '', version: 'v' }),
      update: () => 1,
      insert: nothing,
      returning: true,
    };
    const store = rowStore({ ...all, columns: { a: 'string' }, key: 'id' });
    return store.replace('1', call === 'update' ? 'v' : null, made);
  }),
  () => {
    const insert = (made: Row) => ({ ...made, a: 7 });
    const all = { find: nothing, update: () => 1, insert, returning: true };
    const store = rowStore({ ...all, columns: { a: 'string' }, key: 'id' });
    return store.replace('1', null, { a: 'x' });
  },
  () => {
    let reads = 0;
    const find = () => (reads++ === 0 ? { ...row, version: 'v' } : undefined);
    return replaced({ find }, { a: 'x' });
  },
  () => {
    const update = () => ({ ...row, kept: null, version: 'of a trigger' });
    const outcome = { id: 'i', scope: 's', text: () => 't', keep: 3, total: 5, maxAge: 60 };
    const find = () => ({ ...row, kept: null, version: 'v' });
    return storeOver({ find, update }, { outcomes: 'kept' }).replace('1', 'v', given({ ...next, a: 'x' }), {
      outcome,
    });
  },
  () => replaced({ update: () => 2 }, { a: 'x' }),
  () => storeOver({ find: () => ({ ...row, version: null }) }).get('1'),
  ...[new Date(0), 7].map((version) => () => storeOver({ find: () => ({ ...row, version }) }).get('1')),
  () => storeOver({ find: () => ({ ...row, version: 'v', a: 1 }) }).get('1'),
  () => storeOver({ find: () => ({ ...row, version: 'v', c: new Date(0) }) }).get('1'),
  () => storeOver({ find: () => ({ ...row, version: 'v', c: 1.5 }) }).get('1'),
  () => storeOver({ find: () => ({ ...row, version: 'v', g: 2 ** 60 }) }).get('1'),
  () => storeOver({ find: () => ({ ...row, version: 'v', f: 0.1 + 0.2 }) }).get('1'),
  () => {
    const kind = { fault: nothing, read: failing('22008'), write: String };
    return storeOver({}, given({ columns: { a: { kind }, id: columns.id } })).get('1');
  },
  () =>
    storeOver({ find: () => ({ ...row, version: 'v', e: '2026-11-22 10:00:00' }), dialect: 'mysql' }).get(
      '1',
    ),
  () => storeOver({ find: () => ({ ...row, n: null }) }, { version: { counter: 'n', id: 'id' } }).get('1'),
  () =>
    storeOver(
      { find: () => ({ ...row, xmin: new Date() }) },
      { version: { generated: 'xmin' }, returning: true },
    ).get('1'),
  () => replaced({}, { a: 'x' }, { transaction: nothing }),
  () =>
    storeOver({ find: () => ({ ...row, version: 'v', kept: 'x' }) }, { outcomes: 'kept' }).get('1', {
      outcome: { id: 'a' },
    }),
  () => storeOver({ delete: () => 0 }).delete?.('1'),
  () => given(storeOver({}).show({ id: '1' })),
  () => storeOver({ find: () => ({ ...row, Version: 'v' }) }).get('1'),
  ...[{ dialect: 'mysql' as const }, {}].map((more) => () => {
    const key = () => ({ id: new Date(0) });
    const find = () => ({ ...row, version: 'v', id: new Date(1) });
    return storeOver({ find, ...more }, { key }).get('1');
  }),
  () => knexRows(given(Object.assign(nothing, { client: { dialect: 'oracle' } })), 'notes'),
  () => {
    const execute = () => Promise.resolve([[{ client: 'latin1' }], []]);
    return tableRows(given({ execute, query: execute }), { table: 'notes' }).find({ slug: 'a' }, ['slug']);
  },
  () => drizzleRows(given(drizzle), { title: { getSQL: nothing } }).find({ slug: 'a' }, ['slug']),
  () => kyselyRows(given(kyselyThatWrites('select top(1) * from [notes]')), 'notes'),
  () => {
    const query = { selectAll: () => ({ where: failing('') }) };
    return kyselyRows(given({ ...kyselyThatWrites(''), selectFrom: () => query }), 'notes');
  },
  () => typeormRows(given(repository)).find({ slug: 'a' }, ['created_at']),
  () => typeormRows(given(repository)).update({ slug: 'a' }, { title: 'b' }, ['slug']),
  () => sequelizeRows(given(NoteModel)).find({ slug: 'a' }, ['created_at']),
  () => mikroormRows(given(entityManager), 'Note').find({ slug: 'a' }, ['created_at']),
  () => prismaRows(given(noteModel)).update({ slug: 'a' }, { extra: null }, ['slug']),
  () => storeOver({}, { key: given(() => Promise.resolve({ id: '1' })) }).get('1'),
  ...['fault', 'read'].map((name) => {
    const kind = { fault: nothing, read: String, write: String, [name]: () => Promise.resolve('') };
    return () => storeOver({}, given({ columns: { a: { kind } } })).replace('1', 'v', given({ a: 'x' }));
  }),
];

/** Each adapter over MySQL, in a session that is ahead of it by eight hours. */
const inOtherZones = (): (() => unknown)[] => {
  const answer = [{ name: 'a', winter: new Date('2025-01-15T20:00:00Z'), wintertext: '2025-01-15 20:00:00' }];
  const ask = () => Promise.resolve(answer);
  const select = 'select * from `notes`';
  const query = { toString: () => select, options: ask };
  const knex = Object.assign(() => query, { client: { dialect: 'mysql' }, raw: nothing });
  const inKysely = { ...kyselyThatWrites(select), executeQuery: () => Promise.resolve({ rows: answer }) };
  const column = { getSQL: () => new Date(), name: 'a' };
  const kind = { [Symbol.for('drizzle:entityKind')]: 'MySqlTable' };
  const drizzleTable = { constructor: kind, a: column, id: column, version: column };
  const columnsOf = (names: readonly string[]) =>
    names.map((name) => ({ propertyPath: name, databaseName: name }));
  const metadata = {
    tableName: 'notes',
    columns: columnsOf(['a', 'id', 'version']),
    connection: { options: { type: 'mysql' } },
  };
  const parent = { _activeProvider: 'mysql', $queryRawUnsafe: ask };
  const method = () => Promise.resolve([answer]);
  const adapters: readonly Rows[] = [
    tableRows(given({ execute: method, query: method }), { table: 'notes' }),
    knexRows(given(knex), 'notes'),
    kyselyRows(given(inKysely), 'notes'),
    drizzleRows(given({ ...drizzle, execute: method }), drizzleTable),
    typeormRows(given({ ...repository, metadata, query: ask })),
    prismaRows(given({ ...noteModel, fields: {}, $parent: parent, name: 'Note' })),
  ];
  return adapters.map(
    (rows) => () =>
      rowStore({ ...rows, columns: { a: 'date' }, key: 'id', transaction: nothing }).get(
        '1',
      ),
  );
};

/** What each adapter adds to the error about a missing column. */
const remedies = (): string[] => {
  const knex = Object.assign(() => undefined, { client: { dialect: 'postgres' } });
  const adapters: readonly Rows[] = [
    prismaRows(given(noteModel)),
    drizzleRows(given(drizzle), { title: { getSQL: nothing } }),
    knexRows(given(knex), 'notes'),
    kyselyRows(given(kyselyThatWrites('… = $1')), 'notes'),
    typeormRows(given(repository)),
    sequelizeRows(given(NoteModel)),
    mikroormRows(given(entityManager), 'Note'),
    tableRows(given({ query: nothing }), { table: 'notes' }),
  ];
  return adapters.map((rows) => `MissingColumnError: … ${fixMissingColumn(rows, 'find')}`);
};

export async function rowsSaid(): Promise<string[]> {
  const said: string[] = remedies();
  for (const act of [...refused, ...refusedByKinds, ...faults, ...inOtherZones(), ...unreadableKinds]) {
    try {
      const [lost] = ((await act()) as Stored<unknown> | undefined)?.unreadable ?? [];
      said.push(lost === undefined ? `Nothing was said of ${String(act)}` : String(lost.reason));
    } catch (error) {
      said.push(error instanceof ProblemError ? linesOf(error) : String(error));
    }
  }
  return said;
}

function linesOf({ status, code, problem }: ProblemError): string {
  const { detail, errors = [] } = problem as { detail: string; errors?: readonly InvalidMember[] };
  const each = errors.map(({ pointer, detail: of }) => `  ${pointer ?? ''}: ${of}`);
  return [`${status} ${code}: ${detail}`, ...each].join('\n');
}
