/** What a kind accepts it reads back, on every engine, of each type of column that it is for. */
import { printedByTypescript } from '../support/run-typescript';
import { sharedMariadb, sharedPostgres } from '../support/engines';
import { join } from 'node:path';
import { describeOver, type TestDatabase, testEngines } from './databases';
import { expectedOf, kindsOverColumns, openMember, valuesOf, writeAndRead } from './kinds-in-columns';
import { fc } from '../support/properties';

describeOver(testEngines, 'kinds', ({ dialect, open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
    if (dialect !== 'postgres') return;
    await database.sql(`CREATE TYPE state_of_bill AS ENUM ('draft', 'paid', 'it''s')`);
  }, 60_000);
  afterAll(() => database.close());

  test.each(kindsOverColumns[dialect])('$kind over $column as $as: $values', async (about) => {
    const { store } = await openMember(database.db, dialect, database.sql, about);
    const values = valuesOf(about);
    await fc.assert(
      fc.asyncProperty(values, values, async (first, second) => {
        const seen = await writeAndRead(store, first, second);
        expect(seen).toEqual(expectedOf(about.kind, first, second));
      }),
      { numRuns: 20 },
    );
  });
});

const script = join(__dirname, 'kinds-in-time-zone.ts');
const start = { postgres: sharedPostgres, mysql: sharedMariadb };

describeOver(
  testEngines.filter(({ dialect }) => dialect !== 'sqlite'),
  'in the time zone',
  ({ dialect }) => {
    let engine: Awaited<ReturnType<typeof sharedPostgres>>;
    beforeAll(async () => {
      engine = await start[dialect === 'mysql' ? 'mysql' : 'postgres']();
    }, 60_000);
    afterAll(() => engine.close());

    test.each(['Europe/Berlin', 'America/St_Johns', 'Pacific/Apia'])(
      '%s every day, time and date is stored and read as it was sent, or refused',
      async (TZ) => {
        const printed = await printedByTypescript(script, [dialect, engine.urls[0]], { TZ });
        expect(JSON.parse(printed)).toEqual({ zone: TZ, checked: expect.any(Number) as unknown, wrong: [] });
      },
    );
  },
);
