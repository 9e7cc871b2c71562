/** The data layer of an app, as ORMs give it: a change says by `where` which rows it means, and tells how many it met. */
import { setImmediate } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';

export type Article = { readonly title: string; readonly body: string };
/** As it stands in the table. Each update counts the revision up. */
export type ArticleRow = Article & { readonly id: number; readonly slug: string; readonly revision: number };

export class SlugTakenError extends Error {
  readonly status = 409; // what Express answers with
}

export class Articles {
  constructor(private readonly db = new DatabaseSync(':memory:')) {
    db.exec(`CREATE TABLE IF NOT EXISTS articles (
      id INTEGER PRIMARY KEY AUTOINCREMENT, slug TEXT NOT NULL UNIQUE,
      title TEXT NOT NULL, body TEXT NOT NULL, revision INTEGER NOT NULL DEFAULT 1)`);
  }

  findMany(): Promise<ArticleRow[]> {
    return this.#run('SELECT * FROM articles ORDER BY slug');
  }

  async findBySlug(slug: string): Promise<ArticleRow | undefined> {
    const [row] = await this.#run('SELECT * FROM articles WHERE slug = ?', slug);
    return row;
  }

  async create({ slug, title, body }: Article & { slug: string }): Promise<ArticleRow> {
    const sql =
      'INSERT INTO articles (slug, title, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING *';
    const [row] = await this.#run(sql, slug, title, body);
    if (row === undefined) throw new SlugTakenError(`There is an article ${slug} already.`);
    return row;
  }

  async updateMany({ where, data }: { where: Where; data: Article }): Promise<{ count: number }> {
    const sql = `UPDATE articles SET title = ?, body = ?, revision = revision + 1 ${clause(where)} RETURNING *`;
    const rows = await this.#run(sql, data.title, data.body, ...Object.values(where));
    return { count: rows.length };
  }

  async deleteMany({ where }: { where: Where }): Promise<{ count: number }> {
    const rows = await this.#run(
      `DELETE FROM articles ${clause(where)} RETURNING *`,
      ...Object.values(where),
    );
    return { count: rows.length };
  }

  async #run(sql: string, ...values: (string | number)[]): Promise<ArticleRow[]> {
    await setImmediate(); // others come in between, as they do where the database is across a network
    return this.db.prepare(sql).all(...values) as ArticleRow[];
  }
}

type Where = Partial<Pick<ArticleRow, 'id' | 'slug' | 'revision'>>;
const clause = (where: Where) => `WHERE ${Object.keys(where).join(' = ? AND ')} = ?`;
