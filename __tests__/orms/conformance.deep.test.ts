/** The contract of ResourceStore, of rowStore over each ORM. */
import { randomUUID } from 'node:crypto';
import { storeConformance } from '../../lib/testing';
import { rowStore } from '../../lib/rows';
import { scaled } from '../support/deep-scale';
import { testCases } from '../support/test-cases';
import { carrier, columns, members } from './support/conformance';
import { describeEachOrm } from './support/each-orm';

describeEachOrm((opened, { names, database }) => {
  const options = { columns, key: 'slug' } as const;

  // Every ORM has this key, and over SQLite a form of dates of its own.
  beforeAll(() => opened().sql(`DELETE FROM notes WHERE slug = ''`));
  const withOutcomes = { outcomes: 'outcomes', modified: names.updatedAt };
  const groups = [
    {
      what: 'with outcomes, and the time of the last write',
      open: () => rowStore({ ...opened().rows, ...options, ...withOutcomes }),
    },
    {
      what: 'in a transaction',
      open: () =>
        rowStore({
          ...{ ...opened().rows, ...options, outcomes: 'outcomes' },
          transaction: (run) => opened().transaction(run),
        }),
    },
    { what: 'without', open: () => rowStore({ ...opened().rows, ...options }) },
  ] as const;

  describe.each(groups.slice(0, scaled(groups.length)))('$what', ({ what, open }) => {
    // The collation that MariaDB has by default folds case, accents and spaces: not every text is a key of its own there.
    const key = database === 'MariaDB' ? { key: () => `note-${randomUUID()}` } : {};
    const declared = { carrier, members, outcomes: what !== 'without', ...key };
    testCases(storeConformance(() => ({ open }), declared));
  });
});
