/** What is said of rows: at start, to clients, and of a database or an ORM that gives what nobody can use. */
import { type InvalidMember, mergePatch, patchHandler, ProblemError, type ResourceStore } from '../../lib';
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
  typeormRows,
  WriteTimeoutError,
} from '../../lib/rows';
import { fixMissingColumn } from '../../lib/rows/library-rows';

const nothing = (): void => undefined;
const given = (options: unknown): never => options as never;
const noteModel = {
  ...{ findFirst: nothing, update: nothing, create: nothing, delete: nothing },
  ...{ name: 'Note', fields: { extra: { typeName: 'Json' }, h: { typeName: 'Json' } } },
};
const prisma = {
  ...{ note: noteModel, $queryRawUnsafe: nothing, $executeRawUnsafe: nothing },
  _runtimeDataModel: { models: { Note: {}, Tag: {} } },
};
const noteRows = (client: object = prisma) => prismaRows(given(client), given('note'));

const kyselyThatWrites = (sql: string) => {
  const query = { selectAll: () => query, where: () => query, limit: () => query, compile: () => ({ sql }) };
  return { selectFrom: () => query, updateTable: nothing, insertInto: nothing, deleteFrom: nothing };
};
const drizzle = { select: nothing, update: nothing, insert: nothing, delete: nothing };
const d1 = { [Symbol.for('drizzle:entityKind')]: 'D1Database' };
const titles = { title: { getSQL: nothing } };
const repository = {
  ...{ createQueryBuilder: nothing, findOneBy: nothing },
  metadata: { name: 'Note', columns: [{ propertyPath: 'title', isVirtual: false, isUpdate: false }] },
};
const NoteModel = {
  ...{ findOne: nothing, update: nothing, create: nothing, destroy: nothing },
  ...{ name: 'Note', getAttributes: () => ({}) },
};
/** The three ORMs whose statements of other requests would get into a transaction there. */
const overSqlite = {
  repository: {
    ...repository,
    metadata: { ...repository.metadata, connection: { options: { type: 'better-sqlite3' } } },
  },
  model: { ...NoteModel, sequelize: { getDialect: () => 'sqlite' } },
  em: {
    ...{ fork: nothing, execute: nothing, upsertMany: nothing },
    getPlatform: () => ({ constructor: { name: 'SqlitePlatform' } }),
  },
};
const entityManager = {
  ...{ fork: nothing, execute: nothing, upsertMany: nothing },
  getMetadata: () => ({ className: 'Note', properties: {} }),
};

const statements = { find: nothing, update: nothing, lock: nothing };

/** A store whose other options are right. */
const storeWith = (options: object) =>
  rowStore(
    given({
      ...statements,
      columns: { a: 'string' },
      key: 'id',
      transaction: nothing,
      ...options,
    }),
  );

export const mistakesInRows: readonly (() => unknown)[] = [
  () => rowStore(given({ find: 'find', transaction: 1, dialect: 'oracle', modified: '', key: 7 })),
  () => patchHandler(storeOver({}), [mergePatch()], { create: () => given({}), key: () => '1' }),
  () => rowStore(given({ onWrite: 1, timeout: 0, version: 'revision', lock: 1, updateReturning: 'x' })),
  () => rowStore(given({ ...statements, columns: { a: 'string[]' }, key: 'id' })),
  () => rowStore(given({ rows: 'notes', columns: { a: 'string' }, key: 'id' })),
  () => storeWith({ columns: {}, key: '', counter: '', outcomes: 7 }),
  () => storeWith({ columns: { a: 'text', b: 7, c: { kind: 7 }, kept: 'string' }, counter: 'kept' }),
  () =>
    storeWith({
      columns: {
        a: { kind: 'string', values: [], storedAs: 'iso' },
        b: { kind: 'integer', values: ['draft'], readOnly: true, writeOnly: true },
        c: { kind: 'string', values: ['draft', 1] },
        d: { kind: 'date', storedAs: 'text' },
        e: { kind: 'time', storedAs: 'milliseconds' },
      },
      columnForms: { a: 'text' },
    }),
  () => storeWith({ dialect: 'sqlite', columns: { a: 'date', b: { kind: 'day?', storedAs: 'Date' } } }),
  () => storeWith({ version: 'xmin', outcomes: 'outcomes' }),
  () => storeWith({ lock: undefined }),
  () => storeWith({ transactionSync: nothing }),
  () =>
    storeWith({
      ...noteRows(),
      update: given(undefined),
      delete: nothing,
      columns: { extra: 'json' },
      key: 'h',
    }),
  () => {
    const sqlite = tableRows(given({ exec: nothing, prepare: nothing }), { table: 'notes' });
    return rowStore(given({ ...sqlite, delete: nothing, columns: { a: 'string' }, key: 'id' }));
  },
  () =>
    storeWith({
      columns: { titel: 'string', made: { kind: 'date', column: 'x' } },
      ...{ key: 'slug' },
      columnNames: { slug: 'slug', title: 'title' },
    }),
  () => storeWith({ columns: { title: true } }),
  () =>
    storeWith({
      columns: {
        photo: true,
        money: true,
        author: true,
        made: { readOnly: false },
        seen: { writeOnly: true },
      },
      columnNames: { id: 'id', photo: 'photo', money: 'money', made: 'made', seen: 'seen' },
      columnKinds: {
        photo: { type: 'bytea' },
        money: { type: 'int', convertedBy: 'a transformer' },
        author: { type: 'relation' },
        made: { type: 'timestamp', kind: 'date', readOnly: true },
        seen: { type: 'timestamp', kind: 'date', readOnly: true },
      },
    }),
  () => storeWith({ columnKinds: 7 }),
  () => storeWith({ columns: { a: 'string', b: { kind: 'string', column: 'a' } }, key: 'c' }),
  () => storeWith({ columnNames: 'slug' }),
  () => replaced({ delete: nothing }, { a: 'x' }, { transaction: (run: Run) => run(noteRows(), 0) }),
  () => {
    // Those of the pool itself, whose writes would stay.
    const pool = tableRows(given({ connect: nothing, query: () => ({ rows: [] }) }), { table: 'notes' });
    const options = { ...pool, columns: { a: 'string' }, key: 'id' } as const;
    const store = rowStore({ ...options, transaction: (run) => run(pool, 0) });
    return store.replace('1', null, { a: 'x' });
  },
  () => tableRows(given({}), { table: '' }),
  () => prismaRows(given({ note: {} }), given('note'), { timeout: 0 }),
  () => prismaRows(given(prisma), given('nota')),
  () => prismaRows(given({ ...prisma, _clientVersion: '6.18.0' }), given('note')),
  () => prismaRows(given(prisma), given('note'), { unique: '', table: '', schema: '' }),
  () => drizzleRows(given({}), {}),
  () => drizzleRows(given({ ...drizzle, constructor: d1 }), titles),
  () => knexRows(given({}), ''),
  () => kyselyRows(given({}), ''),
  () => typeormRows(given({})),
  () => typeormRows(given(overSqlite.repository)),
  () => sequelizeRows(given({}), given({ transactions: {} })),
  () => sequelizeRows(given(overSqlite.model)),
  () => mikroormRows(given({}), ''),
  () => mikroormRows(given(overSqlite.em), 'Note'),
  () => mikroormRows(given({ ...entityManager, disableTransactions: true }), 'Note'),
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
const refusing = (code: string) => (_where: Row, set: Row) => ('a' in set ? failing(code)() : 1);

type Run = (rows: Rows, tx: unknown) => Promise<void>;

function storeOver(rows: Partial<Rows>, options: Partial<RowStoreOptions<typeof columns>> = {}) {
  const all = { find: (): Row => row, update: () => 1, lock: () => 1, ...rows };
  return rowStore({ columns, key: 'id', ...all, transaction: (run: Run) => run(all, 0), ...options });
}

/** A table of one row, of which the database makes something else. */
function tableOf(stores: Row): Partial<Rows> {
  let stored: Row = row;
  return { find: () => stored, update: (_where, set) => ((stored = { ...stored, ...set, ...stores }), 1) };
}

const next = { ...row, e: '1970-01-01T00:00:00.000Z', g: '0' };
const replaced = async (rows: Partial<Rows>, value: object, options?: object) => {
  const store = storeOver(rows, options);
  const current = { value: next, handle: row };
  return store.replace('1', '', given({ ...next, ...value }), { current });
};

const refused: readonly (() => unknown)[] = [
  () => replaced({}, { a: 1, b: '', c: 0.5, d: 0, e: 'now', f: 1, g: 1, h: '\0', i: 7, id: '2', more: 1 }),
  () => replaced({}, { a: '\0', i: [1] }),
  () => replaced({}, { a: null }),
  () => storeOver({}).replace('1', '', given([]), { current: { value: next, handle: row } as never }),
  () => replaced({ update: refusing('23505') }, { a: 'taken' }),
  ...['23502', '23503', '23514', '22001', '22003', '22P02'].map(
    (code) => () => replaced({ update: refusing(code) }, { a: code === '23502' ? null : 'forbidden' }),
  ),
  () => storeOver({ delete: failing('23503') }).delete?.('1'),
  () => replaced({ update: refusing('428C9') }, { a: 'forbidden' }),
  () => storeOver({ insert: failing('428C9') }).replace('1', null, given({ ...next, id: '1', n: null })),
  () => replaced(tableOf({ f: 'NaN' }), { f: '1.5' }),
  () => {
    const inside = { find: () => row, lock: () => 1, update: () => 1, save: noteRows({ ...prisma }).save };
    const transaction = (run: Run) => run(inside, 0);
    return replaced({ save: noteRows().save }, { h: { __prismaRawParameters__: true } }, { transaction });
  },
  // As Drizzle reads a text in a json column of PostgreSQL that is itself JSON.
  () => replaced(tableOf({ h: {} }), { h: '{}' }),
  () => {
    // Stored as 7, so that it is not found.
    return storeOver({ find: nothing, insert: nothing }).replace(
      '007',
      null,
      given({ ...next, id: '007', n: null }),
    );
  },
  () => replaced({}, { a: 'x' }, { timeout: 1, onWrite: () => new Promise(nothing) }),
  () => replaced({}, { a: 'x' }, { timeout: 1, transaction: () => new Promise(nothing) }),
];

const kinds = {
  ...({ day: 'day', time: 'time', precise: 'time', clock: 'time', uuid: 'uuid', uuids: 'uuid[]' } as const),
  state: { kind: 'string', values: ['draft', 'paid'] },
  only: { kind: 'string?', values: ['draft'] },
} as const;

/** A store with columns of these kinds, whose row has these values. */
function storeOfKinds(kindsOfColumns: object, values: Row, options: object = {}) {
  const all = { find: (): Row => ({ id: '1', ...values }), update: () => 1, lock: () => 1 };
  const columnsOfKinds = kindsOfColumns as { readonly a: 'json' };
  return rowStore({
    ...all,
    transaction: (run: Run) => run(all, 0),
    columns: columnsOfKinds,
    key: 'id',
    ...options,
  });
}

const refusedByKinds: readonly (() => unknown)[] = [
  async () => {
    const store = storeOfKinds(kinds, {
      ...{ day: '2026-11-22', time: '10:00:00', precise: '10:00:00', clock: '10:00:00', only: null },
      ...{ uuid: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6', uuids: [], state: 'draft' },
    });
    const current = await store.get('1');
    const sent = {
      ...{ day: '2026-02-29', time: '24:00:00', precise: '10:00:00.1234567', uuid: 'x', uuids: ['x'] },
      ...{ clock: '10:00:00', state: 'x', only: 'x' },
    };
    return store.replace('1', '', given(sent), current && { current });
  },
];

const unreadableKinds: readonly (() => unknown)[] = [
  () => storeOver({ find: failing('42703') }).get('1'),
  () => storeOfKinds({ a: { kind: 'date', storedAs: 'iso' } }, { a: new Date(0) }).get('1'),
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
  () => replaced({ update: () => 2 }, { a: 'x' }),
  () => replaced({ update: () => 0 }, { a: 'x' }),
  () => storeOver({ delete: () => 0 }).delete?.('1'),
  () => replaced({ lock: () => 0 }, { a: 'x' }),
  () => {
    let [reads, locks] = [0, 0];
    const gone = { find: () => (reads++ === 0 ? row : undefined), lock: () => (locks++ === 0 ? 1 : 0) };
    return replaced(gone, { a: 'x' });
  },
  () => replaced({ save: () => 1 }, { a: 'x' }),
  () => {
    let reads = 0;
    const hidden = { find: () => (reads++ === 0 ? row : undefined) };
    return replaced(hidden, { a: 'x' }).then((state) => state && 'value' in state && state.value);
  },
  () => {
    // Another value with each reading.
    let reads = 0;
    return replaced({ find: () => ({ ...row, c: ++reads }) }, { a: 'x' });
  },
  () => {
    const counted = { ...row, count: null };
    const store = storeOver({ find: () => counted }, { counter: 'count' });
    const current = { value: next, handle: counted };
    return store.replace('1', '', given({ ...next, a: 'x' }), { current });
  },
  () => {
    const rows = { find: () => row, update: () => 1 };
    const transactionSync = (run: (inside: Rows, tx: unknown) => void) => {
      run(rows, 0);
    };
    const options = { columns, key: 'id', onWrite: () => Promise.resolve() };
    const store = rowStore(given({ ...rows, ...options, transactionSync })) as ResourceStore;
    return store.replace('1', '', given({ ...next, a: 'x' }), { current: { value: next, handle: row } });
  },
  () => storeOver({ find: () => ({ ...row, a: 1 }) }).get('1'),
  () => storeOver({ find: () => ({ ...row, c: new Date(0) }) }).get('1'),
  () => storeOver({ find: () => ({ ...row, c: 1.5 }) }).get('1'),
  () => storeOver({ find: () => ({ ...row, g: 2 ** 60 }) }).get('1'),
  () => storeOver({ find: () => ({ ...row, f: 0.1 + 0.2 }) }).get('1'),
  () => {
    const kind = { fault: nothing, read: failing('22008'), write: String };
    return storeOver({}, given({ columns: { a: { kind }, id: columns.id } })).get('1');
  },
  () => storeOver({ find: () => ({ ...row, e: '2026-11-22 10:00:00' }), dialect: 'mysql' }).get('1'),
  () => replaced({}, { a: 'x' }, { transaction: nothing }),
  () =>
    storeOver({ find: () => ({ ...row, kept: 'x' }) }, { outcomes: 'kept' }).get('1', {
      outcome: { id: 'a' },
    }),
  () => given(storeOver({}).show({ id: '1' })),
  () => {
    const { a, ...others } = row;
    return storeOver({ find: () => ({ ...others, A: a }) }).get('1');
  },
  ...[{ dialect: 'mysql' as const }, {}].map((more) => () => {
    const key = () => ({ id: new Date(0) });
    return storeOver({ find: () => ({ ...row, id: new Date(1) }), ...more }, { key }).get('1');
  }),
  () => {
    const client = { query: failing('25P01'), escapeLiteral: nothing };
    const rows = tableRows(given(client), { table: 'notes' });
    return rows.transaction?.(() => Promise.resolve());
  },
  () => {
    const rows = { find: () => row, update: () => 1, transactionSync: nothing };
    const store = rowStore(given({ ...rows, columns, key: 'id' })) as ResourceStore;
    return store.replace('1', '', given({ ...next, a: 'x' }), { current: { value: next, handle: row } });
  },
  () => {
    // A transaction of the app over MySQL, in which the row that is locked is not the one that is read.
    const $queryRawUnsafe = (text: string) =>
      Promise.resolve([{ a: text.endsWith('UPDATE') ? 'new' : 'old' }]);
    const inApp = noteRows({ ...prisma, _activeProvider: 'mysql', $queryRawUnsafe });
    return inApp.transaction?.(async (inside) => {
      await inside.lock?.({ slug: 'a' });
    });
  },
  () => knexRows(given(Object.assign(nothing, { client: { dialect: 'oracle' } })), 'notes'),
  () => {
    const execute = () => Promise.resolve([[{ client: 'latin1' }], []]);
    return tableRows(given({ execute, query: execute }), { table: 'notes' }).find({ slug: 'a' }, ['slug']);
  },
  () => drizzleRows(given(drizzle), titles).find({ slug: 'a' }, ['slug']),
  () => kyselyRows(given(kyselyThatWrites('select top(1) * from [notes]')), 'notes'),
  () => {
    const query = { selectAll: () => ({ where: failing('') }) };
    return kyselyRows(given({ ...kyselyThatWrites(''), selectFrom: () => query }), 'notes');
  },
  () => typeormRows(given(repository)).find({ slug: 'a' }, ['created_at']),
  () => typeormRows(given(repository)).save({ slug: 'a' }, { title: 'b' }, {}),
  () => {
    // The primary key of the entity is not loaded.
    const query = { setFindOptions: () => query, getRawAndEntities: () => ({ entities: [{}] }) };
    const withoutId = { ...repository.metadata, hasAllPrimaryKeys: () => false };
    const rows = typeormRows(given({ ...repository, createQueryBuilder: () => query, metadata: withoutId }));
    return rows.delete({}, {});
  },
  () => sequelizeRows(given(NoteModel)).find({ slug: 'a' }, ['created_at']),
  () => mikroormRows(given(entityManager), 'Note').find({ slug: 'a' }, ['created_at']),
  () => {
    const metadata = { className: 'Note', readonly: true, properties: { title: {} } };
    const rows = mikroormRows(given({ ...entityManager, getMetadata: () => metadata }), 'Note');
    return rows.save({ slug: 'a' }, { title: 'b' }, {});
  },
  () => {
    // An extension that begins a transaction of its own for each query.
    const _extensions = { getAllQueryCallbacks: () => [nothing] };
    const $queryRawUnsafe = () => Promise.resolve([]);
    const outside = noteRows({ ...prisma, _activeProvider: 'postgresql', _extensions, $queryRawUnsafe });
    return outside.find({ slug: 'a' }, ['slug'], undefined, true);
  },
  () => noteRows().save({ slug: 'a' }, { extra: null }, {}),
  ...[{ slug: 'a' }, { tenant: 't', slug: 'a' }].map((where) => () => {
    const fail = () => Promise.reject(Object.assign(new Error(), { name: 'PrismaClientValidationError' }));
    return noteRows({ ...prisma, note: { ...noteModel, update: fail, findUnique: fail } }).save(
      where,
      {},
      {},
    );
  }),
  () => storeOver({}, { key: given(() => Promise.resolve({ id: '1' })) }).get('1'),
  ...['fault', 'read'].map((name) => {
    const kind = { fault: nothing, read: String, write: String, [name]: () => Promise.resolve('') };
    return () =>
      storeOver({ insert: nothing }, given({ columns: { a: { kind } } })).replace(
        '1',
        null,
        given({ a: 'x' }),
      );
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
  const drizzleTable = { constructor: kind, a: column, id: column };
  const columnsOf = (names: readonly string[]) =>
    names.map((name) => ({ propertyPath: name, databaseName: name }));
  const metadata = {
    tableName: 'notes',
    columns: columnsOf(['a', 'id']),
    connection: { options: { type: 'mysql' } },
  };
  const inPrisma = {
    ...prisma,
    note: { ...noteModel, fields: {} },
    _activeProvider: 'mysql',
    $queryRawUnsafe: ask,
  };
  const method = () => Promise.resolve([answer]);
  const adapters: readonly Rows[] = [
    tableRows(given({ execute: method, query: method }), { table: 'notes' }),
    knexRows(given(knex), 'notes'),
    kyselyRows(given(inKysely), 'notes'),
    drizzleRows(given({ ...drizzle, execute: method }), drizzleTable),
    typeormRows(given({ ...repository, metadata, query: ask })),
    noteRows(inPrisma),
  ];
  return adapters.map((rows) => () => rowStore({ ...rows, columns: { a: 'date' }, key: 'id' }).get('1'));
};

/** What each adapter adds to the error about a missing column. */
const remedies = (): string[] => {
  const knex = Object.assign(() => undefined, { client: { dialect: 'postgres' } });
  const adapters: readonly Rows[] = [
    noteRows(),
    drizzleRows(given(drizzle), titles),
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
      await act();
      said.push(`Nothing was said of ${String(act)}`);
    } catch (error) {
      said.push(error instanceof ProblemError ? linesOf(error) : String(error));
    }
  }
  return said;
}

function linesOf({ status, code, problem, cause }: ProblemError): string {
  const { detail, errors = [] } = problem as { detail: string; errors?: readonly InvalidMember[] };
  const each = errors.map(({ pointer, detail: of }) => `  ${pointer ?? ''}: ${of}`);
  const why = cause instanceof WriteTimeoutError ? [`  ${String(cause)}`] : [];
  return [`${status} ${code}: ${detail}`, ...each, ...why].join('\n');
}
