/** A CRUD app that had no PATCH, OPTIONS or CORS: what it gains is in one `app.use`, and an ETag in its GET. */
import express, { type RequestHandler } from 'express';
import { entityTag, jsonPatch, mergePatch, patchHandler, patchOptions } from 'patch-options';
import { z } from 'zod';
import { ArticleStore, storedAs } from './article-store';
import { Articles } from './articles';

const Article = z.strictObject({ title: z.string().min(1), body: z.string() });
const articles = new Articles();
const app = express();

const editors: RequestHandler = (req, res, next) => {
  if (req.get('Authorization') === 'Bearer editor') next();
  else res.sendStatus(401);
};

// What is new. It stands in front of everything, since preflights carry no credentials, and so it asks who may patch.
const patch = patchHandler(new ArticleStore(articles), [jsonPatch(), mergePatch()], {
  key: (req) => req.params.slug,
  validate: Article,
});
app.use(
  patchOptions({
    cors: { origin: 'https://cms.example' },
    resources: { '/articles/:slug': { guard: editors, patch } },
  }),
);

// What was there.
app.use(express.json());
app.get('/articles', async (_req, res) => {
  res.json(await articles.findMany());
});
app.get('/articles/:slug', async (req, res) => {
  const row = await articles.findBySlug(req.params.slug);
  if (row === undefined) {
    res.sendStatus(404);
    return;
  }
  const { title, body } = row;
  res.set('ETag', entityTag(storedAs(row))); // new: the tag that If-Match names
  res.json({ title, body });
});
app.put('/articles/:slug', editors, async (req, res) => {
  const { data, error } = Article.safeParse(req.body);
  if (error) {
    res.status(422).json(error.issues);
    return;
  }
  const slug = String(req.params.slug);
  const { count } = await articles.updateMany({ where: { slug }, data });
  if (count === 0) await articles.create({ ...data, slug });
  res.sendStatus(count === 0 ? 201 : 204);
});
app.delete('/articles/:slug', editors, async (req, res) => {
  const { count } = await articles.deleteMany({ where: { slug: String(req.params.slug) } });
  res.sendStatus(count === 0 ? 404 : 204);
});

app.listen(3000, '127.0.0.1');
