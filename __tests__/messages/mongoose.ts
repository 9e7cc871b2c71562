/** What is said of documents: at the start, and to clients. Without a database: what is found is made here. */
import { EventEmitter } from 'node:events';
import mongoose from 'mongoose';
import { ProblemError } from '../../lib';
import { mongooseStore } from '../../lib/mongoose';
import { stateOf, written } from '../support/written';

const given = (options: unknown): never => options as never;
function isSecretValid(this: { title?: string }): boolean {
  return this.title !== 'beer';
}

const schema = new mongoose.Schema(
  {
    title: { type: String, lowercase: true, required: [true, 'Give it a title.'] },
    items: [{ name: String }],
    secret: { type: String, default: '', validate: isSecretValid },
    mixed: mongoose.Schema.Types.Mixed,
    kept: [{ name: String, hidden: { type: String, select: false } }],
    texts: [{ _id: String, name: String }],
  },
  { toJSON: { transform: (_, shown) => ({ ...shown, secret: undefined }) } },
);
const Note = mongoose.model('SaidNote', schema);

export const mistakesInMongoose: readonly (() => unknown)[] = [
  () =>
    mongooseStore(
      given({}),
      given({ key: 7, show: 1, writeOnly: 'a', readOnly: [1], creates: 1, deletes: 1 }),
    ),
  () => mongooseStore(Note, { creates: true, key: '_id', readOnly: ['/title'], writeOnly: ['items.name'] }),
  () => mongooseStore(Note, { key: 'title' }),
  () => mongooseStore(Note, { show: given(async () => Promise.resolve()) }),
];

/** A collection, and its connection, which reports an update. */
class Operations extends EventEmitter {
  readonly name = 'notes';
  findOne: () => Promise<object> = () => Promise.resolve({});

  update(_id: string): void {
    const operation = { _id: 1, collectionName: this.name };
    this.emit('operation-start', { ...operation, method: 'updateOne', params: [{ _id }] });
    this.emit('operation-end', { ...operation, result: { modifiedCount: 1 } });
  }
}

/** The refusals of documents, with their pointers. */
export async function mongooseSaid(): Promise<string[]> {
  const id = '0123456789abcdef01234567';
  const items = [{ _id: id, name: 'a' }];
  const texts = [{ _id: 7, name: 'a' }];
  const document = { _id: id, title: 'milk', items, kept: items, texts, mixed: { at: new Date(0) }, __v: 1 };
  const collection = new Operations();
  Reflect.set(Note, 'collection', collection);
  Reflect.set(Note, 'db', collection);
  collection.findOne = () => Promise.resolve(document);
  Note.findOne = (() => ({ read: () => Promise.resolve(Note.hydrate(document)) })) as never;
  const saves = (save: (doc: mongoose.Document) => unknown) => {
    Note.prototype.save = async function (this: mongoose.Document) {
      await save(this);
    };
  };
  saves((doc) => Reflect.apply(Reflect.get(doc, '$emit') as (event: string) => void, doc, ['save']));
  const store = mongooseStore(Note);
  const change = async (members: object, context = {}) => {
    const current = await stateOf(store, id);
    return store.replace(id, '', { ...current.value, ...members }, { ...context, current });
  };
  const said: string[] = [];
  for (const members of [
    ...[{ unknown: 1 }, { title: '\ud800' }, { title: { $ne: 1 } }, { items: 7 }, { items: [7] }],
    ...[{ items: [...items, ...items] }, { title: ['a'] }, { title: null }],
    { title: 'beer' },
    { kept: [{ name: 'b' }, ...items] },
    { mixed: { at: null } },
    { texts: [{ name: 'b' }, { _id: '7', name: 'a' }] },
    { items: Array.from({ length: 100_001 }, () => ({})) },
  ]) {
    const refused: unknown = await change(members).catch((error: unknown) => error);
    if (!(refused instanceof ProblemError)) throw new Error(`Not refused: ${JSON.stringify(members)}`);
    said.push(JSON.stringify(refused.problem));
  }
  const unread = await change({ title: 'wine' });
  try {
    said.push(JSON.stringify(written(unread).value));
  } catch (error) {
    said.push(String(error));
  }
  saves(() => undefined);
  said.push(String(await change({ title: 'wine' }).catch((error: unknown) => error)));
  saves((doc) => {
    collection.update(id);
    // As Mongoose asks for the condition when it sends the write.
    void Reflect.get(doc, '$where');
    throw new mongoose.Error.VersionError(doc as never, 1, []);
  });
  const context = { request: {} };
  await change({ title: 'wine' }, context);
  said.push(String(await change({ title: 'wine' }, context).catch((error: unknown) => error)));
  for (const shown of [undefined, Promise.resolve(), { big: 1n }]) {
    const showing = mongooseStore(Note, { show: () => shown });
    said.push(String(await showing.get(id).catch((error: unknown) => error)));
  }
  const slugs = mongoose.model(
    'SaidSlug',
    new mongoose.Schema({ slug: { type: String, lowercase: true, unique: true } }),
  );
  const bySlug = mongooseStore(slugs, { key: 'slug', creates: true });
  said.push(String(await bySlug.replace('Milk', null, {}).catch((error: unknown) => error)));
  return said;
}
