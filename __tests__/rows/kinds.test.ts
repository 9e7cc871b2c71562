/** What a kind accepts it reads back, on every engine, of each type of column that it is for. */
import { join } from 'node:path';
import { sampled, times } from '../support/deep-scale';
import { sharedMariadb, sharedPostgres } from '../support/engines';
import { printedByTypescript } from '../support/run-typescript';
import { describeOver, testEngines } from './databases';
import { createTable, kindsOverColumns, membersOf, openStore } from './kinds-in-columns';
import { noFindings, pairsOf, writeAndRead } from './written-and-read';

const script = join(__dirname, 'kinds-in-time-zone.ts');

describeOver(testEngines, 'kinds', ({ dialect, open }) => {
  test('every edge of each kind, and others, are read back in each column', async () => {
    const { db, sql, close } = await open();
    if (dialect === 'postgres') await sql(`CREATE TYPE state_of_bill AS ENUM ('draft', 'paid', 'it''s')`);
    const members = membersOf(kindsOverColumns[dialect]);
    const store = openStore(db, await createTable(sql, dialect, members), members);
    const findings = noFindings();
    // Each edge is in two pairs, so every other pair has them all.
    const pairs = sampled(pairsOf(members, times(2, 300)), 2);
    await Promise.all(pairs.map((pair) => writeAndRead(store, members, pair, findings)));
    expect(findings).toMatchObject({ wrong: [] });
    await close();
  });
});

const start = { postgres: sharedPostgres, mysql: sharedMariadb };
/** After each change one, another for each engine. */
const zones = ['Europe/Berlin', 'America/St_Johns', 'Pacific/Apia'];

describeOver(
  testEngines.filter(({ dialect }) => dialect !== 'sqlite'),
  'kinds in other time zones',
  ({ dialect }) => {
    test('every day, time and date is stored and read as it was sent, or refused', async () => {
      const { urls, close } = await start[dialect === 'mysql' ? 'mysql' : 'postgres']();
      const tried = sampled(zones, zones.length, dialect === 'mysql' ? 1 : 0);
      const printed = await printedByTypescript(script, [dialect, urls[0], ...tried], { TZ: 'UTC' });
      const results = tried.map((zone) => expect.objectContaining({ zone, wrong: [] }) as unknown);
      const listed = { times: ['2026-10-25T01:30:00.001Z'], rows: [{ at: '2026-10-25 01:30:00.001' }] };
      const modified = dialect === 'postgres' ? [{ modified: [{ title: 'a' }, listed] }] : [];
      expect(JSON.parse(printed)).toEqual([...modified, ...results]);
      await close();
    });
  },
);
