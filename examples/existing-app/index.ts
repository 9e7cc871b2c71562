/** A CRUD app without PATCH, OPTIONS and CORS. One `app.use` adds them, and GET and PUT come from the resource. */
import { eq } from 'drizzle-orm';
import express, { type RequestHandler } from 'express';
import { jsonPatch, mergePatch, patchOptions, resource } from 'patch-options';
import { z } from 'zod';
import { articleStore } from './article-store';
import { articles, db, migrated } from './articles';

const Article = z.strictObject({ title: z.string().min(1), body: z.string() });
const app = express();

const editors: RequestHandler = (req, res, next) => {
  if (req.get('Authorization') === 'Bearer editor') next();
  else res.sendStatus(401);
};

// New. It comes before everything else, because preflights carry no credentials; the guard decides who may patch.
const formats = [jsonPatch(), mergePatch()];
const options = { key: 'slug', validate: Article } as const;
const article = resource(articleStore, formats, options);
app.use(
  patchOptions({
    cors: { origin: 'https://cms.example' },
    resources: { '/articles/:slug': { guard: editors, patch: article.patch } },
  }),
);

// As before.
app.use(express.json());
app.get('/articles', async (_req, res) => {
  res.json(await db.select().from(articles).orderBy(articles.slug));
});

// New: an update by the slug alone would overwrite the changes that others have made since this client read the article.
app.get('/articles/:slug', article.get);
app.put('/articles/:slug', editors, resource(articleStore, formats, { ...options, create: true }).put);

// As before.
app.delete('/articles/:slug', editors, async (req, res) => {
  const { rowsAffected } = await db.delete(articles).where(eq(articles.slug, String(req.params.slug)));
  res.sendStatus(rowsAffected === 0 ? 404 : 204);
});

void migrated.then(() => app.listen(3000, '127.0.0.1'));
