/** The contract of stores over models: by `_id`, by a slug with creation, and by an owner with an id. */
import { storeConformance } from '../../lib/testing';
import { mongooseStore } from '../../lib/mongoose';
import type { Members } from '../../lib/testing/members';
import { joinKey } from '../../lib/stores/contract/key';
import { randomUUID } from 'node:crypto';
import { testCases, testSomeCases } from '../support/test-cases';
import { describeMongodb } from '../support/mongodb';
import { releases } from './releases';
import { connectModels } from './models';

const carrier = {
  wrap: (title: string): Members => ({ title }),
  unwrap: ({ title }: Members) => String(title),
};

describeMongodb.each(releases)('Mongoose $release', ({ mongoose }) => {
  const { model, connection } = connectModels(mongoose);
  const schema = new mongoose.Schema(
    {
      slug: { type: String, unique: true, required: true, immutable: true, default: () => randomUUID() },
      owner: { type: String, default: 'ada' },
      title: String,
      age: Number,
      tags: [String],
      email: { type: String, unique: true, sparse: true },
      items: [{ name: String }],
      role: { type: String, default: 'reader' },
    },
    { timestamps: true },
  );
  schema.index({ owner: 1, slug: 1 }, { unique: true });
  const Note = model('Note', schema);
  const members = {
    clearable: { age: 7, email: `${randomUUID()}@example.com` },
    fixed: {
      slug: 'stolen',
      _id: '0123456789abcdef01234567',
      __v: 700,
      createdAt: '2020-01-01T00:00:00.000Z',
    },
    unique: () => ({ email: `${randomUUID()}@example.com` }),
  };
  const insert = async () => Note.create({ title: '"there"' });

  const Uuid = model(
    'Uuid',
    new mongoose.Schema({
      _id: { type: mongoose.Schema.Types.UUID, default: () => randomUUID() },
      title: String,
    }),
  );

  beforeAll(() => connection.init());
  afterAll(() => connection.close());

  describe('by _id', () => {
    const open = () => mongooseStore(Note, { readOnly: ['role'] });
    const key = async () => String((await insert())._id);
    const fixed = { ...members.fixed, role: 'admin' };
    testSomeCases(
      storeConformance(() => ({ open }), {
        ...{ carrier, key, members: { ...members, fixed } },
        ...{ creates: false, outcomes: false, versions: false },
      }),
      0,
    );
  });

  describe('by a UUID', () => {
    const open = () => mongooseStore(Uuid);
    const key = async () => {
      const _id = randomUUID();
      await Uuid.create({ _id, title: '"there"' });
      return _id;
    };
    testSomeCases(
      storeConformance(() => ({ open }), {
        ...{ carrier, key, creates: false, outcomes: false, versions: false },
      }),
      1,
    );
  });

  describe('by a slug, with creation', () => {
    const open = () => mongooseStore(Note, { key: 'slug', creates: true });
    testCases(storeConformance(() => ({ open }), { carrier, members, outcomes: false, versions: false }));
  });

  describe('by an owner and an id', () => {
    const open = () => mongooseStore(Note, { key: ['owner', '_id'] });
    // Each of an owner of its own: SecantusDB reads all that one owner has.
    const key = async () => {
      const { owner, _id } = await Note.create({ owner: randomUUID(), title: '"there"' });
      return joinKey([owner, String(_id)]) ?? '';
    };
    testSomeCases(
      storeConformance(() => ({ open }), {
        ...{ carrier, key, members: { ...members, fixed: { owner: 'eve' } } },
        ...{ creates: false, outcomes: false, versions: false },
      }),
      2,
    );
  });
});
