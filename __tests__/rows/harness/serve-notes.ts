/**
 * An app in a process of its own, over one path: `/honest/notes/:slug`, and the same over each store that is broken on purpose. It
 * says its port, and ends when its standard input does.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import express, { type ErrorRequestHandler } from 'express';
import { jsonPatch, ProblemError, resource } from '../../../lib';
import { rowStore, type RowWrite } from '../../../lib/rows';
import { listen } from '../../support/serving';
import { createServer } from 'node:http';
import { breakages } from './breakages';
import type { AuditText, EnginePath, OpenPath } from './engine-path';

const columns = {
  title: 'string',
  body: 'string?',
  facts: 'json',
  count: { kind: 'number?', column: 'ratio' },
} as const;

/** `<script> <path> <url>` */
export async function servePath(paths: readonly EnginePath[]): Promise<void> {
  const [name, url = ''] = process.argv.slice(2);
  const path = paths.find((one) => one.path === name);
  if (path === undefined) throw new Error(`There is no path ${String(name)} here.`);
  const opened = await path.open(url);
  const app = express();
  const routers = new Map<string, express.Router>();
  app.use('/:variant/notes', (req, res, next) => {
    const { variant } = req.params as { variant: string };
    const router = routers.get(variant) ?? serveNotes(opened, variant, path);
    routers.set(variant, router);
    router(req, res, next);
  });
  app.post('/own/:slug/:age', async (req, res) => {
    const { id } = await opened.ownRead(req.params.slug);
    await opened.ownWrite(id, { age: Number(req.params.age) });
    res.status(204).end();
  });
  app.get('/own/:slug', async (req, res) => {
    await opened.ownRead(req.params.slug);
    res.status(204).end();
  });
  app.post('/plain', express.text(), async (req, res) => {
    res.json(await opened.plain?.(String(req.body)));
  });
  const answerError: ErrorRequestHandler = (error: Error & { code?: unknown }, _req, res, next) => {
    if (res.headersSent) next(error);
    else res.status(500).json({ code: String(error.code ?? error.name), detail: error.message });
  };
  app.use(answerError);
  process.stdout.write(`${await listen(createServer(app))}\n`);
  process.stdin.resume();
  await once(process.stdin, 'end');
  process.exit(0);
}

/** One conditional UPDATE of a text, with nothing beside it. */
const byVersion = { columns: { title: 'string' }, key: 'slug', version: 'xmin' } as const;

function serveNotes(opened: OpenPath, variant: string, { hasCounter }: EnginePath): express.Router {
  if (variant.startsWith('xmin')) {
    const rows = variant === 'xmin' ? opened.rows : brokenRows(opened, variant);
    const titles = resource(rowStore({ ...rows, ...byVersion }), [jsonPatch()], { key: 'slug' });
    const router = express.Router();
    router.route('/:slug').get(titles.get).patch(titles.patch);
    return router;
  }
  const store = rowStore({
    ...(variant === 'honest' || variant === 'no counter' ? opened.rows : brokenRows(opened, variant)),
    ...(hasCounter === true && variant !== 'no counter' && { counter: 'revision' }),
    ...{ columns, key: 'slug', outcomes: 'outcomes' },
    // A write beside the transaction waits for the lock of its own.
    timeout: variant === 'written beside the transaction' ? 500 : 3_000,
    onWrite: (tx: unknown, write: RowWrite<object>) => note(opened, tx, write),
  });
  const notes = resource(store, [jsonPatch()], { key: 'slug', create: true, idempotency: 'optional' });
  const router = express.Router();
  router.route('/:slug').get(notes.get).patch(notes.patch).put(notes.put).delete(notes.delete);
  return router;
}

function brokenRows(opened: OpenPath, variant: string): OpenPath['rows'] {
  const breakage = breakages.find(({ name }) => name === variant);
  if (breakage === undefined) throw new Error(`There is no store that is broken so: ${variant}`);
  return { insert: opened.rows.insert, delete: opened.rows.delete, ...breakage.of(opened) };
}

/** Notes the write in its transaction, and does there what the request's headers ask for. */
function note(opened: OpenPath, tx: unknown, { key: slug, before, after, req }: RowWrite<object>): unknown {
  const header = (name: string) => req?.get(name);
  const text = { mark: header('X-Mark') ?? '', state: after ?? null } as AuditText;
  const noted = opened.audit(tx, {
    slug,
    before: before === undefined ? null : JSON.stringify(before),
    after: JSON.stringify(text),
  });
  const end = () => {
    const dying = header('X-Die');
    if (dying === 'onWrite') process.kill(process.pid, 'SIGKILL');
    if (dying === 'before COMMIT' || dying === 'COMMIT answered') opened.dieAt?.(dying);
    if (header('X-Refuse') === '409') throw new ProblemError(409, 'refused', 'The app refuses this write.');
    if (header('X-Refuse') === '500') throw new Error('The app refuses this write.');
  };
  if (opened.rows.transactionSync !== undefined && header('X-Hold') === undefined) return end();
  return (async () => {
    await noted;
    await delay(Number(header('X-Hold') ?? 0));
    if (header('X-Pool') !== undefined) await opened.ownRead(slug);
    end();
  })();
}
