/** docs/orms/mongoose.md: its modules, before and after, get the same requests. `npm run types` compiles them. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Express } from 'express';
import type { Model } from 'mongoose';
import request from 'supertest';
import * as patchOptions from '../../lib';
import * as ourMongoose from '../../lib/mongoose';
import { modulesOf } from '../support/doc-blocks';
import type { SharedEngine } from '../support/engines';
import { describeMongodb, sharedMongodb } from '../support/mongodb';
import { PageModules } from '../support/page-modules';
import { releases } from './releases';

const page = readFileSync(join(__dirname, '../../docs/orms/mongoose.md'), 'utf8');
const modules = new Map([...modulesOf(page)].map(([file, text]) => [file.replace('.ts', ''), text]));
const requireHere = createRequire(__filename);

describeMongodb.each(releases)('with Mongoose $release', ({ mongoose }) => {
  const own = new mongoose.Mongoose();
  const load = (name: string): unknown =>
    ({
      mongoose: { __esModule: true, default: own },
      'patch-options': patchOptions,
      'patch-options/mongoose': ourMongoose,
    })[name] ?? requireHere(name);
  const loaded = new PageModules(modules, load);
  const Note = loaded.load('note')['Note'] as Model<Record<string, unknown>>;
  const apps = (['before', 'app'] as const).map((name) => ({
    name,
    app: loaded.load(name)['app'] as Express,
  }));
  loaded.load('put');
  let engine: SharedEngine;

  beforeAll(async () => {
    engine = await sharedMongodb();
    await own.connect(engine.urls[0]);
    await Note.createCollection();
    await Note.init();
  });
  afterAll(async () => {
    await own.disconnect();
    await engine.close();
  });

  const create = async () => {
    const note = await Note.create({ owner: 'ada', title: 'Milk', items: [{ text: 'a' }, { text: 'b' }] });
    return String(note._id);
  };
  const raw = (id: string) => Note.collection.findOne({ _id: new mongoose.mongo.ObjectId(id) });

  describe.each(apps)('$name', ({ name, app }) => {
    const isAfter = name === 'app';

    test.each(['patch', 'put'] as const)(
      '%s changes what it names, and answers with the note',
      async (method) => {
        const id = await create();
        const { body: shown } = (await request(app).get(`/notes/${id}`)) as { body: Record<string, unknown> };
        const send = request(app)[method](`/notes/${id}`);
        const { body } = await send.send({ ...shown, title: 'Beer' }).expect(200);
        expect(body).toEqual({ ...shown, title: 'Beer' });
      },
    );

    test('a change of a stale note', async () => {
      const id = await create();
      const { headers } = await request(app).get(`/notes/${id}`);
      await request(app).patch(`/notes/${id}`).send({ title: 'theirs' }).expect(200);
      const mine = request(app)
        .patch(`/notes/${id}`)
        .set('If-Match', headers['etag'] ?? '*');
      await mine.send({ title: 'mine' }).expect(isAfter ? 412 : 200);
      expect((await raw(id))?.['title']).toBe(isAfter ? 'theirs' : 'mine');
    });

    test('the app changes the note in between, by updateOne and by save', async () => {
      const id = await create();
      for (const change of [
        () => Note.updateOne({ _id: id }, { title: 'updated' }),
        async () => (await Note.findById(id))?.set('title', 'saved').save(),
      ]) {
        const { headers } = await request(app).get(`/notes/${id}`);
        await change();
        const { status } = await request(app)
          .patch(`/notes/${id}`)
          .set('If-Match', headers['etag'] ?? '*')
          .send({ title: 'mine' });
        expect(status).toBe(isAfter ? 412 : 200);
      }
    });

    test.each([
      { does: 'takes the owner', change: { owner: 'eve' } },
      { does: 'unsets what is required', change: { title: null } },
      { does: 'carries an operator', change: { $unset: { title: 1 } } },
    ])('a change that $does', async ({ change }) => {
      const id = await create();
      const before = await raw(id);
      const { status } = await request(app).patch(`/notes/${id}`).send(change);
      expect(status).toBe(isAfter ? 422 : 200);
      if (isAfter) expect(await raw(id)).toEqual(before);
    });

    test('a password runs the hook, and is not shown', async () => {
      const id = await create();
      const answer = await request(app).patch(`/notes/${id}`).send({ password: 'secret' }).expect(200);
      expect((await raw(id))?.['password']).toBe(isAfter ? 'hash of secret' : 'secret');
      expect(answer.text).not.toContain('secret');
    });

    test('a note that is not there, and an id that is malformed', async () => {
      const id = String(new mongoose.mongo.ObjectId());
      await request(app)
        .patch(`/notes/${id}`)
        .send({ title: 'x' })
        .expect(isAfter ? 404 : 200);
      await request(app)
        .patch('/notes/x')
        .send({ title: 'x' })
        .expect(isAfter ? 404 : 500);
    });
  });
});
