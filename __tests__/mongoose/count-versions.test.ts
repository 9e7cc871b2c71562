import type { Document, Model } from 'mongoose';
import { countVersions, mongooseStore } from '../../lib/mongoose';
import type { SharedEngine } from '../support/engines';
import { describeMongodb, sharedMongodb } from '../support/mongodb';
import { releases } from './releases';

interface Note {
  name?: string;
  n?: number;
  tags?: string[];
  address?: { street?: string; city?: string };
  items?: { name?: string; n?: number }[];
}

type NoteDocument = Document & Note & { set(value: object): NoteDocument };

interface Row {
  readonly what: string;
  readonly write: (notes: Model<Note>, id: unknown) => unknown;
  readonly shows?: object;
  /** With `optimisticConcurrency`, Mongoose takes what the app writes to the version for the version that it has read. */
  readonly isRefused?: true;
}

async function load(notes: Model<Note>, id: unknown, projection?: string): Promise<NoteDocument> {
  return (await notes.findById(id, projection).orFail()) as unknown as NoteDocument;
}

const counted: readonly Row[] = [
  {
    what: 'save() of a scalar',
    write: async (notes, id) => (await load(notes, id)).set({ name: 'b' }).save(),
    shows: { name: 'b' },
  },
  {
    what: 'save() of a subdocument',
    write: async (notes, id) => (await load(notes, id)).set({ address: { street: 's' } }).save(),
    shows: { address: { street: 's' } },
  },
  {
    what: 'save() of an element, which Mongoose binds to the version and does not count',
    write: async (notes, id) => {
      const note = await load(notes, id);
      if (note.items?.[0]) note.items[0].n = 9;
      await note.save();
    },
  },
  {
    what: 'save() of a list that is pushed to, which Mongoose counts itself',
    write: async (notes, id) => {
      const note = await load(notes, id);
      note.tags?.push('b');
      await note.save();
    },
    shows: { tags: ['a', 'b'] },
  },
  {
    what: 'save() of a list as a whole',
    write: async (notes, id) => (await load(notes, id)).set({ tags: ['z'] }).save(),
    shows: { tags: ['z'] },
  },
  {
    what: 'save() after increment()',
    write: async (notes, id) => (await load(notes, id)).set({ name: 'b' }).increment().save(),
  },
  {
    isRefused: true,
    what: 'save() after $inc of the version, as apps count it themselves',
    write: async (notes, id) => {
      const note = (await load(notes, id)).set({ name: 'b' });
      const key = String(notes.schema.get('versionKey'));
      await (note as unknown as { $inc(path: string, by: number): NoteDocument }).$inc(key, 1).save();
    },
  },
  {
    isRefused: true,
    what: 'save() with a version that a client has sent',
    write: async (notes, id) =>
      (await load(notes, id)).set({ name: 'b', [String(notes.schema.get('versionKey'))]: 0 }).save(),
    shows: { name: 'b' },
  },
  {
    what: 'save() of a document that was loaded without its version',
    write: async (notes, id) => (await load(notes, id, 'name')).set({ name: 'b' }).save(),
  },
  {
    what: 'save() of a part of the paths',
    write: async (notes, id) =>
      (await load(notes, id)).set({ name: 'b', n: 5 }).save({ pathsToSave: ['name'] }),
    shows: { name: 'b', n: 1 },
  },
  {
    what: 'bulkSave()',
    write: async (notes, id) => notes.bulkSave([(await load(notes, id)).set({ name: 'b' }) as never]),
    shows: { name: 'b' },
  },
  { what: 'updateOne', write: (notes, _id) => notes.updateOne({ _id }, { name: 'b' }), shows: { name: 'b' } },
  { what: 'updateOne with nothing to set', write: (notes, _id) => notes.updateOne({ _id }, {}) },
  {
    what: 'updateOne of the document',
    write: async (notes, id) => (await load(notes, id)).updateOne({ $set: { name: 'b' } }),
    shows: { name: 'b' },
  },
  {
    what: 'updateOne whose parts come one by one',
    write: (notes, _id) => notes.updateOne({ _id }, {}).set('name', 'b'),
    shows: { name: 'b' },
  },
  {
    what: 'updateOne with operators',
    write: (notes, _id) =>
      notes.updateOne({ _id }, { $inc: { n: 2 }, $push: { tags: 'b' }, $unset: { name: 1 } }),
    shows: { n: 3, tags: ['a', 'b'] },
  },
  {
    what: 'updateOne that counts itself, as in the documentation of Mongoose',
    write: (notes, _id) =>
      notes.updateOne({ _id }, { name: 'b', $inc: { [String(notes.schema.get('versionKey'))]: 1 } }),
  },
  {
    what: 'updateMany',
    write: (notes, _id) => notes.updateMany({ _id }, { name: 'b' }),
    shows: { name: 'b' },
  },
  {
    what: 'findOneAndUpdate',
    write: (notes, _id) => notes.findOneAndUpdate({ _id }, { name: 'b' }),
    shows: { name: 'b' },
  },
  {
    what: 'findByIdAndUpdate with the whole document that a client has sent, its version included',
    write: (notes, id) =>
      notes.findByIdAndUpdate(id, { name: 'b', [String(notes.schema.get('versionKey'))]: 0 }),
    shows: { name: 'b' },
  },
  {
    what: 'findByIdAndUpdate with the version in operators',
    write: (notes, id) => {
      const version = { [String(notes.schema.get('versionKey'))]: 0 };
      return notes.findByIdAndUpdate(
        id,
        { $set: version, $setOnInsert: { n: 7, ...version } },
        { upsert: true },
      );
    },
    shows: { n: 1 },
  },
  {
    what: 'an upsert of what is there',
    write: (notes, _id) => notes.updateOne({ _id }, { name: 'b' }, { upsert: true }),
    shows: { name: 'b' },
  },
  {
    what: 'findOneAndUpdate within a transaction',
    write: (notes, _id) =>
      notes.db.transaction(async (session) => {
        await notes.findOneAndUpdate({ _id }, { name: 'b' }, { session });
      }),
    shows: { name: 'b' },
  },
  ...[true, false].map((ordered) => ({
    what: `bulkWrite (ordered: ${ordered})`,
    write: (notes: Model<Note>, _id: unknown) =>
      notes.bulkWrite(
        [
          { updateOne: { filter: { _id }, update: { name: 'b' } } },
          { insertOne: { document: { name: 'new' } } },
        ],
        { ordered },
      ),
    shows: { name: 'b' },
  })),
  ...(['as it is', '$set'] as const).map((where) => ({
    what: `bulkWrite with a document of Mongoose as the update, ${where}`,
    write: async (notes: Model<Note>, _id: unknown) => {
      const note = (await load(notes, _id)).set({ name: 'b' }) as unknown as Note;
      const update = where === '$set' ? { $set: note } : note;
      return notes.bulkWrite([{ updateOne: { filter: { _id } as never, update: update as never } }]);
    },
    shows: { name: 'b', n: 1 },
  })),
  {
    what: 'updateMany in bulkWrite, with the version that a client has sent',
    write: (notes, _id) => {
      const update = { $set: { n: 5, [String(notes.schema.get('versionKey'))]: 0 } };
      return notes.bulkWrite([{ updateMany: { filter: { _id } as never, update } }]);
    },
    shows: { n: 5 },
  },
];

/** These do not know which version they replace. */
const random: readonly Row[] = [
  {
    what: 'replaceOne',
    write: (notes, _id) => notes.replaceOne({ _id }, { name: 'b' }),
    shows: { name: 'b' },
  },
  {
    what: 'replaceOne with the version that a client has sent',
    write: (notes, _id) =>
      notes.replaceOne({ _id }, { name: 'b', [String(notes.schema.get('versionKey'))]: 0 }),
    shows: { name: 'b' },
  },
  {
    what: 'replaceOne with a document',
    write: async (notes, _id) =>
      notes.replaceOne({ _id }, (await load(notes, _id)).set({ name: 'b' }) as never),
    shows: { name: 'b', n: 1 },
  },
  {
    what: 'findOneAndReplace',
    write: (notes, _id) => notes.findOneAndReplace({ _id }, { name: 'b' }),
    shows: { name: 'b' },
  },
  {
    what: 'replaceOne in bulkWrite',
    write: (notes, _id) =>
      notes.bulkWrite([{ replaceOne: { filter: { _id } as never, replacement: { name: 'b' } } }]),
    shows: { name: 'b' },
  },
  {
    what: 'replaceOne in bulkWrite with a document of Mongoose',
    write: async (notes, _id) => {
      const replacement = (await load(notes, _id)).set({ name: 'b' }) as never;
      return notes.bulkWrite([{ replaceOne: { filter: { _id } as never, replacement } }]);
    },
    shows: { name: 'b', n: 1 },
  },
  {
    what: 'a pipeline',
    write: (notes, _id) =>
      notes.updateOne({ _id }, [{ $set: { name: 'b' } }, { $unset: ['n', '__v', 'rev'] }], {
        updatePipeline: true,
      }),
    shows: { name: 'b' },
  },
  {
    what: 'a pipeline in bulkWrite',
    write: (notes, _id) =>
      notes.bulkWrite([{ updateOne: { filter: { _id } as never, update: [{ $set: { name: 'b' } }] } }]),
    shows: { name: 'b' },
  },
];

describeMongodb.each(releases)('countVersions with Mongoose $release', ({ mongoose }) => {
  let engine: SharedEngine;
  const connection = mongoose.createConnection();

  beforeAll(async () => {
    engine = await sharedMongodb();
    await connection.openUri(engine.urls[0]);
  });

  afterAll(async () => {
    await connection.close();
    await engine.close();
  });

  let models = 0;

  async function createModel(
    options: object = {},
    plugin: 'schema' | 'twice' = 'schema',
  ): Promise<Model<Note>> {
    const schema = new mongoose.Schema(
      {
        name: String,
        n: Number,
        tags: [String],
        address: { type: new mongoose.Schema({ street: String, city: String }), default: undefined },
        items: [{ name: String, n: Number }],
      },
      options,
    );
    schema.plugin(countVersions);
    if (plugin === 'twice') schema.plugin(countVersions);
    const notes = connection.model(`Note${models++}`, schema) as unknown as Model<Note>;
    await notes.createCollection();
    await notes.init();
    return notes;
  }

  const seed = { name: 'a', n: 1, tags: ['a'], items: [{ name: 'x', n: 1 }] };

  describe.each([
    { of: '__v', options: {}, plugin: 'schema' as const },
    { of: 'rev', options: { versionKey: 'rev', timestamps: true }, plugin: 'schema' as const },
    { of: '__v', options: { optimisticConcurrency: true }, plugin: 'schema' as const },
    { of: '__v', options: { strict: 'throw' }, plugin: 'twice' as const },
  ])('$options, applied to the $plugin', ({ of, options, plugin }) => {
    let notes: Model<Note>;
    beforeAll(async () => {
      notes = await createModel(options, plugin);
    });

    async function versions(write: Row['write'], stored: number): Promise<{ after: number; note: unknown }> {
      const { _id } = await notes.create(seed);
      await notes.collection.updateOne({ _id }, { $set: { [of]: stored } });
      await write(notes, _id);
      const note = await notes.collection.findOne({ _id });
      return { after: Number(note?.[of]), note };
    }

    const refused = counted.filter(({ isRefused }) => isRefused && 'optimisticConcurrency' in options);
    test.each(counted.filter((row) => !refused.includes(row)))(
      '$what counts one',
      async ({ write, shows }) => {
        const { after, note } = await versions(write, 5);
        expect(after).toBe(6);
        expect(note).toMatchObject(shows ?? {});
      },
    );

    test.each(random)('$what has a random version', async ({ write, shows }) => {
      const { after, note } = await versions(write, 5);
      expect(after).toBeGreaterThan(1_000);
      expect(note).toMatchObject(shows ?? {});
      expect((await versions(write, 5)).after).not.toBe(after);
    });
  });

  describe("The app's own save() of a document that another write has changed since", () => {
    let notes: Model<Note>;
    beforeAll(async () => {
      notes = await createModel();
    });

    async function saveStale(change: (note: NoteDocument) => unknown) {
      const { _id } = await notes.create(seed);
      const note = await load(notes, _id);
      await notes.updateOne(
        { _id },
        { $set: { n: 2 }, $push: { items: { $each: [{ name: 'y' }], $position: 0 } } },
      );
      change(note);
      const result = await note.save().then(
        () => 'saved',
        (error: unknown) => (error as Error).name,
      );
      const { __v, ...stored } = (await notes.collection.findOne({ _id })) as unknown as Record<
        string,
        unknown
      >;
      return { result, version: __v, stored };
    }

    const changes = [
      { what: 'scalar', change: (note: NoteDocument) => note.set({ name: 'b' }) },
      { what: 'subdocument', change: (note: NoteDocument) => note.set({ address: { city: 'c' } }) },
      { what: 'push', change: (note: NoteDocument) => note.tags?.push('b') },
      {
        what: 'pull',
        change: (note: NoteDocument) => (note.tags as unknown as { pull(tag: string): void }).pull('a'),
      },
    ];

    test.each(changes)('goes on working: $what', async ({ change }) => {
      const { result, version, stored } = await saveStale(change);
      expect({ result, version }).toEqual({ result: 'saved', version: 2 });
      expect(stored['n']).toBe(2);
    });

    const byPosition = [
      {
        what: 'an element',
        change: (note: NoteDocument) => {
          if (note.items?.[0]) note.items[0].name = 'z';
        },
      },
      { what: 'the list as a whole', change: (note: NoteDocument) => note.set({ items: [{ name: 'z' }] }) },
    ];

    test.each(byPosition)(
      'is a VersionError where a list is changed by position: $what',
      async ({ change }) => {
        const { result, version, stored } = await saveStale(change);
        expect({ result, version }).toEqual({ result: 'VersionError', version: 1 });
        expect(stored['items']).toMatchObject([{ name: 'y' }, { name: 'x' }]);
      },
    );

    test('of a document that is loaded once, and saved again and again, elements included', async () => {
      const note = await notes.create(seed);
      for (let n = 1; n <= 5; n++) {
        note.n = n + 1;
        if (note.items?.[0]) note.items[0].n = n + 1;
        await note.save();
        expect(note.get('__v')).toBe(n);
      }
      expect(await notes.collection.findOne({ _id: note._id })).toMatchObject({ __v: 5, items: [{ n: 6 }] });
    });
  });

  test('a save() without changes writes nothing', async () => {
    const notes = await createModel();
    const { _id } = await notes.create(seed);
    await (await load(notes, _id)).save();
    await notes.bulkSave([(await load(notes, _id)) as never]);
    if (mongoose.version.startsWith('9')) {
      await (await load(notes, _id)).set({ n: 2 }).save({ pathsToSave: ['name'] });
    }
    expect(await notes.collection.findOne({ _id })).toMatchObject({ __v: 0 });
  });

  test('a save() that was refused can be repeated, and counts one', async () => {
    const schema = new mongoose.Schema({ name: { type: String, unique: true }, items: [{ n: Number }] });
    schema.plugin(countVersions);
    const things = connection.model(`Thing${models++}`, schema);
    await things.createCollection();
    await things.init();
    await things.create({ name: 'taken' });
    const thing = await things.create({ name: 'a', items: [{ n: 1 }] });
    thing.name = 'taken';
    if (thing.items[0]) thing.items[0].n = 2;
    await expect(thing.save()).rejects.toMatchObject({ code: 11000 });
    thing.name = 'b';
    await thing.save();
    expect(await things.findById(thing._id).lean()).toMatchObject({ __v: 1, name: 'b', items: [{ n: 2 }] });
  });

  test('what hooks of the schema have changed is counted, if the plugin comes after them', async () => {
    const schema = new mongoose.Schema({ name: String, saves: Number, items: [{ n: Number }] });
    schema.pre('save', function () {
      const document = this as unknown as { saves?: number; items: { n: number }[] };
      document.saves = (document.saves ?? 0) + 1;
      for (const item of document.items) item.n++;
    });
    schema.plugin(countVersions);
    const things = connection.model(`Thing${models++}`, schema);
    await things.createCollection();
    const { _id } = await things.create({ items: [{ n: 0 }] });
    await (await things.findById(_id).orFail()).save();
    expect(await things.findById(_id).lean()).toMatchObject({ __v: 1, saves: 2, items: [{ n: 2 }] });
  });

  test('hooks that come after the plugin can change what is saved otherwise', async () => {
    const schema = new mongoose.Schema({ name: String, items: [{ n: Number }], tags: [String] });
    schema.plugin(countVersions);
    schema.pre('save', function () {
      const document = this as unknown as { tags: string[]; items: { n: number }[] };
      document.tags.push('saved');
      for (const item of document.items) item.n++;
    });
    const things = connection.model(`Thing${models++}`, schema);
    await things.createCollection();
    const thing = await things.create({ items: [{ n: 0 }] });
    for (const name of ['a', 'b', 'c']) await thing.set({ name }).save();
    expect(await things.findById(thing._id).lean()).toMatchObject({ __v: 3, items: [{ n: 4 }] });
  });

  test('documents without a version get one with their first write', async () => {
    const notes = await createModel();
    const writes = [
      async (_id: unknown) => (await load(notes, _id)).set({ name: 'b' }).save(),
      async (_id: unknown) => notes.updateOne({ _id }, { name: 'b' }),
    ];
    for (const write of writes) {
      const { insertedId: _id } = await notes.collection.insertOne({ name: 'a' });
      await write(_id);
      expect(await notes.collection.findOne({ _id })).toMatchObject({ __v: 1, name: 'b' });
    }
  });

  test('what is created has a version: by upserts 1, otherwise 0', async () => {
    const notes = await createModel();
    const _id = () => new mongoose.Types.ObjectId();
    const [a, b, c, d, e] = [_id(), _id(), _id(), _id(), _id()];
    await notes.updateOne({ _id: a }, { name: 'a' }, { upsert: true });
    await notes.findOneAndUpdate({ _id: b }, { $setOnInsert: { name: 'b' } }, { upsert: true });
    await notes.bulkWrite([{ updateOne: { filter: { _id: c }, update: { name: 'c' }, upsert: true } }]);
    await notes.insertMany([{ _id: d }]);
    await new notes({ _id: e }).save();
    const versions = await notes.collection.find({}, { sort: { _id: 1 } }).toArray();
    expect(versions.map(({ __v }) => __v as unknown)).toEqual([1, 1, 1, 0, 0]);
  });

  test('what goes past the hooks of Mongoose is not counted', async () => {
    const notes = await createModel();
    const { _id } = await notes.create(seed);
    await notes.collection.updateOne({ _id }, { $set: { name: 'b' } });
    expect(await notes.collection.findOne({ _id })).toMatchObject({ __v: 0, name: 'b' });
  });

  test('mongoose.plugin(countVersions): counts each model with its discriminators, and puts nothing into subdocuments', async () => {
    const other = new mongoose.Mongoose();
    other.plugin(countVersions);
    const Part = new other.Schema({ n: Number });
    const Base = new other.Schema({ name: String, parts: [Part], part: Part }, { discriminatorKey: 'kind' });
    const Thing = other.model('Thing', Base);
    const Tool = Thing.discriminator('Tool', new other.Schema({ weight: Number, more: [Part] }));
    const Uncounted = other.model('Uncounted', new other.Schema({ n: Number }, { versionKey: false }));
    await other.connect(engine.urls[0]);
    for (const model of [Thing, Uncounted]) await model.createCollection();
    await Thing.init();
    await Tool.init();
    try {
      const tool = await Tool.create({
        name: 'a',
        parts: [{ n: 1 }],
        part: { n: 1 },
        weight: 1,
        more: [{ n: 1 }],
      });
      expect(() => mongooseStore(Tool)).not.toThrow();
      await tool.set({ weight: 2, 'part.n': 3 }).save();
      await Thing.updateOne({ _id: tool._id }, { name: 'b' });
      await Tool.findByIdAndUpdate(tool._id, { weight: 3, $push: { more: { n: 2 } } });
      const stored = await Thing.collection.findOne({ _id: tool._id });
      expect(stored).toMatchObject({ __v: 3, weight: 3, name: 'b' });
      expect(JSON.stringify(stored).match(/__v/g)).toHaveLength(1);

      const { _id } = await Uncounted.create({ n: 1 });
      await (await Uncounted.findById(_id).orFail()).set({ n: 2 }).save();
      await Uncounted.updateOne({ _id }, { n: 3 });
      await Uncounted.replaceOne({ _id }, { n: 4 });
      await Uncounted.bulkWrite([{ updateOne: { filter: { _id }, update: { $inc: { n: 1 } } } }]);
      expect(await Uncounted.collection.findOne({ _id })).toEqual({ _id, n: 5 });
    } finally {
      await other.disconnect();
    }
  });

  test('a clone of the schema is counted, and says so', async () => {
    const schema = new mongoose.Schema({ name: String });
    schema.plugin(countVersions);
    const clone = schema.clone();
    const things = connection.model(`Thing${models++}`, clone);
    expect(() => mongooseStore(things)).not.toThrow();
    await things.createCollection();
    const { _id } = await things.create({ name: 'a' });
    await things.updateOne({ _id }, { name: 'b' });
    expect(await things.findById(_id).lean()).toMatchObject({ __v: 1 });
  });

  test('of writes at once, each is counted: save(), updateOne, findOneAndUpdate and bulkWrite', async () => {
    const notes = await createModel();
    const { _id } = await notes.create({ n: 0 });
    const writes = [
      async () => (await load(notes, _id)).set({ name: String(Math.random()) }).save(),
      async () => notes.updateOne({ _id }, { $inc: { n: 1 } }),
      async () => notes.findOneAndUpdate({ _id }, { $inc: { n: 1 } }),
      async () => notes.bulkWrite([{ updateOne: { filter: { _id }, update: { $inc: { n: 1 } } } }]),
    ];
    await Promise.all(Array.from({ length: 40 }, (_, index) => writes[index % 4]?.()));
    expect(await notes.findById(_id).lean()).toMatchObject({ n: 30, __v: 40 });
  });
});
