import { ProblemError, type ResourceStore, type StoreContext, type Stored } from 'patch-options';
import { SlugTakenError, type Article, type ArticleRow, type Articles } from './articles';

/** The articles as PATCH needs them: each with a version, and written only while it still has that version. */
export class ArticleStore implements ResourceStore<Article> {
  constructor(private readonly articles: Articles) {}

  async get(slug: string): Promise<Stored<Article> | undefined> {
    const row = isText(slug) ? await this.articles.findBySlug(slug) : undefined;
    return row && storedAs(row);
  }

  async replace(slug: string, expected: string | null, next: Article, context?: StoreContext) {
    context?.signal?.throwIfAborted(); // the client has gone
    if (!isText(slug)) return undefined;
    checkArticle(next);
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
const isText = (text: string) => !/[\0\p{Surrogate}]/u.test(text);

/** What the columns have no place for is refused, since an answer of 200 would say that it was stored. */
function checkArticle({ title, body, ...others }: Article): void {
  if (Object.keys(others).length === 0 && isText(title) && isText(body)) return;
  const detail =
    'An article has a title and a body, of well-formed Unicode without U+0000, and nothing else.';
  throw new ProblemError(422, 'invalid-result', detail);
}

function undefinedIfTaken(error: unknown): undefined {
  if (!(error instanceof SlugTakenError)) throw error;
}
