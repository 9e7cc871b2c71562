/** Stores over models that look right and are not: each is caught by the contract, or where it is made. */
import { randomUUID } from 'node:crypto';
import type { ResourceStore, Stored, WriteContext } from '../../lib';
import { countVersions, mongooseStore, type MongooseStoreOptions } from '../../lib/mongoose';
import { storeConformance } from '../../lib/testing';
import type { Members } from '../../lib/testing/members';
import { describeMongodb } from '../support/mongodb';
import { mistakesOf } from '../support/mistakes-of';
import { connectModels } from './models';
import { releases } from './releases';

/** Mongoose leaves out what is undefined. */
const members = ({ title, age, email, at }: Members) => ({ title, age, email, at });

type Replace = (
  key: string,
  expected: string | null,
  next: Members,
  context?: WriteContext,
) => Promise<Stored<unknown> | undefined>;

describeMongodb.each(releases)('Mongoose $release', ({ mongoose }) => {
  const { model, connection } = connectModels(mongoose);
  const { Schema } = mongoose;
  const Note = model(
    'Note',
    new Schema({
      title: String,
      age: { type: Number, min: 0 },
      email: { type: String, unique: true, sparse: true },
      at: Date,
    }),
  );
  const Nothing = model('SaidNothing', new Schema({ title: String }));
  const right = mongooseStore(Note, { version: '__v' });
  const key = async () => String((await Note.create({ title: '"there"' }))._id);

  beforeAll(() => connection.init());
  afterAll(() => connection.close());

  /** The case of the contract that has this name, over a store. */
  const contractCase = (store: ResourceStore, name: string) => {
    const cases = storeConformance(() => ({ open: () => store }), {
      ...{ key, creates: false, outcomes: false, deletes: false },
      carrier: {
        wrap: (title: string): Members => ({ title }),
        unwrap: ({ title }: Members) => String(title),
      },
      members: {
        clearable: { age: 7 },
        fixed: { _id: '0123456789abcdef01234567' },
        unique: () => ({ email: `${randomUUID()}@example.com` }),
      },
    });
    const found = cases.find((each) => each.name === name);
    if (found === undefined) throw new Error(`The contract has no case "${name}".`);
    return found;
  };

  const withReplace = (replace: Replace): ResourceStore => ({
    get: right.get.bind(right),
    replace: replace as ResourceStore['replace'],
    creates: false,
  });
  const isAt = async (id: string, expected: string | null) => (await right.get(id))?.version === expected;

  test.each<{ title: string; replace: Replace; fails: string }>([
    {
      title: 'that checks the version and then writes by the id',
      replace: async (id, expected, next) => {
        if (!(await isAt(id, expected))) return undefined;
        await Note.updateOne({ _id: id }, { $set: members(next), $inc: { __v: 1 } });
        return right.get(id);
      },
      fails: 'of 50 concurrent replaces of one state exactly one writes',
    },
    {
      title: 'that counts nothing',
      replace: async (id, expected, next) => {
        if (!(await isAt(id, expected))) return undefined;
        await Note.updateOne({ _id: id, __v: Number(expected?.split('-')[1]) }, { $set: members(next) });
        return right.get(id);
      },
      fails: 'versions never repeat, even for equal values',
    },
    {
      title: 'that sets what is there, and clears nothing',
      replace: async (id, expected, next) => {
        const where = { _id: id, __v: Number(expected?.split('-')[1]) };
        const { matchedCount } = await Note.updateOne(where, { $set: members(next), $inc: { __v: 1 } });
        return matchedCount === 0 ? undefined : right.get(id);
      },
      fails: 'a member that is left out is cleared',
    },
  ])('one $title fails', async ({ replace, fails }) => {
    await expect(contractCase(withReplace(replace), fails).run()).rejects.toThrow();
    await contractCase(right, fails).run();
  });

  /** What the contract cannot see: the types of what a change leaves alone, and the app's own validators. */
  const findDamage = async (store: ResourceStore) => {
    const id = String((await Note.create({ title: 'a', at: new Date(0) }))._id);
    const change = async (next: Members) => {
      const stored = await store.get(id);
      return store.replace(id, stored?.version ?? '', { ...(stored?.value as Members), ...next });
    };
    await change({ title: 'b' });
    const raw = await Note.collection.findOne({ _id: new mongoose.mongo.ObjectId(id) });
    const refused = await change({ age: -1 }).catch((error: unknown) =>
      Reflect.get(Object(error) as object, 'status'),
    );
    return { isDate: raw?.['at'] instanceof Date, refused };
  };

  test.each<{ title: string; replace: Replace; damage: object }>([
    {
      title: 'the right one',
      replace: right.replace.bind(right) as Replace,
      damage: { isDate: true, refused: 422 },
    },
    {
      title: 'one that writes JSON past the schema',
      replace: async (id, expected, next) => {
        const [_id, __v] = [new mongoose.mongo.ObjectId(id), Number(expected?.split('-')[1])];
        await Note.collection.updateOne({ _id, __v }, { $set: members(next), $inc: { __v: 1 } });
        return right.get(id);
      },
      damage: { isDate: false },
    },
    {
      title: 'one without runValidators',
      replace: async (id, expected, next) => {
        const where = { _id: id, __v: Number(expected?.split('-')[1]) };
        await Note.updateOne(where, { $set: members(next), $inc: { __v: 1 } });
        return right.get(id);
      },
      damage: {
        isDate: true,
        refused: expect.objectContaining({ version: expect.any(String) as unknown }) as unknown,
      },
    },
  ])('$title: what becomes of a date, and of a validator', async ({ replace, damage }) => {
    expect(await findDamage(withReplace(replace))).toMatchObject(damage);
  });

  test.each([
    {
      title: 'a promise',
      show: () => Promise.reject(new Error('x')),
      words: 'SaidNothing is shown as a promise',
    },
    {
      title: 'an object with one',
      show: () => ({ a: Promise.resolve() }),
      words: 'a promise, or as an object with one',
    },
    { title: 'undefined', show: () => undefined, words: 'SaidNothing is shown as something that is not' },
    { title: 'a BigInt', show: () => ({ a: { big: 1n } }), words: 'an object with a BigInt at big' },
  ])('a document that is shown as $title is an error that names it', async ({ show, words }) => {
    const { _id } = await Nothing.create({});
    await expect(mongooseStore(Nothing, { version: '__v', show }).get(String(_id))).rejects.toThrow(words);
  });

  test.each<{ title: string; make: () => unknown; mistakes: object[] }>([
    {
      title: 'no model',
      make: () => mongooseStore(Note.schema as never),
      mistakes: [{ option: 'Model', code: 'option-type' }],
    },
    {
      title: 'a model that nobody counts',
      make: () => mongooseStore(Note),
      mistakes: [{ option: 'Model', code: 'model-uncounted' }],
    },
    {
      title: 'a model that counts save() alone',
      make: () =>
        mongooseStore(model('Optimistic', new Schema({ a: String }, { optimisticConcurrency: true }))),
      mistakes: [{ option: 'Model', code: 'model-uncounted' }],
    },
    {
      title: 'a plugin that comes after the model, which has no hooks of it',
      make: () => {
        const schema = new Schema({ a: String });
        const Late = model('Late', schema);
        schema.plugin(countVersions);
        return mongooseStore(Late);
      },
      mistakes: [{ option: 'Model', code: 'model-uncounted' }],
    },
    {
      title: 'a model without a version',
      make: () =>
        mongooseStore(model('Unversioned', new Schema({ a: String }, { versionKey: false })), {
          version: '__v',
        }),
      mistakes: [{ option: 'Model', code: 'model-uncounted' }],
    },
    {
      title: 'another version',
      make: () => mongooseStore(Note, { version: 'revision' }),
      mistakes: [{ option: 'version', code: 'path-unknown' }],
    },
    {
      title: 'keys that are not unique, and a part of one that is',
      make: () => {
        const schema = new Schema({ a: String, b: String, slug: String });
        schema.index({ a: 1, b: 1 }, { unique: true });
        const Pair = model('Pair', schema);
        mongooseStore(Pair, { version: '__v', key: ['a', 'b', 'slug'] });
        return mongooseStore(Pair, { version: '__v', key: 'a' });
      },
      mistakes: [{ option: 'key', code: 'key-not-unique' }],
    },
    {
      title: 'unknown paths, and creation by an id',
      make: () =>
        mongooseStore(Note, {
          ...({ version: '__v', key: ['tenant', '_id'], readOnly: ['rule'] } satisfies MongooseStoreOptions),
          ...{ writeOnly: ['/password'], creates: true },
        }),
      mistakes: [
        { option: 'key', value: "'tenant'", code: 'path-unknown' },
        { option: 'readOnly', value: "'rule'", code: 'path-unknown' },
        { option: 'writeOnly', value: "'/password'", code: 'path-unknown' },
        { option: 'creates', code: 'option-conflict' },
      ],
    },
    {
      title: 'a path in the elements of a list, and none in a subdocument of the same schema',
      make: () => {
        const part = new Schema({ a: String }, { virtuals: { b: { set: () => undefined } } });
        const Parts = model(
          'Parts',
          new Schema({ list: [part], one: part, other: part, place: { x: String } }),
        );
        const options = { version: '__v', writeOnly: ['one.a', 'one.b', 'other.a', 'place'] };
        mongooseStore(Parts, { ...options, readOnly: ['other', 'list.a', 'list', 'place.x'] });
        return mongooseStore(Parts, { version: '__v', writeOnly: ['list.a', 'list.b', 'other.c'] });
      },
      mistakes: [{ value: "'list.a'" }, { value: "'list.b'" }, { value: "'other.c'" }],
    },
    {
      title: 'an async show',
      make: () => mongooseStore(Note, { version: '__v', show: (async () => undefined) as never }),
      mistakes: [{ option: 'show', code: 'option-type' }],
    },
    {
      title: 'a misspelt option',
      make: () => mongooseStore(Note, { version: '__v', hidden: ['a'] } as never),
      mistakes: [{ option: 'hidden', code: 'option-unknown' }],
    },
  ])('$title is a mistake', ({ make, mistakes }) => {
    expect(mistakesOf(make)).toMatchObject(mistakes);
  });
});
