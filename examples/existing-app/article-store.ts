import { drizzleRows, rowStore } from 'patch-options/rows';
import { articles, db } from './articles';

/** The articles as a store: each has a version, and is written only if it still has that version. */
export const articleStore = rowStore({
  ...drizzleRows(db, articles),
  columns: { title: 'string', body: 'string' },
  key: 'slug',
  version: { counter: 'revision', id: 'id' },
});
