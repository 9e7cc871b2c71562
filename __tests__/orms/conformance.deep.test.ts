/** The contract of ResourceStore, of rowStore over each ORM. */
import { storeConformance } from '../../lib/testing';
import { rowStore } from '../../lib/stores/rows';
import { describeEachOrm } from './support/each-orm';

const carrier = { wrap: (title: string) => ({ title }), unwrap: ({ title }: { title: string }) => title };

const members = { fixed: { id: 777, slug: 'stolen', version: 'stolen', secret: 'told' } };

describeEachOrm((opened, { names }) => {
  const declared = { columns: { title: 'string' }, key: 'slug', version: 'version' } as const;

  describe('with outcomes, and the time of the last write', () => {
    const open = () =>
      rowStore({ ...opened().rows, ...declared, outcomes: 'outcomes', modified: names.updatedAt });
    const cases = storeConformance(() => ({ open }), { carrier, members });
    test.each(cases)('$name', ({ run }) => run());
  });

  describe('without', () => {
    const open = () => rowStore({ ...opened().rows, ...declared });
    const cases = storeConformance(() => ({ open }), { carrier, members, outcomes: false });
    for (const { name, run, skip } of cases) (skip === undefined ? test : test.skip)(name, run);
  });

  describe('in a transaction', () => {
    const open = () =>
      rowStore({
        ...opened().rows,
        ...declared,
        outcomes: 'outcomes',
        transaction: (run) => opened().transaction(run),
      });
    const cases = storeConformance(() => ({ open }), { carrier, members });
    test.each(cases)('$name', ({ run }) => run());
  });
});
