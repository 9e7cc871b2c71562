/** A CRUD app without PATCH, OPTIONS and CORS. One `app.use` adds them, and the ETag of its GET guards its PUT. */
import { eq } from 'drizzle-orm';
import express, { type RequestHandler } from 'express';
import {
  checkPreconditions,
  entityTag,
  jsonPatch,
  mergePatch,
  patchHandler,
  patchOptions,
  sendProblem,
} from 'patch-options';
import { z } from 'zod';
import { articleStore } from './article-store';
import { articles, db, migrated } from './articles';

const Article = z.strictObject({ title: z.string().min(1), body: z.string() });
const app = express();

const editors: RequestHandler = (req, res, next) => {
  if (req.get('Authorization') === 'Bearer editor') next();
  else res.sendStatus(401);
};

// New. It comes before everything else, because preflights carry no credentials; the guard says who may patch.
const patch = patchHandler(articleStore, [jsonPatch(), mergePatch()], {
  key: 'slug',
  validate: Article,
});
app.use(
  patchOptions({
    cors: { origin: 'https://cms.example' },
    resources: { '/articles/:slug': { guard: editors, patch } },
  }),
);

// As before.
app.use(express.json());
app.get('/articles', async (_req, res) => {
  res.json(await db.select().from(articles).orderBy(articles.slug));
});
app.get('/articles/:slug', async (req, res) => {
  const article = await articleStore.get(req.params.slug);
  if (article === undefined) {
    res.sendStatus(404);
    return;
  }
  res.set('ETag', entityTag(article)); // new: the tag that clients send in If-Match
  res.json(article.value);
});
app.put('/articles/:slug', editors, async (req, res) => {
  const { data, error } = Article.safeParse(req.body);
  if (error) {
    res.status(422).json(error.issues);
    return;
  }
  // New: an update by the slug alone would undo what somebody else has written since this client read the article.
  const slug = String(req.params.slug);
  const article = await articleStore.get(slug);
  const problem = checkPreconditions(req, article);
  if (problem !== undefined) {
    sendProblem(res, problem);
    return;
  }
  const written = await articleStore.replace(slug, article?.version ?? null, data);
  if (written === undefined) res.sendStatus(409);
  else res.set('ETag', entityTag(written)).sendStatus(article === undefined ? 201 : 204);
});
app.delete('/articles/:slug', editors, async (req, res) => {
  const { rowsAffected } = await db.delete(articles).where(eq(articles.slug, String(req.params.slug)));
  res.sendStatus(rowsAffected === 0 ? 404 : 204);
});

void migrated.then(() => app.listen(3000, '127.0.0.1'));
