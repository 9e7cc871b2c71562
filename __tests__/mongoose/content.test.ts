/** The state of a document is what the database has of it: whoever else writes, and in whatever types it was stored. */
import express from 'express';
import request from 'supertest';
import { mergePatch, resource } from '../../lib';
import { mongooseStore } from '../../lib/mongoose';
import { times } from '../support/deep-scale';
import { describeMongodb } from '../support/mongodb';
import { stateOf, written } from '../support/written';
import { connectModels } from './models';
import { releases } from './releases';

describeMongodb.each(releases)('Mongoose $release', ({ mongoose }) => {
  const { model, connection } = connectModels(mongoose);
  const { Schema } = mongoose;
  const { Mixed } = Schema.Types;
  const { ObjectId, Long, Double, Decimal128, BSONRegExp, BSON } = mongoose.mongo;
  let made = 0;
  const make = (): string => `made ${made++}`;
  const schema = () =>
    new Schema(
      {
        title: { type: String, trim: true },
        n: Number,
        at: Date,
        role: { type: String, default: 'reader' },
        token: { type: String, default: make },
        tags: [String],
        items: [{ name: String, code: { type: String, default: make } }],
        place: { zip: String, key: { type: String, default: make } },
        one: new Schema({ a: String }),
        any: Mixed,
        hash: { type: String, select: false },
        counts: { type: Map, of: Number },
      },
      { timestamps: true },
    );
  const Note = model('Note', schema());
  const Optimistic = model('Optimistic', schema().set('optimisticConcurrency', true));
  const Soft = model(
    'Soft',
    schema()
      .add({ isDeleted: Boolean })
      .pre('save', function () {
        this.$where = { isDeleted: false };
      }),
  );
  let meanwhile: (() => Promise<unknown>) | undefined;
  const Overtaken = model(
    'Overtaken',
    schema()
      .pre('findOne', async function () {
        const write = meanwhile;
        meanwhile = undefined;
        await write?.();
      })
      .post('save', async function () {
        if (this.title === 'counted') await this.collection.updateOne({ _id: this._id }, { $inc: { n: 1 } });
      }),
  );
  const Again = model(
    'Again',
    schema().post('save', async function () {
      if (this.n !== 2) await this.set('n', this.n === undefined || this.n === null ? 1 : 2).save();
    }),
  );
  const insert = async (document: object, { collection }: Pick<typeof Note, 'collection'> = Note) => {
    const _id = new ObjectId();
    await collection.insertOne({ _id, ...document } as never);
    return _id;
  };
  const serve = (Model: typeof Note) => {
    const notes = resource(mongooseStore(Model), [mergePatch({ json: true })], {
      ...{ key: 'id', respond: 'representation' },
    });
    return express().get('/:id', notes.get).patch('/:id', notes.patch).delete('/:id', notes.delete);
  };

  beforeAll(() => connection.init());
  afterAll(() => connection.close());

  type Writer = (Model: typeof Note, _id: unknown, name: string) => unknown;
  const writers: readonly { readonly by: string; readonly write: Writer }[] = [
    {
      by: 'save()',
      write: async (Model, _id, name) => (await Model.findById(_id).orFail()).set(`counts.${name}`, 1).save(),
    },
    { by: 'updateOne()', write: (Model, _id, name) => Model.updateOne({ _id }, { [`counts.${name}`]: 1 }) },
    {
      by: 'findOneAndUpdate()',
      write: (Model, _id, name) => Model.findOneAndUpdate({ _id }, { [`counts.${name}`]: 1 }),
    },
    {
      by: 'bulkWrite()',
      write: (Model, _id, name) =>
        Model.bulkWrite([
          { updateOne: { filter: { _id: _id as never }, update: { $set: { [`counts.${name}`]: 1 } } } },
        ]),
    },
    {
      by: 'collection.updateOne()',
      write: ({ collection }, _id, name) =>
        collection.updateOne({ _id: _id as never }, { $set: { [`counts.${name}`]: 1 } }),
    },
  ];

  test.each([
    { title: 'as it is', Model: Note },
    { title: 'with optimisticConcurrency', Model: Optimistic },
  ])('nothing is lost beside the writes of the app, $title', async ({ Model }) => {
    const app = serve(Model as typeof Note);
    const _id = await insert({ counts: {}, n: 0, tags: [] }, Model);
    const expected: Record<string, number> = {};
    const rounds = times(4, 20);
    const tags = Array.from({ length: rounds }, (_, round) => `tag ${round}`);
    const retry = async (act: () => unknown) => {
      for (let tries = 0; tries < 50; tries++) {
        try {
          return await act();
        } catch (error) {
          if (Reflect.get(Object(error) as object, 'name') !== 'VersionError') throw error;
        }
      }
      throw new Error('Refused 50 times.');
    };
    const add = async (tag: string): Promise<void> => {
      const { body, headers } = (await request(app).get(`/${String(_id)}`)) as {
        body: { tags: string[]; counts: object };
        headers: Record<string, string>;
      };
      const { status } = await request(app)
        .patch(`/${String(_id)}`)
        .set('If-Match', headers['etag'] ?? '')
        .send({ tags: [...body.tags, tag], n: Object.keys(body.counts).length });
      if (status === 412 || status === 409) return add(tag);
      expect(status).toBe(200);
    };
    for (let round = 0; round < rounds; round++) {
      await Promise.all([
        add(`tag ${round}`),
        ...writers.map(({ write }, i) => {
          expected[`w${round}_${i}`] = 1;
          return retry(() => write(Model as typeof Note, _id, `w${round}_${i}`));
        }),
      ]);
    }
    const stored = await Model.collection.findOne({ _id });
    expect(stored?.['counts']).toEqual(expected);
    expect(new Set(stored?.['tags'] as string[])).toEqual(new Set(tags));
    expect(stored?.['tags']).toHaveLength(rounds);
  });

  test.each(writers)('a write by $by comes first: the state is another one', async ({ write }) => {
    const store = mongooseStore(Note);
    const _id = await insert({ title: 'a', counts: {} });
    const current = await stateOf(store, String(_id));
    await write(Note, _id, 'x');
    const next = { ...current.value, title: 'b' };
    expect(await store.replace(String(_id), '', next, { current })).toMatchObject({
      current: { value: { title: 'a', counts: { x: 1 } } },
    });
    expect(await store.delete(String(_id), '', { current: await stateOf(store, String(_id)) })).toBe(true);
    expect(await store.replace(String(_id), '', next, { current })).toEqual({ current: undefined });
  });

  test.each([
    { from: ['t'], to: ['t', 'u'] },
    { from: ['a'], to: [['a'], 'b'] },
    { from: null, to: [null] },
    { from: { a: 1, b: 2 }, to: { a: 1 } },
    { from: null, to: undefined },
    { from: undefined, to: null },
    { from: 'A', to: 'a' },
  ])('a member that becomes $to instead of $from is another state', async ({ from, to }) => {
    const store = mongooseStore(Note);
    const _id = await insert({ title: 'a', ...(from !== undefined && { any: from }) });
    const current = await stateOf(store, String(_id));
    const update = to === undefined ? { $unset: { any: 1 } } : { $set: { any: to } };
    await Note.collection.updateOne({ _id }, update as never);
    const next = { ...current.value, title: 'b' };
    expect(await store.replace(String(_id), '', next, { current })).toHaveProperty('current');
    expect(await store.delete(String(_id), '', { current })).toHaveProperty('current');
    expect(await Note.collection.findOne({ _id })).toMatchObject({ title: 'a' });
  });

  test.each<{ title: string; document: object; becomes?: object }>([
    { title: 'without members that have defaults', document: {} },
    { title: 'with a text in a Number path', document: { n: '42' } },
    { title: 'with a text that is no number', document: { n: 'many' } },
    { title: 'with a text in a Date path', document: { at: '2020-01-01' } },
    { title: 'with a Long beyond 2^53', document: { n: Long.fromString('9007199254740993') } },
    { title: 'with NaN', document: { n: NaN, any: [[NaN, { a: [NaN] }]] } },
    { title: 'with Infinity and -0', document: { n: new Double(-0), any: [Infinity] } },
    { title: 'with null in a list of documents', document: { items: [null] } },
    { title: 'with one value in place of a list', document: { tags: 'a' }, becomes: { tags: ['a'] } },
    { title: 'with elements that have no _id', document: { items: [{ name: 'x' }] } },
    { title: 'with names that are operators', document: { 'a.b': 1, $x: '$title', '': 3, any: { $eq: 1 } } },
    {
      title: 'with types that JSON lacks',
      document: { any: [new BSONRegExp('a', 'ix'), Decimal128.fromString('1.50'), new ObjectId()] },
    },
  ])('a document $title is changed at another path', async ({ document, becomes }) => {
    // Mongoose makes a list of a single value with each save.
    const before = BSON.EJSON.serialize(becomes ?? document, { relaxed: false }) as object;
    const _id = await insert({ ...document, title: 'a' });
    await request(serve(Note))
      .patch(`/${String(_id)}`)
      .send({ title: ' b ' })
      .expect(({ status }) => expect([200, 204]).toContain(status));
    const raw = await Note.collection.findOne({ _id }, { promoteValues: false, bsonRegExp: true });
    const after = BSON.EJSON.serialize(raw as object, { relaxed: false }) as Record<string, unknown>;
    expect(after).toMatchObject({ title: 'b' });
    for (const [name, value] of Object.entries(before)) expect(after[name]).toEqual(value);
    await request(serve(Note))
      .delete(`/${String(_id)}`)
      .expect(204);
  });

  test('what defaults make while a document is read is neither in its state nor in its tag', async () => {
    const app = serve(Note);
    const _id = await insert({ title: 'a', items: [{ name: 'x' }], place: { zip: '1' }, one: { a: 'x' } });
    const [first, second] = [
      await request(app).get(`/${String(_id)}`),
      await request(app).get(`/${String(_id)}`),
    ];
    expect(second.body).not.toEqual(first.body);
    expect(second.headers['etag']).toBe(first.headers['etag']);
    const send = (members: object) =>
      request(app)
        .patch(`/${String(_id)}`)
        .set('If-Match', String(first.headers['etag']))
        .send(members);
    await send({ title: 'b' }).expect(({ status }) => expect([200, 204]).toContain(status));
    await send({ title: 'c' }).expect(412);
    expect(await Note.collection.findOne({ _id })).toMatchObject({ title: 'b', role: 'reader' });
  });

  test('a state that was used is read again, and serves another write if it is still the state', async () => {
    const store = mongooseStore(Note);
    const _id = String((await Note.create({ title: 'a' }))._id);
    const current = await stateOf(store, _id);
    const next = { ...current.value, title: 'b' };
    const refused = { ...next, unknown: 1 };
    await expect(store.replace(_id, '', refused, { current })).rejects.toMatchObject({ status: 422 });
    expect(written(await store.replace(_id, '', next, { current })).value).toMatchObject({ title: 'b' });
    const found = await store.replace(_id, '', next, { current });
    expect(found).toMatchObject({ current: { value: { title: 'b' } } });
    const other = String((await Note.create({ title: 'other' }))._id);
    for (const [expected, state] of [
      ['', { current: await stateOf(store, other) }],
      ['1', { current: await stateOf(store, _id) }],
      ['', {}],
    ] as const) {
      expect(await store.replace(_id, expected, next, state)).toBeUndefined();
      expect(await store.delete(_id, expected, state)).toBe(false);
    }
  });

  test('the condition that a hook adds to a save holds, too', async () => {
    const app = serve(Soft as unknown as typeof Note);
    const [there, deleted] = [
      await insert({ title: 'a', isDeleted: false }, Soft),
      await insert({ title: 'a', isDeleted: true }, Soft),
    ];
    await request(app)
      .patch(`/${String(there)}`)
      .send({ title: 'b' })
      .expect(({ status }) => expect([200, 204]).toContain(status));
    const store = mongooseStore(Soft);
    const current = await stateOf(store, String(deleted));
    const change = store.replace(String(deleted), '', { ...current.value, title: 'b' }, { current });
    expect(await change).toMatchObject({ current: { value: { title: 'a' } } });
    const stale = await stateOf(store, String(there));
    await Soft.collection.updateOne({ _id: there }, { $set: { n: 7 } });
    expect(
      await store.replace(String(there), '', { ...stale.value, title: 'c' }, { current: stale }),
    ).toMatchObject({ current: { value: { title: 'b', n: 7 } } });
  });

  test('a write that comes between the two readings of a document is a lost race, and no refusal', async () => {
    const app = serve(Overtaken as unknown as typeof Note);
    const _id = await insert({ tags: ['a'], any: { a: 1 } }, Overtaken);
    meanwhile = () =>
      Overtaken.collection.updateOne({ _id }, { $push: { tags: 'b' }, $set: { any: { a: 2 } } } as never);
    await request(app)
      .patch(`/${String(_id)}`)
      .send({ tags: ['c'], any: { b: 1 } })
      .expect(200);
    expect(await Overtaken.collection.findOne({ _id })).toMatchObject({ tags: ['c'], any: { a: 2, b: 1 } });
  });

  test('if another write comes before the document is read again, the answer has neither body nor tag', async () => {
    const app = serve(Overtaken as unknown as typeof Note);
    const { _id } = await Overtaken.create({ n: 1 });
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    const { headers } = await request(app)
      .patch(`/${String(_id)}`)
      .send({ title: 'counted' })
      .expect(204);
    expect(headers).not.toHaveProperty('etag');
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
    expect(await Overtaken.findById(_id).lean()).toMatchObject({ title: 'counted', n: 2 });
  });

  test("a post('save') that changes the document and saves it again is no lost race", async () => {
    const store = mongooseStore(Again);
    const _id = String((await Again.create({ title: 'a' }))._id);
    const current = await stateOf(store, _id);
    written(await store.replace(_id, '', { ...current.value, title: 'b' }, { current }));
    expect(await Again.findById(_id).lean()).toMatchObject({ title: 'b', n: 2 });
  });

  test('Last-Modified is the time that Mongoose keeps, once its second is over', async () => {
    const _id = await insert({ title: 'a', updatedAt: new Date('2020-01-01T00:00:00.500Z') });
    const app = serve(Note);
    const { headers } = await request(app).get(`/${String(_id)}`);
    expect(headers['last-modified']).toBe('Wed, 01 Jan 2020 00:00:00 GMT');
    const since = (date: string) =>
      request(app)
        .patch(`/${String(_id)}`)
        .set('If-Unmodified-Since', date);
    await since('Tue, 31 Dec 2019 00:00:00 GMT').send({ title: 'b' }).expect(412);
    await since('Wed, 01 Jan 2020 00:00:00 GMT')
      .send({ title: 'b' })
      .expect(({ status }) => expect([200, 204]).toContain(status));
    await since('Wed, 01 Jan 2020 00:00:00 GMT').send({ title: 'c' }).expect(412);
  });
});
