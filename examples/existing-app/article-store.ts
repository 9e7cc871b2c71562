import { drizzleRows, rowStore } from 'patch-options/rows';
import { articles, db } from './articles';

/** The articles as a store: it writes only if the article is still as it was when the client's change was checked. */
export const articleStore = rowStore({
  ...drizzleRows(db, articles),
  columns: { title: true, body: true },
  key: 'slug',
});
