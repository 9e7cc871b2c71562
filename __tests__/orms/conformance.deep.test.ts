/** The contract of ResourceStore, of rowStore over each ORM. */
import { randomUUID } from 'node:crypto';
import { storeConformance } from '../../lib/testing';
import { rowStore } from '../../lib/rows';
import { scaled } from '../support/deep-scale';
import { testCases } from '../support/test-cases';
import { carrier, columns, members } from './support/conformance';
import { describeEachOrm } from './support/each-orm';

describeEachOrm((opened, { names, database, orm }) => {
  const options = { columns, key: 'slug' } as const;
  const withOutcomes = { outcomes: 'outcomes', modified: names.updatedAt };
  const hasXmin = database === 'PostgreSQL' && ['Drizzle', 'Knex', 'Kysely'].includes(orm);
  const isSynchronous = database === 'SQLite' && orm === 'Drizzle';
  const groups = [
    {
      what: 'with outcomes, and the time of the last write',
      versions: false,
      outcomes: true,
      open: () => rowStore({ ...opened().rows, ...options, ...withOutcomes }),
    },
    ...(hasXmin
      ? [
          {
            what: 'with xmin as the version',
            versions: true,
            outcomes: false,
            open: () =>
              rowStore({ ...opened().rows, ...options, modified: names.updatedAt, version: 'xmin' as const }),
          },
        ]
      : []),
    ...(isSynchronous
      ? []
      : [
          {
            what: 'in a transaction of the app',
            versions: false,
            outcomes: true,
            open: () =>
              rowStore({
                ...{ ...opened().rows, ...options, outcomes: 'outcomes', timeout: 60_000 },
                transaction: (run) => opened().ownTransaction?.(run),
              }),
          },
        ]),
    {
      what: 'without either',
      versions: false,
      outcomes: false,
      open: () => rowStore({ ...opened().rows, ...options }),
    },
  ] as const;

  describe.each(groups.slice(0, Math.max(hasXmin ? 2 : 1, scaled(groups.length))))(
    '$what',
    ({ open, versions, outcomes }) => {
      // The collation that MariaDB has by default folds case, accents and spaces: not every text is a key of its own there.
      const key = database === 'MariaDB' ? { key: () => `note-${randomUUID()}` } : {};
      testCases(
        storeConformance(() => ({ open }), {
          ...{ carrier, members, outcomes, ...key },
          ...(!versions && { versions: false }),
        }),
      );
    },
  );
});
