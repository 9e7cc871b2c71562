/** A day, or a time, in a key of several columns: it is found, listed or not, and where a Date would be written as another, that is said. */
import { join } from 'node:path';
import { sampled } from '../support/deep-scale';
import { describeMariadb, sharedMariadb, sharedPostgres } from '../support/engines';
import { printedByTypescript } from '../support/run-typescript';

const script = join(__dirname, 'date-keys.ts');

interface Said {
  readonly column: 'night' | 'at';
  readonly way: string;
  readonly said: readonly unknown[];
}

/** The error of every request, whatever it names. */
const needsText = expect.stringMatching(
  /^TypeError: The option key returned a Date for the column (?:night|at), .* Return text, such as '2026-11-22', or/,
) as string;

/** Found, changed, no other and in no other spelling, created, deleted. */
const isFound = ({ column }: Said) => [
  ...['found', 'changed'],
  ...Array.from({ length: column === 'night' ? 6 : 4 }, () => 'none'),
  ...['created', true],
];

const engines = {
  SQLite: {
    dialect: 'sqlite',
    describe,
    open: () => Promise.resolve({ urls: [''], close: () => undefined }),
  },
  PostgreSQL: { dialect: 'postgres', describe, open: sharedPostgres },
  MariaDB: { dialect: 'mysql', describe: describeMariadb, open: sharedMariadb },
};

/** After each change each engine in one of them. */
const zones = ['Asia/Shanghai', 'America/Los_Angeles', 'UTC'];

for (const [from, [engine, { dialect, describe: describeEngine, open }]] of Object.entries(
  engines,
).entries()) {
  describeEngine(engine, () => {
    test.each(sampled(zones, zones.length, from))('in the time zone %s', async (TZ) => {
      const { urls, close } = await open();
      const printed = await printedByTypescript(script, [dialect, urls[0] ?? ''], { TZ });
      await close();
      const all = JSON.parse(printed) as Said[];
      const ofText = all.filter(({ way }) => !way.startsWith('a Date'));
      expect(ofText.length).toBeGreaterThanOrEqual(8);
      expect(ofText).toEqual(ofText.map((one) => ({ ...one, said: isFound(one) })));
      // Which column of PostgreSQL is a time, and no day, only columns can say. This function takes a time in each spelling.
      const isTime = ({ column, way }: Said) =>
        dialect === 'postgres' && column === 'at' && way === 'a Date of a function, listed';
      const ofDates = all.filter(({ way }) => way.startsWith('a Date'));
      expect(ofDates).toEqual(
        ofDates.map((one) => ({
          ...one,
          said: isTime(one)
            ? ['found', 'changed', 'changed', 'changed', 'none', 'none', 'created', true]
            : one.said.map(() => needsText),
        })),
      );
    });
  });
}
