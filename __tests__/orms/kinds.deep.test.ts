/**
 * Every kind of column through each ORM, in several time zones of the process and of the server: what is accepted is read back as it
 * was sent, and what is refused with 422 leaves the row as it was.
 */
import { join } from 'node:path';
import { scaled } from '../support/deep-scale';
import { printedByTypescript } from '../support/run-typescript';
import { type DatabaseName, databaseNames, describeOver, openDatabase } from './support/databases';

const script = join(__dirname, 'support/kinds-through-orms.ts');

interface Zones {
  readonly zone: string;
  /** Where columns have a time zone. */
  readonly server?: string;
}

const zones: Readonly<Record<DatabaseName, readonly Zones[]>> = {
  PostgreSQL: [
    { zone: 'UTC', server: 'UTC' },
    { zone: 'Europe/Berlin', server: 'UTC' },
    { zone: 'America/St_Johns', server: 'America/St_Johns' },
    { zone: 'Pacific/Apia', server: 'Europe/Berlin' },
  ],
  MariaDB: [{ zone: 'UTC' }, { zone: 'America/St_Johns' }, { zone: 'Pacific/Apia' }],
  SQLite: [{ zone: 'UTC' }, { zone: 'America/St_Johns' }],
};

/** What the script says of an ORM. */
interface Result {
  readonly path: string;
  readonly checked: number;
  readonly wrong: readonly object[];
}

for (const name of databaseNames) {
  describeOver[name](`kinds over ${name}`, () => {
    test.each(zones[name])('a process in $zone, a server in $server', async ({ zone, server }) => {
      const { url, sql, close } = await openDatabase(name);
      if (server !== undefined)
        await sql(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET timezone = '${server}'`);
      const count = String(scaled(50));
      let printed = '';
      try {
        printed = await printedByTypescript(script, [name, url, count], { TZ: zone });
      } finally {
        await close();
      }
      const results = printed
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Result);
      expect(results.flatMap(({ path, wrong }) => wrong.map((one) => ({ path, ...one })))).toEqual([]);
      expect(results).toHaveLength(name === 'SQLite' ? 4 : 7);
    });
  });
}
