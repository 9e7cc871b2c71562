/** Keys that a number, or a column, cannot tell apart or hold. */
import { createPool } from 'mysql2/promise';
import { rowStore, tableRows, tableStore } from '../../lib/rows';
import { describeMariadb, type SharedEngine, sharedMariadb } from '../support/engines';
import { DatabaseSync } from '../support/sqlite';
import { change, replaceAt, stateOf } from '../support/written';

const columns = { title: 'string' } as const;

describe('a key of a number that can stand for several', () => {
  const snowflake = '9007199254740993';
  const open = (key: (text: string) => { id: number | bigint } | undefined) => {
    const db = new DatabaseSync(':memory:');
    db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT)');
    db.exec(`INSERT INTO notes VALUES (9007199254740992, 'the neighbour'), (${snowflake}, 'meant')`);
    db.exec("INSERT INTO notes VALUES (7, 'seven')");
    return rowStore({
      ...tableRows(db, { table: 'notes' }),
      ...{ columns, key, dialect: 'sqlite' },
    });
  };

  test.each([
    { what: 'beyond 2^53 - 1', text: snowflake },
    { what: 'below -(2^53 - 1)', text: '-9007199254740993' },
    { what: 'that is none', text: 'seven' },
    { what: 'beyond all numbers', text: '9'.repeat(400) },
  ])('$what: no row is found or changed, and the app is told once', async ({ text }) => {
    const warnings = jest.spyOn(process, 'emitWarning').mockImplementation();
    const store = open((key) => ({ id: Number(key) }));
    expect(await store.get(text)).toBeUndefined();
    const current = await stateOf(store, '7');
    expect(await replaceAt(store, text, current, { title: 'x' })).toBeUndefined();
    expect(await store.replace(text, null, { title: 'x' })).toBeUndefined();
    expect(await store.delete(text, '', { current })).toBe(false);
    expect(await store.delete(text)).toBe(false);
    expect((await store.get('7'))?.value).toEqual({ title: 'seven' });
    const calls = warnings.mock.calls;
    warnings.mockRestore();
    expect(calls).toEqual([
      [
        expect.stringMatching(/The option key of rowStore\(\) returned id: .* Return BigInt\(key\)/),
        { code: 'PATCH_OPTIONS_UNSAFE_KEY' },
      ],
    ]);
  });

  test('as a BigInt, each is itself', async () => {
    const store = open((key) => (/^\d+$/.test(key) ? { id: BigInt(key) } : undefined));
    const meant = await store.get(snowflake);
    expect(meant?.value).toEqual({ title: 'meant' });
    expect((await change(store, snowflake, { title: 'changed' })).value).toEqual({ title: 'changed' });
    expect((await store.get('9007199254740992'))?.value).toEqual({ title: 'the neighbour' });
    expect((await store.get('7'))?.value).toEqual({ title: 'seven' });
  });
});

describe('a column of whole numbers, by its name', () => {
  const asked: unknown[] = [];
  const open = (key: string | string[]) => {
    const db = new DatabaseSync(':memory:');
    db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, org TEXT, title TEXT)');
    db.exec("INSERT INTO notes VALUES (7, 'acme', 'seven')");
    asked.length = 0;
    const prepare = (sql: string) => {
      const statement = db.prepare(sql);
      const all = (...parameters: never[]) => (asked.push(parameters), statement.all(...parameters));
      return { all, run: statement.run.bind(statement) };
    };
    return tableStore(
      { exec: db.exec.bind(db), prepare },
      { table: 'notes', key, columns: { id: { kind: 'integer', readOnly: true }, title: 'string' } },
    );
  };

  test('gets a number, as ORMs with types need it', async () => {
    expect((await open('id').get('7'))?.value).toEqual({ id: 7, title: 'seven' });
    expect(asked).toEqual([[7]]);
    expect((await open(['org', 'id']).get('acme/7'))?.value).toEqual({ id: 7, title: 'seven' });
    expect(asked).toEqual([['acme', 7]]);
  });

  test.each(['07', '7.0', '7e0', '+7', ' 7', '', 'seven', '0x7', '9007199254740993', 'NaN'])(
    '%j is no row, without a question to the database',
    async (text) => {
      const store = open('id');
      expect(await store.get(text)).toBeUndefined();
      const current = { value: { id: 7, title: 'seven' }, handle: { id: 7, title: 'seven' } };
      expect(await replaceAt(store, text, current, { id: 7, title: 'x' })).toBeUndefined();
      expect(await store.delete(text)).toBe(false);
      expect(asked).toEqual([]);
      expect((await store.get('7'))?.value).toEqual({ id: 7, title: 'seven' });
    },
  );
});

describeMariadb('a key column whose character set lacks characters', () => {
  let engine: SharedEngine;
  beforeAll(async () => (engine = await sharedMariadb()));
  afterAll(() => engine.close());

  test.each(['ascii', 'latin1'])('%s: such a key has no row', async (charset) => {
    const pool = createPool({ uri: engine.urls[0] });
    try {
      const table = `notes_${charset}`;
      const slug = `slug VARCHAR(50) CHARACTER SET ${charset} PRIMARY KEY`;
      await pool.query(`CREATE TABLE ${table} (${slug}, title TEXT)`);
      await pool.query(`INSERT INTO ${table} VALUES ('a', 'a')`);
      const store = rowStore({
        ...tableRows(pool, { table }),
        ...{ columns, key: 'slug' },
      });
      expect((await store.get('a'))?.value).toEqual({ title: 'a' });
      for (const key of ['é', 'あ', '😀', 'a\u0301']) {
        expect(await store.get(key)).toBeUndefined();
        const current = await stateOf(store, 'a');
        expect(await replaceAt(store, key, current, { title: 'x' })).toEqual({ current: undefined });
        expect(await store.delete(key, '', { current })).toEqual({ current: undefined });
        expect(await store.delete(key)).toBe(false);
      }
    } finally {
      await pool.end();
    }
  });
});
