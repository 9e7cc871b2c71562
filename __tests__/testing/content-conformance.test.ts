/** The contract for stores whose states are their content: a right store passes, and each wrong one fails what it breaks. */
import type { ContentEngine } from '../support/content-store';
import { failuresOf } from './failures';
import { contentTable } from './wrong-content-stores';

test.concurrent.each(contentTable)(
  'a store that $what fails what it breaks, and nothing else',
  async ({ Store, failures }) => {
    const factory = () => {
      const engine: ContentEngine = new Map();
      return { open: () => new Store(engine) };
    };
    const found = await failuresOf(factory, { versions: false });
    expect([...found.keys()].sort()).toEqual([...failures].sort());
  },
);
