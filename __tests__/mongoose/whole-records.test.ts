/** Pages that send whole documents back, with `updatedAt`, `__v` and what the schema does not have, and without If-Match. */
import express from 'express';
import type { Model } from 'mongoose';
import request from 'supertest';
import { jsonPatch, mergePatch, resource } from '../../lib';
import { mongooseStore } from '../../lib/mongoose';
import { times } from '../support/deep-scale';
import { describeMongodb } from '../support/mongodb';
import { connectModels } from './models';
import { releases } from './releases';

describeMongodb.each(releases)('Mongoose $release', ({ mongoose }) => {
  const { model, connection } = connectModels(mongoose);
  const schema = new mongoose.Schema(
    {
      owner: { type: String, immutable: true },
      title: { type: String, required: true },
      password: { type: String, select: false },
      address: { city: String, country: { type: String, immutable: true } },
      seat: new mongoose.Schema({ row: Number, place: { type: Number, immutable: true } }, { _id: false }),
      items: [{ text: String }],
    },
    {
      // With a fraction in any case: a date without one counts once its second is over.
      timestamps: { currentTime: () => new Date(Date.now() + (Date.now() % 1_000 === 0 ? 1 : 0)) },
      toJSON: { virtuals: true },
    },
  );
  schema.virtual('shout').get(function () {
    return String(this.title).toUpperCase();
  });
  const Note: Model<object> = model('Note', schema as never);

  beforeAll(() => connection.init());
  afterAll(() => connection.close());

  async function opened() {
    const { _id } = await Note.create({
      ...{ owner: 'me', title: 'Milk', password: 'secret', items: [{ text: 'one' }] },
      ...{ address: { city: 'Bonn', country: 'DE' }, seat: { row: 1, place: 2 } },
    });
    const store = mongooseStore(Note);
    const note = resource(store, [jsonPatch(), mergePatch({ json: true })], {
      ...{ key: 'id', stateMembers: ['/updatedAt'], unwritable: 'ignore', conflict: 'representation' },
    });
    const app = express();
    app.route('/notes/:id').get(note.get).put(note.put).patch(note.patch);
    const server = request(app);
    const path = `/notes/${String(_id)}`;
    const get = async () => (await server.get(path)).body as Record<string, unknown>;
    return { server, path, get, raw: () => Note.collection.findOne({ _id: _id as never }) };
  }

  test.each(['patch', 'put'] as const)('by %s: what the client cannot write is left out', async (method) => {
    const { server, path, get, raw } = await opened();
    const seen = await get();
    const sent = {
      ...seen,
      ...{ title: 'x', owner: 'you', password: 'guess', shout: 'no', id: '7', __v: 9, selected: true },
      address: { city: 'Kiel', country: 'FR', zip: 1 },
      seat: { row: 2, place: 9, near: 'door' },
    };
    await server[method](path).send(sent).expect(204);
    expect(await raw()).toMatchObject({
      ...{ owner: 'me', title: 'x', password: 'secret', __v: 0, seat: { row: 2, place: 2 } },
      address: { city: 'Kiel', country: 'DE' },
    });
    for (const name of ['shout', 'id', 'selected']) expect(await raw()).not.toHaveProperty(name);
    expect(await raw()).not.toHaveProperty('address.zip');
    expect(await raw()).not.toHaveProperty('seat.near');
  });

  test.each(['patch', 'put'] as const)('by %s: each time nothing is lost', async (method) => {
    const { server, path, get } = await opened();
    for (let i = 0; i < times(5, 30); i++) {
      const seen = await get();
      const items = (seen['items'] as object[]).map((item) => ({ ...item, text: `text ${i}` }));
      const answers = await Promise.all([
        server[method](path).send({ ...seen, title: `title ${i}` }),
        server[method](path).send({ ...seen, items }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
      const lost = answers.find(({ status }) => status === 409);
      expect(lost?.body).toMatchObject({ code: 'stale-state', pointer: '/updatedAt', current: await get() });
    }
  });

  test('in a merge patch and a JSON Patch they are refused', async () => {
    const { server, path, get } = await opened();
    const seen = await get();
    const merge = server
      .patch(path)
      .type('application/merge-patch+json')
      .send({ title: 'x', selected: true });
    await merge.expect(422);
    const patch = [{ op: 'add', path: '/selected', value: true }];
    await server.patch(path).type('application/json-patch+json').send(patch).expect(422);
    expect(await get()).toEqual(seen);
  });
});
