/** Hooks, validators and what the database refuses, over a socket: each is a status, and nothing is half written. */
import express, { type ErrorRequestHandler, type Express } from 'express';
import request from 'supertest';
import { jsonPatch, mergePatch, resource } from '../../lib';
import { mongooseStore } from '../../lib/mongoose';
import { describeMongodb } from '../support/mongodb';
import { connectModels } from './models';
import { releases } from './releases';

describeMongodb.each(releases)('Mongoose $release', ({ mongoose }) => {
  const { model, connection } = connectModels(mongoose);
  const { Schema } = mongoose;
  const { ObjectId } = mongoose.mongo;
  const calls: string[] = [];
  let fails: Error | 'undefined' | undefined;

  const Log = model('Log', new Schema({ slug: { type: String, unique: true }, title: String }));
  const schema = new Schema(
    {
      slug: { type: String, unique: true, immutable: true, default: () => String(new ObjectId()) },
      email: { type: String, unique: true, sparse: true },
      title: { type: String, required: [true, 'Give it a title.'], maxlength: 20 },
      hash: { type: String, select: false },
      from: Number,
      to: {
        type: Number,
        validate: {
          message: 'must not be before from',
          validator(this: { from?: number }, to: number) {
            return this.from === undefined || to >= this.from;
          },
        },
      },
      grade: { type: String, enum: ['a', 'b'] },
      items: [{ name: { type: String, minlength: 2 }, n: { type: Number, min: 1 } }],
      author: { type: Schema.Types.ObjectId, ref: 'Log' },
      texts: { type: Map, of: { type: String, minlength: 2 } },
    },
    {
      virtuals: {
        password: {
          set(this: { hash: string }, password: string) {
            this.hash = `hashed ${password}`;
          },
        },
      },
    },
  );
  schema.pre('validate', () => void calls.push('validate'));
  schema.pre('save', async function () {
    calls.push('save');
    await Promise.resolve();
    if (fails !== undefined) throw fails === 'undefined' ? undefined : fails;
  });
  schema.post('save', () => void calls.push('saved'));
  schema.pre('deleteOne', { document: true, query: false }, () => void calls.push('delete'));
  schema.pre('findOne', function () {
    void this.populate('author');
  });
  const Note = model('Note', schema);
  let app: Express;

  beforeAll(async () => {
    await connection.init();
    const notes = resource(
      mongooseStore(Note, { writeOnly: ['password'] }),
      [mergePatch({ json: true }), jsonPatch()],
      { key: 'id', respond: 'representation' },
    );
    app = express();
    app.route('/notes/:id').get(notes.get).patch(notes.patch).put(notes.put).delete(notes.delete);
    const errors: ErrorRequestHandler = (error: Error, _req, res, next) => {
      if (res.headersSent) return next(error);
      res.status(500).json({ name: error.name, cause: String(error.cause) });
    };
    app.use(errors);
  });
  beforeEach(() => {
    calls.length = 0;
    fails = undefined;
  });
  afterAll(() => connection.close());

  const insert = async (document: object = {}) => {
    const _id = new ObjectId();
    const unique = { slug: String(_id), email: `${String(_id)}@example.com` };
    await Note.collection.insertOne({ _id, __v: 0, title: 'Milk', items: [], ...unique, ...document });
    return String(_id);
  };
  const patch = (id: string, document: object) => request(app).patch(`/notes/${id}`).send(document);
  const stored = (id: string) => Note.collection.findOne({ _id: new ObjectId(id) });

  test('hooks run once and in order, and a virtual that is only written runs its setter', async () => {
    const id = await insert();
    const answer = await patch(id, { password: 'secret' }).expect(200);
    expect(calls).toEqual(['validate', 'save', 'saved']);
    expect(await stored(id)).toMatchObject({ hash: 'hashed secret', __v: 0 });
    expect(answer.body).toEqual((await request(app).get(`/notes/${id}`)).body);
    expect(answer.text).not.toContain('hash');
    await request(app).delete(`/notes/${id}`).expect(204);
    expect(calls.at(-1)).toBe('delete');
    expect(await stored(id)).toBeNull();
  });

  test.each([
    { document: { title: '' }, errors: [{ pointer: '/title', detail: 'Give it a title.' }] },
    { document: { title: null }, errors: [{ pointer: '/title', detail: 'Give it a title.' }] },
    { document: { from: 'x', grade: 'z' }, pointers: ['/from'] },
    { document: { from: 7, to: 5, grade: 'z' }, pointers: ['/to', '/grade'] },
    {
      document: {
        items: [
          { name: 'ab', n: 1 },
          { name: 'a', n: 0 },
        ],
      },
      pointers: ['/items/1/name', '/items/1/n'],
    },
    { document: { author: 'nobody' }, pointers: ['/author'] },
    { document: { texts: { a: 'ab', b: 'x' } }, pointers: ['/texts/b'] },
  ])('$document is 422 with all pointers', async ({ document, errors, pointers }) => {
    const id = await insert();
    const { body } = (await patch(id, document).expect(422)) as { body: { code: string; errors: object[] } };
    expect(body.code).toBe('invalid-result');
    if (errors !== undefined) expect(body.errors).toEqual(errors);
    const found = body.errors.map((error) => Reflect.get(error, 'pointer') as string);
    if (pointers !== undefined) expect(found.sort()).toEqual([...pointers].sort());
    expect((await stored(id))?.['title']).toBe('Milk');
  });

  test('what was invalid before at a path that nobody touches is no reason to refuse', async () => {
    const id = await insert({ grade: 'z', to: 1, from: 5, title: 'x'.repeat(30) });
    await patch(id, { items: [{ name: 'ab', n: 1 }] }).expect(200);
    await patch(id, { title: 'y'.repeat(30) }).expect(422);
    await patch(id, { grade: 'q' }).expect(422);
    expect(await stored(id)).toMatchObject({ grade: 'z', to: 1, from: 5, items: [{ name: 'ab' }] });
  });

  test('a change that makes another path invalid is refused at that path', async () => {
    const id = await insert({ from: 1, to: 5 });
    const { body } = await patch(id, { from: 7 }).expect(422);
    expect(body).toMatchObject({ errors: [{ pointer: '/to', detail: 'must not be before from' }] });
  });

  test('a duplicate is 409 with its pointer', async () => {
    const [first, second] = [await insert(), await insert()];
    const { body } = await patch(second, { email: `${first}@example.com` }).expect(409);
    expect(body).toMatchObject({ code: 'unique-violation', pointer: '/email' });
    expect((await stored(second))?.['email']).toBe(`${second}@example.com`);
  });

  test('a malformed id, another spelling of one and one that is not there are 404', async () => {
    const id = await insert();
    for (const other of ['x', 'twelve bytes', id.toUpperCase(), String(new ObjectId()), '{"$ne":null}'])
      await patch(encodeURIComponent(other), { title: 'x' }).expect(404);
  });

  test('a populated path shows its id, and takes another', async () => {
    const [one, two] = await Log.create([{ slug: `a${Math.random()}` }, { slug: `b${Math.random()}` }]);
    const id = await insert({ author: one?._id });
    const { body } = await patch(id, { author: String(two?._id), title: 'x' }).expect(200);
    expect(body).toMatchObject({ author: String(two?._id) });
    expect((await stored(id))?.['author']).toEqual(two?._id);
  });

  test.each([
    { title: 'an error', make: () => new Error('no'), name: 'Error' },
    {
      title: 'a VersionError of another document',
      make: () => Object.assign(new Error('v'), { name: 'VersionError' }),
      name: 'VersionError',
    },
    {
      title: 'a ValidationError of another document',
      make: () => new mongoose.Error.ValidationError(),
      name: 'ValidationError',
    },
    {
      title: 'a duplicate of another document',
      make: () =>
        new mongoose.mongo.MongoServerError({
          code: 11000,
          keyPattern: { title: 1 },
          keyValue: { title: 'q' },
        }),
      name: 'MongoServerError',
    },
    {
      title: 'a write concern error',
      make: () => Object.assign(new Error('w'), { name: 'MongoWriteConcernError', code: 64 }),
      name: 'MongoWriteConcernError',
    },
  ])('what a hook throws goes to Express as it is: $title', async ({ make, name }) => {
    const id = await insert();
    fails = make();
    const { body } = await patch(id, { title: 'changed' }).expect(500);
    expect(body).toMatchObject({ name });
    expect((await stored(id))?.['title']).toBe('Milk');
  });

  test('a hook that throws undefined is an error, and not an answer, if nothing was written', async () => {
    const id = await insert();
    fails = 'undefined';
    const { status, body } = await patch(id, { title: 'changed' });
    const isWritten = (await stored(id))?.['title'] === 'changed';
    // Mongoose 8 takes it for none.
    if (isWritten) expect(status).toBe(200);
    else expect([status, body]).toMatchObject([500, { name: 'Error' }]);
  });

  describe('what cannot be written cannot be removed either, and nothing else of the request is applied', () => {
    const fixed = { _id: '/_id', __v: '/__v', slug: '/slug', legacy: '/legacy' };
    const remove = (path: string) => [
      { op: 'replace', path: '/title', value: 'changed' },
      { op: 'remove', path },
    ];
    test.each([
      ...Object.values(fixed).map((path) => ({ patch: remove(path), pointer: path })),
      { patch: [{ op: 'move', from: '/slug', path: '/title' }], pointer: '/slug' },
      { patch: [{ op: 'replace', path: '', value: { title: 'changed' } }], pointer: '/_id' },
      { patch: { title: 'changed', slug: null }, pointer: '/slug' },
    ])('$patch', async ({ patch: document, pointer }) => {
      const id = await insert({ legacy: 1 });
      const before = await stored(id);
      const type = Array.isArray(document) ? 'json-patch+json' : 'merge-patch+json';
      const { body } = await request(app)
        .patch(`/notes/${id}`)
        .type(`application/${type}`)
        .send(JSON.stringify(document))
        .expect(422);
      expect((body as { errors: object[] }).errors).toContainEqual(expect.objectContaining({ pointer }));
      expect(await stored(id)).toEqual(before);
    });
  });

  test('documents without a version, or with null, are taken as they are', async () => {
    for (const without of [{ __v: undefined }, { __v: null }]) {
      const id = await insert(without);
      const { headers } = await request(app).get(`/notes/${id}`);
      await request(app)
        .patch(`/notes/${id}`)
        .set('If-Match', headers['etag'] ?? '')
        .send({ title: 'a' })
        .expect(200);
      await request(app)
        .patch(`/notes/${id}`)
        .set('If-Match', headers['etag'] ?? '')
        .send({ title: 'b' })
        .expect(412);
      expect(await stored(id)).toMatchObject({ title: 'a' });
    }
  });

  test('PUT leaves out what only the store writes, and unsets or defaults the rest', async () => {
    const id = await insert({ legacy: 1, hash: 'h', from: 1, to: 2 });
    const put = (note: object) => request(app).put(`/notes/${id}`).send(note);
    expect((await put({ title: 'All' }).expect(422)).body).toMatchObject({
      errors: [{ pointer: '/legacy' }],
    });
    const { body } = await put({ title: 'All', legacy: 1 }).expect(200);
    expect(body).toEqual({ _id: id, __v: 0, title: 'All', slug: id, items: [], legacy: 1 });
    expect(await stored(id)).toMatchObject({ hash: 'h', legacy: 1 });
  });

  test('ten requests at once lose no update', async () => {
    const id = await insert({ from: 0 });
    const add = async (): Promise<void> => {
      const { headers, body } = (await request(app).get(`/notes/${id}`)) as {
        headers: Record<string, string>;
        body: { from: number };
      };
      const { status } = await request(app)
        .patch(`/notes/${id}`)
        .set('If-Match', headers['etag'] ?? '')
        .send({ from: body.from + 1 });
      if (status === 412) return add();
      expect(status).toBe(200);
    };
    await Promise.all(Array.from({ length: 10 }, add));
    expect(await stored(id)).toMatchObject({ from: 10 });
  });

  describe("a pre('save') that updates its own document, which makes the save lose its race", () => {
    const other = new ObjectId();
    const rows = [
      {
        title: 'by updateOne, each time',
        update: (Model: Counted, _id: unknown) => Model.updateOne({ _id }, inc),
        isNamed: true,
      },
      {
        title: 'by findByIdAndUpdate, each time',
        update: (Model: Counted, _id: unknown) => Model.findByIdAndUpdate(String(_id), inc),
        isNamed: true,
      },
      {
        title: 'once',
        update: (Model: Counted, _id: unknown) => Model.updateOne({ _id, saves: { $exists: false } }, inc),
        isNamed: false,
      },
      {
        title: 'without a match, while others write',
        update: async (Model: Counted, _id: unknown) => {
          await Model.updateOne({ _id, title: 'nothing' }, inc);
          if (turns++ < 3) await writeElsewhere(Model, _id);
        },
        isNamed: false,
      },
      {
        title: 'by an update of another one, while others write',
        update: async (Model: Counted, _id: unknown) => {
          await Model.updateOne({ _id: other }, inc);
          if (turns++ < 3) await writeElsewhere(Model, _id);
        },
        isNamed: false,
      },
    ];
    type Counted = typeof Note;
    /** As another process does, which the connection of Mongoose does not see. */
    const writeElsewhere = ({ collection, db }: Counted, _id: unknown) =>
      db.db?.collection(collection.name).updateOne({ _id } as never, { $inc: { others: 1 } });
    const inc = { $inc: { saves: 1 } };
    let turns = 0;
    const cases = rows.map((row, i) => {
      const counted = new Schema({ title: String, saves: Number });
      counted.pre('save', async function () {
        await row.update(this.constructor as never, this._id);
      });
      return { ...row, Model: model(`Overtaken${i}`, counted) };
    });

    test.each(cases)('$title', async ({ Model, isNamed }) => {
      turns = 0;
      await Model.collection.insertOne({ _id: other, title: 'other' } as never);
      const _id = new ObjectId();
      await Model.collection.insertOne({ _id, __v: 0, title: 'a' } as never);
      const documents = resource(mongooseStore(Model), [mergePatch({ json: true })], { key: 'id' });
      const errors: unknown[] = [];
      const report: ErrorRequestHandler = (error: Error, _req, res, next) => {
        if (res.headersSent) return next(error);
        errors.push(String(error));
        res.status(500).end();
      };
      const counting = express().patch('/:id', documents.patch).use(report);
      const { status } = await request(counting)
        .patch(`/${String(_id)}`)
        .send({ title: 'b' });
      const { title, saves } = (await Model.findById(_id).orFail()) as { title?: unknown; saves?: unknown };
      if (isNamed) {
        expect({ status, errors, title, saves }).toEqual({
          ...{ status: 500, title: 'a', saves: 2 },
          errors: [expect.stringMatching(/^Error: A hook of Overtaken\d updates the document/)],
        });
      } else expect({ status, errors, title }).toEqual({ status: 204, errors: [], title: 'b' });
    });
  });
});
