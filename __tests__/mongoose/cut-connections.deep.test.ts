/**
 * The connection to MongoDB ends in each phase of a write: what is answered 2xx is there once, what is answered 4xx is not there, and
 * what is answered 5xx is there once or not at all.
 */
import { createServer } from 'node:http';
import express from 'express';
import { jsonPatch, resource } from '../../lib';
import { mongooseStore } from '../../lib/mongoose';
import { CuttingProxy, randomCut } from '../support/cutting-proxy';
import { scaled } from '../support/deep-scale';
import type { SharedEngine } from '../support/engines';
import { describeMongodb, sharedMongodb } from '../support/mongodb';
import { portOf, listen } from '../support/serving';
import { releases } from './releases';

const table = releases.flatMap((release) =>
  [true, false].map((retryWrites) => ({ ...release, retryWrites })),
);

describeMongodb.each(table)(
  'Connections that are cut, with Mongoose $release, retryWrites: $retryWrites',
  ({ mongoose, retryWrites }) => {
    let engine: SharedEngine;
    let proxy: CuttingProxy;
    let isCutting = false;
    const schema = new mongoose.Schema({ slug: { type: String, unique: true }, marks: [String] });
    const direct = mongoose.createConnection();
    const Direct = direct.model('Note', schema);
    const cut = mongoose.createConnection();
    const Note = cut.model('Note', schema, undefined, { overwriteModels: true });

    beforeAll(async () => {
      engine = await sharedMongodb();
      await direct.openUri(engine.urls[0]);
      await Direct.createCollection();
      await Direct.init();
      // After the greeting, and some commands of those that wait in the pool.
      proxy = await CuttingProxy.start(() =>
        isCutting ? randomCut(2 + Math.floor(Math.random() * 6)) : undefined,
      );
      const url = new URL(engine.urls[0]);
      proxy.upstream = Number(url.port);
      url.port = String(proxy.port);
      url.search = `directConnection=true&retryWrites=${retryWrites}&serverSelectionTimeoutMS=5000`;
      await cut.openUri(url.href, { autoCreate: false, autoIndex: false });
      await Note.init();
    });

    afterAll(async () => {
      await cut.close(true);
      await direct.close();
      await proxy.close();
      await engine.close();
    });

    /** Sends writes over connections that are cut, and compares each answer to what is there. */
    async function write(count: number, store: ReturnType<typeof openStore>) {
      await Direct.deleteMany();
      const slugs = Array.from({ length: 8 }, (_, index) => `note-${index}`);
      for (const slug of slugs) await Direct.create({ slug, marks: [] });
      const notes = resource(store, [jsonPatch()], { key: 'slug', create: true });
      const app = express().patch('/:slug', notes.patch).put('/:slug', notes.put);
      app.use((error: unknown, req: unknown, res: express.Response, next: unknown) => {
        if (typeof next === 'function') res.status(500).end();
      });
      const server = createServer(app);
      await listen(server);
      const answers: { mark: string; slug: string; status: number }[] = [];
      let sent = 0;
      isCutting = true;
      const client = async () => {
        while (sent < count) {
          const mark = `mark-${sent++}`;
          const isNew = sent % 4 === 0;
          const slug = isNew ? mark : (slugs[sent % slugs.length] ?? '');
          const body = isNew ? { marks: [mark] } : [{ op: 'add', path: '/marks/-', value: mark }];
          const response = await fetch(`http://127.0.0.1:${portOf(server)}/${slug}`, {
            method: isNew ? 'PUT' : 'PATCH',
            headers: {
              'Content-Type': isNew ? 'application/json' : 'application/json-patch+json',
              ...(isNew ? { 'If-None-Match': '*' } : {}),
            },
            body: JSON.stringify(body),
          });
          await response.text();
          answers.push({ mark, slug, status: response.status });
        }
      };
      await Promise.all(Array.from({ length: 4 }, client));
      isCutting = false;
      server.close();
      server.closeAllConnections();

      const stored = new Map((await Direct.find().lean()).map(({ slug, marks }) => [slug, marks]));
      const times = ({ mark, slug }: { mark: string; slug: string }) =>
        (stored.get(slug) ?? []).filter((each) => each === mark).length;
      const is = (kind: number) => answers.filter(({ status }) => Math.floor(status / 100) === kind);
      const counts = {
        answers: answers.length,
        done: is(2).length,
        refused: is(4).length,
        failed: is(5).length,
        failedButThere: is(5).filter((answer) => times(answer) === 1).length,
        lost: is(2).filter((answer) => times(answer) !== 1).length,
        doubled: answers.filter((answer) => times(answer) > 1).length,
      };
      return counts;
    }

    const openStore = () => mongooseStore(Note, { key: 'slug', creates: true });

    test('nothing that was acknowledged is lost, and nothing is there twice', async () => {
      const counts = await write(Math.max(200, scaled(1_000)), openStore());
      expect(counts).toMatchObject({ lost: 0, doubled: 0, refused: 0 });
      expect(counts.done).toBeGreaterThan(0);
      for (const cuts of proxy.cuts.values()) expect(cuts).toBeGreaterThan(0);
    });

    test('a store that takes lost connections for success is caught', async () => {
      const store = openStore();
      const broken: typeof store = {
        ...store,
        async replace(key, expected, value, context) {
          return store.replace(key, expected, value, context).catch(() => ({ value: value as never }));
        },
      };
      expect((await write(800, broken)).lost).toBeGreaterThan(0);
    });
  },
);
