/** What an adapter finds out about a connection is found out once, although `rows: (req) => …` asks for it each time. */
import { knexRows, kyselyRows } from '../../lib/rows';
import { keepRows } from '../../lib/rows/library-rows';

const rows = { find: () => undefined };

test('rows are made once for each table of each connection', () => {
  const made: string[] = [];
  const rowsOf = keepRows(({ name }: { readonly name: string }, table) => {
    made.push(`${name}.${table}`);
    return { ...rows };
  });
  const [acme, globex] = [{ name: 'acme' }, { name: 'globex' }];
  const first = rowsOf(acme, 'notes');
  expect(rowsOf(acme, 'notes')).toBe(first);
  expect(rowsOf(acme, 'pages')).not.toBe(first);
  expect(rowsOf(globex, 'notes')).not.toBe(first);
  rowsOf(globex, 'notes');
  expect(made).toEqual(['acme.notes', 'acme.pages', 'globex.notes']);
});

test('a mistake is made again, not kept', () => {
  let tries = 0;
  const rowsOf = keepRows(() => {
    tries++;
    if (tries === 1) throw new TypeError('The connection is not open yet.');
    return rows;
  });
  const db = {};
  expect(() => rowsOf(db, 'notes')).toThrow('not open');
  expect(rowsOf(db, 'notes')).toBe(rows);
});

test('Knex is asked for its dialect once', () => {
  const asked: string[] = [];
  const client = Object.defineProperty({}, 'dialect', { get: () => (asked.push('dialect'), 'sqlite3') });
  const knex = Object.assign(() => undefined, { client }) as never;
  expect(knexRows(knex, 'notes')).toBe(knexRows(knex, 'notes'));
  expect(asked).toEqual(['dialect']);
});

test('Kysely compiles the query that reveals its dialect once', () => {
  const compiled: string[] = [];
  const query = {
    selectAll: () => query,
    where: () => query,
    limit: () => query,
    compile: () => (compiled.push('select'), { sql: 'select * from "notes" where "id" is null limit ?' }),
  };
  const db = Object.fromEntries(
    ['selectFrom', 'updateTable', 'insertInto', 'deleteFrom', 'transaction'].map((name) => [
      name,
      () => query,
    ]),
  ) as never;
  expect(kyselyRows(db, 'notes')).toBe(kyselyRows(db, 'notes'));
  expect(compiled).toEqual(['select']);
});
