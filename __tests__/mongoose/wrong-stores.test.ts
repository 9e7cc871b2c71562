/** Stores over models that look right and are not: each is caught by the contract, or where it is made. */
import { randomUUID } from 'node:crypto';
import type { ResourceStore, Stored, WriteContext } from '../../lib';
import { mongooseStore, type MongooseStoreOptions } from '../../lib/mongoose';
import { storeConformance } from '../../lib/testing';
import type { Members } from '../../lib/testing/members';
import { describeMongodb } from '../support/mongodb';
import { replaceAt, stateOf } from '../support/written';
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
  const right = mongooseStore(Note);
  const key = async () => String((await Note.create({ title: '"there"' }))._id);

  beforeAll(() => connection.init());
  afterAll(() => connection.close());

  /** The case of the contract that has this name, over a store. */
  const contractCase = (store: ResourceStore, name: string) => {
    const cases = storeConformance(() => ({ open: () => store }), {
      ...{ key, creates: false, outcomes: false, deletes: false, versions: false },
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
    ...{ creates: false, versions: false },
  });
  const isAt = async (id: string, current: Stored<unknown> | undefined) =>
    JSON.stringify((await right.get(id))?.value) === JSON.stringify(current?.value);

  test.each<{ title: string; replace: Replace; fails: string }>([
    {
      title: 'that compares the states and then writes by the id',
      replace: async (id, _, next, { current } = {}) => {
        if (!(await isAt(id, current))) return undefined;
        await Note.updateOne({ _id: id }, { $set: members(next) });
        return right.get(id);
      },
      fails: 'of 50 concurrent replaces of one state exactly one writes',
    },
    {
      title: 'that writes by what Mongoose has read of one member',
      replace: async (id, _, next, { current } = {}) => {
        const title = String(Reflect.get(Object(current?.value) as object, 'title'));
        const { matchedCount } = await Note.updateOne({ _id: id, title }, { $set: members(next) });
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
      const current = await stateOf(store, id);
      return replaceAt(store, id, current, { ...(current.value as Members), ...next });
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
      replace: async (id, _, next) => {
        const _id = new mongoose.mongo.ObjectId(id);
        await Note.collection.updateOne({ _id }, { $set: members(next) });
        return right.get(id);
      },
      damage: { isDate: false },
    },
    {
      title: 'one without runValidators',
      replace: async (id, _, next) => {
        await Note.updateOne({ _id: id }, { $set: members(next) });
        return right.get(id);
      },
      damage: {
        isDate: true,
        refused: expect.objectContaining({ value: expect.anything() as unknown }) as unknown,
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
    {
      title: 'a BigInt',
      show: () => ({ a: { big: 1n } }),
      words: 'an object with a BigInt at /a/big, which',
    },
  ])('a document that is shown as $title is an error that names it', async ({ show, words }) => {
    const { _id } = await Nothing.create({});
    await expect(mongooseStore(Nothing, { show }).get(String(_id))).rejects.toThrow(words);
  });

  test.each<{ title: string; make: () => unknown; mistakes: object[] }>([
    {
      title: 'no model',
      make: () => mongooseStore(Note.schema as never),
      mistakes: [{ option: 'Model', code: 'option-type' }],
    },
    {
      title: 'keys that are not unique, and a part of one that is',
      make: () => {
        const schema = new Schema({ a: String, b: String, slug: String });
        schema.index({ a: 1, b: 1 }, { unique: true });
        const Pair = model('Pair', schema);
        mongooseStore(Pair, { key: ['a', 'b', 'slug'] });
        return mongooseStore(Pair, { key: 'a' });
      },
      mistakes: [{ option: 'key', code: 'key-not-unique' }],
    },
    {
      title: 'unknown paths, and creation by an id',
      make: () =>
        mongooseStore(Note, {
          ...({ key: ['tenant', '_id'], readOnly: ['rule'] } satisfies MongooseStoreOptions),
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
        const options = { writeOnly: ['one.a', 'one.b', 'other.a', 'place'] };
        mongooseStore(Parts, { ...options, readOnly: ['other', 'list.a', 'list', 'place.x'] });
        return mongooseStore(Parts, { writeOnly: ['list.a', 'list.b', 'other.c'] });
      },
      mistakes: [{ value: "'list.a'" }, { value: "'list.b'" }, { value: "'other.c'" }],
    },
    {
      title: 'an async show',
      make: () => mongooseStore(Note, { show: (async () => undefined) as never }),
      mistakes: [{ option: 'show', code: 'option-type' }],
    },
    {
      title: 'a misspelt option',
      make: () => mongooseStore(Note, { hidden: ['a'] } as never),
      mistakes: [{ option: 'hidden', code: 'option-unknown' }],
    },
  ])('$title is a mistake', ({ make, mistakes }) => {
    expect(mistakesOf(make)).toMatchObject(mistakes);
  });
});
