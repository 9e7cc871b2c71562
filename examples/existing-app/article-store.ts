import { drizzleRows, rowStore } from 'patch-options/rows';
import { articles, db } from './articles';

/** The articles as a store, which writes only if nobody has changed the article since the client's change was checked. */
export const articleStore = rowStore({
  ...drizzleRows(db, articles),
  columns: { title: true, body: true },
  key: 'slug',
});
