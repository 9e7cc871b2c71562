import type { ResourceStore, StoreContext, Stored } from 'patch-options';
import { SlugTakenError, type Article, type ArticleRow, type Articles } from './articles';

/** The articles as PATCH needs them: each with a version, and written only while it still has that version. */
export class ArticleStore implements ResourceStore<Article> {
  constructor(private readonly articles: Articles) {}

  async get(slug: string): Promise<Stored<Article> | undefined> {
    const row = isSlug(slug) ? await this.articles.findBySlug(slug) : undefined;
    return row && storedAs(row);
  }

  async replace(slug: string, expected: string | null, next: Article, context?: StoreContext) {
    context?.signal?.throwIfAborted(); // the client has gone
    if (!isSlug(slug)) return undefined;
    if (expected === null) return this.articles.create({ ...next, slug }).then(storedAs, undefinedIfTaken);
    const row = await this.articles.findBySlug(slug);
    if (row === undefined || storedAs(row).version !== expected) return undefined;
    // The condition that loses no update: whoever has written since this row was read has counted its revision up.
    const { id, revision } = row;
    const { count } = await this.articles.updateMany({ where: { id, revision }, data: next });
    return count === 1 ? storedAs({ ...row, ...next, revision: revision + 1 }) : undefined;
  }
}

/** An article that is deleted and made anew begins at revision 1 again, under another id: together they never repeat. */
export function storedAs({ id, revision, title, body }: ArticleRow): Stored<Article> {
  return { value: { title, body }, version: `${id}.${revision}` };
}

/** SQLite's text ends at a NUL, and takes all lone surrogates for the same character. */
const isSlug = (key: string) => !/[\0\p{Surrogate}]/u.test(key);

function undefinedIfTaken(error: unknown): undefined {
  if (!(error instanceof SlugTakenError)) throw error;
}
