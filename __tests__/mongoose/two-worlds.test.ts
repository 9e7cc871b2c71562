/**
 * Two worlds, for each way to hide: the same request on documents that differ in hidden members alone, as in whether one is set, gets
 * the same answer, byte for byte.
 */
import express, { type Express } from 'express';
import type { Model as MongooseModel, mongo, Schema } from 'mongoose';
import request from 'supertest';
import { jsonPatch, mergePatch, resource } from '../../lib';
import { mongooseStore, type MongooseStoreOptions } from '../../lib/mongoose';
import { sampled, times } from '../support/deep-scale';
import { describeMongodb } from '../support/mongodb';
import { fc } from '../support/properties';
import { connectModels } from './models';
import { releases } from './releases';

/** A way to hide the members of `hidden`. */
interface Kind {
  readonly title: string;
  /** Options of each hidden path; without, they are not in the schema. */
  readonly path?: object;
  readonly schemaOptions?: object;
  readonly store?: MongooseStoreOptions;
  readonly handler?: { readonly hidden: readonly string[] };
  /** Whether only members outside of lists can be hidden in this way. */
  readonly isOuter?: boolean;
}

/** Each of another type of Mongoose. */
const typedNames = ['texts', 'grid', 'bytes', 'ref', 'uid', 'flag', 'price', 'loud'] as const;
const outerNames = ['token', 'code', 'due', 'mfa', 'keys', 'secrets', 'vault', 'safe', ...typedNames];
const hiddenNames = [...outerNames, 'pin'];

/** Without the hidden members, and without objects that have no other. */
function withoutHidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutHidden);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(([name]) => !hiddenNames.includes(name))
    .map(([name, member]): [string, unknown] => [name, withoutHidden(member)])
    .filter(([, member]) => JSON.stringify(member) !== '{}');
  return Object.fromEntries(members);
}

const show = (document: { toJSON: () => unknown }) => withoutHidden(JSON.parse(JSON.stringify(document)));

const kinds: readonly Kind[] = [
  { title: 'select: false', path: { select: false } },
  {
    title: 'a transform of toJSON',
    path: {},
    schemaOptions: {
      toJSON: {
        transform: (_: unknown, shown: object) => withoutHidden(JSON.parse(JSON.stringify(shown))),
      },
    },
  },
  { title: 'the option show', path: {}, store: { show: show as never } },
  { title: 'members that the schema does not have', store: { show: show as never } },
  {
    title: 'the option hidden of the handler',
    path: {},
    handler: { hidden: outerNames.map((name) => `/${name}`) },
    isOuter: true,
  },
  {
    title: 'getters',
    path: { get: () => undefined },
    schemaOptions: { toJSON: { getters: true } },
  },
];

function createSchema({ Schema: SchemaOf }: { Schema: typeof Schema }, kind: Kind): Schema {
  const { Mixed, ObjectId, UUID, Decimal128 } = SchemaOf.Types;
  const hidden = (type: unknown, options: object = {}) =>
    kind.path === undefined ? undefined : { type, ...options, ...kind.path };
  const defined = (paths: object) =>
    Object.fromEntries(Object.entries(paths).filter(([, path]) => path !== undefined)) as never;
  const pin = kind.isOuter ? undefined : hidden(String);
  const subdocument = (paths: object) =>
    new SchemaOf(defined(paths), { ...(kind.schemaOptions ?? {}) } as never);
  return new SchemaOf(
    defined({
      title: String,
      n: Number,
      tags: [String],
      items: [subdocument({ name: String, pin })],
      place: defined({ zip: String, pin }),
      one: subdocument({ a: String, pin }),
      token: hidden(String, { minlength: 2 }),
      code: hidden(Number, { min: 5 }),
      due: hidden(Date),
      mfa: hidden(subdocument({ secret: String })),
      keys: hidden([{ v: String }], { default: undefined }),
      secrets: hidden([String], { default: undefined }),
      vault: hidden(Mixed),
      texts: hidden(Map, { of: String }),
      grid: hidden([[Number]], { default: undefined }),
      bytes: hidden(Buffer),
      ref: hidden(ObjectId),
      uid: hidden(UUID),
      flag: hidden(Boolean),
      price: hidden(Decimal128),
      loud: hidden(String, { set: (text: string) => text.toLowerCase() }),
      ...(kind.path !== undefined && { safe: { k: hidden(String) } }),
    }),
    kind.schemaOptions as never,
  );
}

const id = (n: number) => `${'0'.repeat(23)}${n}`;

/** The hidden members of a document, each of them there or not. */
const secrets = ({ ObjectId, UUID, Binary, Decimal128 }: typeof mongo) =>
  fc.record(
    {
      token: fc.constantFrom('secret', 'x'),
      code: fc.constantFrom(7, 1),
      due: fc.constant(new Date(0)),
      mfa: fc.constantFrom({ _id: new ObjectId(id(8)), secret: 's' }, { _id: new ObjectId(id(8)) }, null),
      keys: fc.constantFrom([{ _id: new ObjectId(id(7)), v: 'x' }], []),
      secrets: fc.constantFrom(['a'], []),
      vault: fc.constantFrom({ x: 1 }, { x: new Date(0) }, 'text', null),
      safe: fc.constantFrom({ k: 'x' }, {}),
      texts: fc.constantFrom({ a: 'x' }, {}, null),
      grid: fc.constantFrom([[1]], [[]], []),
      bytes: fc.constantFrom(new Binary(Buffer.from('x')), null),
      ref: fc.constantFrom(new ObjectId(id(6)), 'no id'),
      uid: fc.constantFrom(new UUID('00000000-0000-4000-8000-000000000001'), 'no id'),
      flag: fc.constantFrom(true, false, 'yes', 'maybe'),
      price: fc.constantFrom(Decimal128.fromString('1.5'), null),
      loud: fc.constantFrom('x', null),
      pin: fc.constantFrom('1234', null),
    },
    { requiredKeys: [] },
  );

const pointer = fc.constantFrom(
  ...[
    '/token',
    '/code',
    '/due',
    '/mfa',
    '/mfa/secret',
    '/keys',
    '/keys/0',
    '/keys/-',
    '/keys/0/v',
    '/secrets',
  ],
  ...['/secrets/0', '/secrets/-', '/vault', '/vault/x', '/safe', '/safe/k', '/items/0/pin', '/items/1/pin'],
  ...[
    '/place/pin',
    '/one/pin',
    '/place',
    '/one',
    '/one/a',
    '/items',
    '/items/0',
    '/items/-',
    '/items/1/name',
  ],
  ...typedNames.map((name) => `/${name}`),
  ...['/texts/a', '/texts/b', '/grid/0', '/grid/0/-', '/bytes/data', '/price/$numberDecimal'],
  ...['/title', '/n', '/place/zip', '/tags', '/tags/0', '/unknown', '/_id', '/__v', '/items/0/_id', ''],
);
const value = fc.constantFrom<unknown>(
  ...[null, '', 'x', 'long', '42', 7, 1, true, [], {}, ['x'], [[]], [{ v: 'x' }], [{ _id: id(7), v: 'x' }]],
  ...[{ secret: 'x' }, { k: 'x' }, { x: 1 }, { name: 'x', pin: 'x' }, { a: 'x' }, { a: 'x', pin: [] }],
  ...[{ zip: 'x', pin: {} }, { pin: '1234' }, { $ne: 1 }, { '': 1 }, '\ud800', 'twelve bytes', id(7)],
  ...['1970-01-01T00:00:00.000Z', { _bsontype: 'Long' }, [{ _id: id(1), name: 'y' }], [{ name: 'new' }]],
);
/** What a member that was there could be made of, and what would be written if it was not. */
const likely = fc.constantFrom(
  ...[
    { path: '/token', value: 'long' },
    { path: '/code', value: 7 },
    { path: '/due', value: '2020-01-01' },
  ],
  ...[
    { path: '/mfa', value: {} },
    { path: '/mfa', value: { secret: 'x' } },
    { path: '/keys', value: [] },
  ],
  ...[
    { path: '/keys', value: [{ v: 'x' }] },
    { path: '/secrets', value: [] },
    { path: '/secrets', value: ['x'] },
  ],
  ...[
    { path: '/vault', value: {} },
    { path: '/vault', value: { x: 1 } },
    { path: '/safe', value: {} },
  ],
  ...[
    { path: '/safe', value: { k: 'x' } },
    { path: '/items/0/pin', value: 'x' },
    { path: '/place/pin', value: '' },
  ],
  ...[
    { path: '/one/pin', value: null },
    { path: '/token', value: null },
    { path: '/token', value: [] },
  ],
  ...[
    { path: '/code', value: 'x' },
    { path: '/vault', value: null },
    { path: '/mfa', value: null },
  ],
  ...typedNames.flatMap((name) =>
    ['X', 7, true, null, {}, [], { a: 'x' }, [[1]], ['x'], id(6), '00000000-0000-4000-8000-000000000001'].map(
      (value: unknown) => ({ path: `/${name}`, value }),
    ),
  ),
);
const operation = fc.oneof(
  likely.map((one) => ({ op: 'add', ...one })),
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointer, value }),
  fc.record({ op: fc.constant('remove'), path: pointer }),
  fc.record({ op: fc.constantFrom('move', 'copy'), from: pointer, path: pointer }),
);
const member = fc.oneof(
  fc.tuple(pointer, value),
  likely.map((one): [string, unknown] => [one.path, one.value]),
);
const sent = fc.oneof(
  fc.record({
    type: fc.constant('application/json-patch+json'),
    body: fc.array(operation, { minLength: 1, maxLength: 3 }) as fc.Arbitrary<unknown>,
  }),
  fc.record({
    type: fc.constant('application/merge-patch+json'),
    body: fc.array(member, { minLength: 1, maxLength: 3 }).map(toMerge),
  }),
  fc.record({
    type: fc.constant('PUT'),
    body: fc.array(member, { maxLength: 2 }).map(toMerge),
  }),
);

/** An object with values at these pointers. */
function toMerge(values: readonly (readonly [string, unknown])[]): object {
  const merged: Record<string, unknown> = {};
  for (const [path, member] of values) {
    const names = path.split('/').slice(1);
    const last = names.pop() ?? 'title';
    let at = merged;
    for (const name of names) {
      const inner = at[name];
      at = (typeof inner === 'object' && inner !== null ? inner : (at[name] = {})) as Record<string, unknown>;
    }
    at[last] = member;
  }
  return merged;
}

describeMongodb.each(releases)('Mongoose $release', ({ mongoose }) => {
  // Of one name, which is in some messages.
  const [first, second] = [connectModels(mongoose), connectModels(mongoose)];
  const { ObjectId } = mongoose.mongo;
  const worlds = kinds.map((kind, i) => {
    const create = ({ model }: typeof first) => {
      const Model = model(`User${i}`, createSchema(mongoose, kind));
      const store = mongooseStore(Model, { ...kind.store } as never);
      const documents = resource(store, [jsonPatch(), mergePatch()], {
        ...{ key: 'id', respond: 'representation', conflict: 'representation' },
        ...kind.handler,
      } as never);
      const app: Express = express();
      app.route('/:id').get(documents.get).patch(documents.patch).put(documents.put);
      return { Model, app };
    };
    return { ...kind, one: create(first), other: create(second) };
  });

  beforeAll(async () => {
    await first.connection.init();
    await second.connection.init();
  });
  afterAll(async () => {
    await first.connection.close();
    await second.connection.close();
  });

  test.each(worlds)('$title', async ({ one, other, isOuter }) => {
    let written = 0;
    const numRuns = times(8, 500);
    await fc.assert(
      fc.asyncProperty(
        secrets(mongoose.mongo),
        secrets(mongoose.mongo),
        sent,
        async (hidden, otherHidden, { type, body }) => {
          const _id = new ObjectId();
          const answers = [];
          for (const [{ Model, app }, { pin, ...outer }] of [
            [one, hidden],
            [other, otherHidden],
          ] as const) {
            const inner = pin === undefined || isOuter ? {} : { pin };
            await Model.collection.insertOne({
              ...{ _id, __v: 0, title: 'a', n: 1, tags: ['a', 'b'], place: { zip: '1', ...inner } },
              one: { _id: new ObjectId(id(3)), a: 'x', ...inner },
              items: [1, 2].map((n) => ({ _id: new ObjectId(id(n)), name: `n${n}`, ...inner })),
              ...outer,
            } as never);
            const path = `/${String(_id)}`;
            const current = (await request(app).get(path).expect(200)).body as object;
            const { status, text, headers } = await (type === 'PUT'
              ? request(app)
                  .put(path)
                  .type('application/json')
                  .send(JSON.stringify({ ...current, ...(body as object) }))
              : request(app).patch(path).type(type).send(JSON.stringify(body)));
            const known = [String(_id), ...[1, 2, 3, 7].map(id)];
            const plain = text.replace(/[0-9a-f]{24}/g, (hex) => (known.includes(hex) ? hex : 'an id'));
            answers.push({ current, status, plain, headers: { ...headers, date: '' } });
            expect(status).toBeLessThan(500);
            if (status < 300) written++;
            // What is hidden is not changed either.
            const after = await Model.collection.findOne({ _id } as never);
            const kept = Object.entries(after ?? {}).filter(([name]) => hiddenNames.includes(name));
            expect(Object.fromEntries(kept)).toEqual(outer);
          }
          expect(answers[1]).toEqual(answers[0]);
        },
      ),
      { numRuns },
    );
    expect(written).toBeGreaterThan(numRuns / 10);
  });

  describe('members that are not shown get one answer, of whatever type they are and whatever is sent', () => {
    const { ObjectId: Id, Mixed, Map: MapType } = mongoose.Schema.Types;
    const named = new mongoose.Schema({ name: String });
    const members = {
      text: String,
      number: Number,
      date: Date,
      flag: Boolean,
      bytes: Buffer,
      ref: Id,
      mixed: Mixed,
      map: { type: MapType, of: Number },
      list: [Number],
      lists: [[Number]],
      documents: [named],
      document: named,
      thrower: {
        type: String,
        set: () => {
          throw new Error('a setter of the app');
        },
      },
      required: { type: String, minlength: 3 },
    };
    const unselected = Object.entries(members).map(([name, type]) => {
      const options = typeof type === 'object' && 'type' in type ? type : { type };
      return [`unselected_${name}`, { ...options, select: false }];
    });
    const names = [
      ...Object.keys(members),
      ...unselected.map(([name]) => String(name)),
      ...['absent', 'alias', 'virtual', 'fixed', '__v', 'updatedAt', 'nested', 'readOnly'],
    ];
    const Model: MongooseModel<object> = first.model(
      'Unshown',
      new mongoose.Schema(
        {
          title: String,
          shown: String,
          ...members,
          ...(Object.fromEntries(unselected) as object),
          aliased: { type: String, alias: 'alias' },
          fixed: { type: String, immutable: true },
          nested: { a: String },
          readOnly: String,
        } as never,
        {
          timestamps: true,
          virtuals: { virtual: { get: () => 1, set: () => undefined } },
          toJSON: {
            transform: (_: unknown, { _id, title }: Record<string, unknown>) => ({ _id, title }),
          },
        } as never,
      ),
    );
    const documents = resource(
      mongooseStore(Model, { readOnly: ['readOnly'] } as never),
      [jsonPatch(), mergePatch()],
      { key: 'id', respond: 'representation' },
    );
    const app: Express = express();
    app.route('/:id').get(documents.get).patch(documents.patch).put(documents.put);

    const values = [
      ...['x', 'twelve bytes', 7, true, [], {}, [[]], [1], ['x'], [{}], [{ name: 'x' }], { name: 'x' }],
      ...[
        { a: 'x' },
        { a: { b: 1 } },
        { type: 'Buffer', data: [1] },
        '2020-01-01',
        id(1),
        { $ne: 1 },
        '\ud800',
      ],
    ];
    test.each(values.map((sent, at) => [sent, at] as const))('%j', async (sent, at) => {
      // Each value at each name in the project `deep`; else at the first name, and at others in turn.
      const tried = [...new Set(['text', ...sampled(names, 6, at)])];
      const { _id } = await Model.create({ title: 'a' });
      const answers = await Promise.all(
        tried.map(async (name) => {
          const change = request(app)
            .patch(`/${String(_id)}`)
            .type('application/merge-patch+json');
          const { status, text } = await change.send(JSON.stringify({ [name]: sent }));
          return `${status} ${text.replaceAll(name, 'NAME')}`;
        }),
      );
      const groups: Record<string, string[]> = {};
      tried.forEach((name, i) => (groups[answers[i] ?? ''] ??= []).push(name));
      expect(groups).toEqual({ [answers[0] ?? '']: tried });
    });
  });
});
