/** UUIDs, which Mongoose 8 has as bytes: as ids of documents and elements, and as a key. */
import { randomUUID } from 'node:crypto';
import { mongooseStore } from '../../lib/mongoose';
import { describeMongodb } from '../support/mongodb';
import { written } from '../support/written';
import type { Model } from 'mongoose';
import { invalidPointers } from './invalid-pointers';
import { connectModels } from './models';
import { releases } from './releases';

describeMongodb.each(releases)('Mongoose $release', ({ mongoose }) => {
  const { model, connection } = connectModels(mongoose);
  const { UUID } = mongoose.Schema.Types;
  const uuid = () => ({ type: UUID, default: () => randomUUID() });
  const items = [new mongoose.Schema({ _id: uuid(), name: String })];
  const schema = (options: object) => {
    const note = new mongoose.Schema({ _id: uuid(), slug: UUID, title: String, items }, options as never);
    note.index({ slug: 1 }, { unique: true });
    return note as never;
  };
  const shown: readonly { title: string; Note: Model<object> }[] = [
    { title: 'as toJSON() shows them', Note: model('Plain', schema({})) },
    { title: 'as getters spell them', Note: model('Spelled', schema({ toJSON: { getters: true } })) },
  ];

  beforeAll(() => connection.init());
  afterAll(() => connection.close());

  describe.each(shown)('$title', ({ Note }) => {
    test.each(['_id', 'slug'])('by %s', async (path) => {
      const [key, other] = [randomUUID(), randomUUID()];
      await Note.create({
        _id: other,
        slug: other,
        [path]: key,
        title: 'a',
        items: [{ name: 'x' }, { name: 'y' }],
      });
      const store = mongooseStore(Note, { key: path });
      const current = await store.get(key);
      if (current === undefined) throw new Error('Not found.');
      const [first, second] = current.value['items'] as { name: string }[];
      const next = { ...current.value, title: 'b', items: [second, { ...first, name: 'z' }] };
      const after = written(await store.replace(key, '', next, { current }));
      expect(after.value).toMatchObject({ title: 'b', items: [{ name: 'y' }, { name: 'z' }] });
      expect((await store.get(key))?.value).toEqual(after.value);
      for (const spelling of [key.toUpperCase(), key.replaceAll('-', ''), randomUUID()])
        expect(await store.get(spelling)).toBeUndefined();
    });

    test.each([
      { title: 'removed', change: ([, second]: object[]) => [second] },
      { title: 'moved', change: ([first, second]: object[]) => [second, first] },
    ])(
      'elements whose UUIDs are stored as text are not $title, which would find none',
      async ({ change }) => {
        const _id = new mongoose.mongo.UUID();
        const items = [randomUUID(), randomUUID()].map((each) => ({ _id: each, name: 'x' }));
        await Note.collection.insertOne({ _id, slug: _id, __v: 0, items } as never);
        const store = mongooseStore(Note);
        const current = await store.get(String(_id));
        if (current === undefined) throw new Error('Not found.');
        const next = { ...current.value, items: change(current.value['items'] as object[]) };
        const write = store.replace(String(_id), '', next, { current });
        expect(await invalidPointers(write)).toEqual(['/items']);
      },
    );

    test('a new document has the UUID of its key, and a duplicate is not found', async () => {
      const store = mongooseStore(Note, { key: 'slug', creates: true });
      const key = randomUUID();
      const { value } = written(await store.replace(key, null, { title: 'a' }));
      expect((await store.get(key))?.value).toEqual(value);
      expect(await store.replace(key, null, { title: 'b' })).toMatchObject({ current: { value } });
      await expect(store.replace(key.toUpperCase(), null, {})).rejects.toMatchObject({ status: 422 });
    });
  });
});
