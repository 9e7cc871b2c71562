import { drizzleRows, rowStore } from 'patch-options/rows';
import { articles, db } from './articles';

/** The articles as a store: a write is made only if the article is still what the client's change was judged on. */
export const articleStore = rowStore({
  ...drizzleRows(db, articles),
  columns: { title: true, body: true },
  key: 'slug',
});
