/** What is said of documents: at the start, and to clients. Without a database: what is found is made here. */
import mongoose from 'mongoose';
import { ProblemError } from '../../lib';
import { mongooseStore } from '../../lib/mongoose';
import { hookUpdates, sayUpdate } from '../../lib/mongoose/count-versions';

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
const Uncounted = mongoose.model(
  'SaidUncounted',
  new mongoose.Schema({ title: String }, { versionKey: false }),
);

export const mistakesInMongoose: readonly (() => unknown)[] = [
  () =>
    mongooseStore(
      given({}),
      given({ key: 7, version: 1, show: 1, writeOnly: 'a', readOnly: [1], creates: 1, deletes: 1 }),
    ),
  () => mongooseStore(Note, { creates: true, key: '_id', readOnly: ['/title'], writeOnly: ['items.name'] }),
  () => mongooseStore(Note, { key: 'title', version: 'version' }),
  () => mongooseStore(Uncounted),
  () => mongooseStore(Note, { version: '__v', show: given(async () => Promise.resolve()) }),
];

/** The refusals of documents, with their pointers. */
export async function mongooseSaid(): Promise<string[]> {
  const id = '0123456789abcdef01234567';
  const items = [{ _id: id, name: 'a' }];
  const texts = [{ _id: 7, name: 'a' }];
  const document = { _id: id, title: 'milk', items, kept: items, texts, mixed: { at: new Date(0) }, __v: 1 };
  const find = () => Note.hydrate(document);
  Note.collection.findOne = () => Promise.resolve(document) as never;
  let found = 0;
  Note.findOne = (() => Promise.resolve(Object.assign(find(), found++ > 0 && { __v: 7 }))) as never;
  const written = function (this: { __v: number }) {
    this.__v++;
    return Promise.resolve();
  };
  Note.prototype.save = written as never;
  const store = mongooseStore(Note, { version: '__v' });
  const { value } = (await store.get(id)) ?? {};
  const said: string[] = [];
  for (const change of [
    ...[{ unknown: 1 }, { title: '\ud800' }, { title: { $ne: 1 } }, { items: 7 }, { items: [7] }],
    ...[{ items: [...items, ...items] }, { title: ['a'] }, { title: null }],
    { title: 'beer' },
    { kept: [{ name: 'b' }, ...items] },
    { mixed: { at: null } },
    { texts: [{ name: 'b' }, { _id: '7', name: 'a' }] },
    { items: Array.from({ length: 100_001 }, () => ({})) },
  ]) {
    found = 0;
    const refused: unknown = await store
      .replace(id, `${id}-1`, { ...value, ...change })
      .catch((error: unknown) => error);
    if (!(refused instanceof ProblemError)) throw new Error(`Not refused: ${JSON.stringify(change)}`);
    said.push(JSON.stringify(refused.problem));
  }
  found = 0;
  const unread = await store.replace(id, `${id}-1`, { ...value, title: 'wine' });
  said.push(reasonOf(() => unread?.value));
  Note.prototype.save = () => Promise.resolve();
  found = 0;
  const lost = store.replace(id, `${id}-1`, { ...value, title: 'wine' });
  said.push(String(await lost.catch((error: unknown) => error)));
  Note.prototype.save = () => {
    hookUpdates.getStore()?.push(sayUpdate(Note, { _id: id }));
    return Promise.reject(new mongoose.Error.VersionError(find(), 1, []));
  };
  const context = { request: {} as never };
  const overtaken = async () => {
    found = 0;
    return store.replace(id, `${id}-1`, { ...value, title: 'wine' }, context);
  };
  await overtaken();
  said.push(String(await overtaken().catch((error: unknown) => error)));
  for (const shown of [undefined, Promise.resolve(), { big: 1n }]) {
    const showing = mongooseStore(Note, { version: '__v', show: () => shown });
    said.push(String(await showing.get(id).catch((error: unknown) => error)));
  }
  const slugs = mongoose.model(
    'SaidSlug',
    new mongoose.Schema({ slug: { type: String, lowercase: true, unique: true } }),
  );
  const bySlug = mongooseStore(slugs, { version: '__v', key: 'slug', creates: true });
  said.push(String(await bySlug.replace('Milk', null, {}).catch((error: unknown) => error)));
  return said;
}

function reasonOf(act: () => unknown): string {
  try {
    return `Nothing was said: ${String(act())}`;
  } catch (error) {
    return String(error);
  }
}
