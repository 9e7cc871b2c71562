/** Any change of any document: it is refused and nothing is written, or what is shown is stored, and nothing else has changed. */
import { ProblemError } from '../../lib';
import { isEqualJson } from '../../lib/json/value';
import { mongooseStore } from '../../lib/mongoose';
import { times } from '../support/deep-scale';
import { describeMongodb } from '../support/mongodb';
import { anyCharacter, fc } from '../support/properties';
import { connectModels } from './models';
import { releases } from './releases';

/** Any JSON, with names that mean something to MongoDB, Mongoose or JavaScript, and texts that can be cast. */
const name = fc.oneof(
  fc.constantFrom(
    'title',
    'n',
    'at',
    'tags',
    'items',
    'place',
    'zip',
    'any',
    'one',
    'texts',
    'hash',
    'upper',
    'legacy',
  ),
  fc.constantFrom(
    '_id',
    '__v',
    '__t',
    'id',
    '$set',
    '$ne',
    'a.b',
    '_bsontype',
    '__proto__',
    'constructor',
    'a',
    'b',
    '0',
    '',
  ),
  fc.string({ maxLength: 3, unit: anyCharacter }),
);
const scalar = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    0,
    1.5,
    -1,
    1e300,
    '',
    'a',
    '42',
    '2020-01-01',
    'twelve bytes',
    '0123456789abcdef01234567',
  ),
  fc.string({ maxLength: 5, unit: anyCharacter }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(name, tie('json'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

const text = fc.string({ maxLength: 4 });
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const day = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date(1e13) })
  .map((at) => at.toISOString());

/** Changes that people make, most of which are written. */
const usual = fc.oneof(
  ...(
    [
      [['title'], text],
      [['n'], number],
      [['at'], day],
      [['tags'], fc.array(text, { maxLength: 4 })],
      [['tags', '0'], text],
      [['items', '1', 'a'], text],
      [['items', '0', 'at'], day],
      [['items', '2'], fc.record({ a: text, n: number })],
      [['items'], fc.constantFrom('reverse', 'pop', 'shift')],
      [['place', 'zip'], text],
      [['one', 'n'], number],
      [['one'], fc.record({ a: text })],
      [['any', 'a', 'b'], number],
      [['any', 'c'], fc.record({ d: fc.array(text), e: number })],
      [['texts', 'b'], text],
    ] as const
  ).map(([path, value]) =>
    fc.record({ path: fc.constant<string[]>([...path]), value: value as fc.Arbitrary<unknown> }),
  ),
);

describeMongodb.each(releases)('Mongoose $release', ({ mongoose }) => {
  const { model, connection } = connectModels(mongoose);
  const { Schema } = mongoose;
  const { Double, Long, Decimal128, ObjectId, BSON } = mongoose.mongo;
  const item = new Schema({ a: String, n: Number, at: Date });
  const Note = model(
    'Note',
    new Schema(
      {
        title: { type: String, trim: true, default: 'none' },
        n: Number,
        at: Date,
        tags: [String],
        items: [item],
        place: { zip: String, a: Number },
        any: Schema.Types.Mixed,
        one: item,
        texts: { type: Map, of: String },
        hash: { type: String, select: false },
        upper: { type: String, get: (text: string | undefined) => text?.toUpperCase() },
      },
      { toJSON: { getters: true, virtuals: true } },
    ),
  );
  const stored = () => ({
    __v: 0,
    title: 'a',
    n: new Double(5),
    at: new Date(0),
    tags: ['a', 'b'],
    items: [1, 2].map((n) => ({ _id: new ObjectId(), a: 'x', n: new Double(n), at: new Date(n), legacy: n })),
    place: { zip: '1', a: new Double(1), legacy: true },
    any: { a: { b: new Long(1) }, b: [new Date(0), 1], '0': Decimal128.fromString('1.5') },
    one: { _id: new ObjectId(), a: 'y', n: new Double(2) },
    texts: { a: '1' },
    hash: 'secret',
    upper: 'up',
    legacy: { a: new Double(1) },
  });
  const store = mongooseStore(Note);
  const read = async (_id: object) => {
    const raw = await Note.collection.findOne({ _id } as never, { promoteValues: false });
    return JSON.parse(BSON.EJSON.stringify(raw, { relaxed: false })) as Record<string, unknown>;
  };

  beforeAll(() => connection.init());
  afterAll(() => connection.close());

  test('is refused as a whole, or stored as it is shown', async () => {
    const numRuns = times(25, 1_500);
    let written = 0;
    const hostile = fc.oneof(
      fc.record({ path: fc.array(name, { minLength: 1, maxLength: 3 }), value: json }),
      fc.record({
        path: fc.constant<string[]>([]),
        value: fc.dictionary(name, json, { noNullPrototype: true }),
      }),
    );
    const change = fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: hostile });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const _id = new ObjectId();
        await Note.collection.insertOne({ _id, ...stored() } as never);
        const before = await read(_id);
        const current = await store.get(String(_id));
        if (current === undefined) throw new Error('Not found.');
        const next = JSON.parse(JSON.stringify(current.value)) as object;
        for (const { path, value } of changes) setAt(next, path, value);
        const result: unknown = await store
          .replace(String(_id), '', next as never, { current })
          .catch((error: unknown) => error);
        const after = await read(_id);
        if (result instanceof ProblemError) {
          expect(result.status).toBe(422);
          expect(after).toEqual(before);
          return;
        }
        written++;
        // Nothing that is not JSON's fault is an error of the server.
        expect(result).not.toBeInstanceOf(Error);
        expect((await store.get(String(_id)))?.value).toEqual(Reflect.get(Object(result) as object, 'value'));
        const shown = (result as { value: Record<string, unknown> }).value;
        expect(after).toMatchObject({
          hash: 'secret',
          legacy: before['legacy'],
          upper: 'up',
        });
        // What the change did not touch keeps its BSON; what it did is stored.
        for (const [member, value] of Object.entries(current.value)) {
          const sent: unknown = Reflect.get(next, member);
          if (isEqualJson(sent, value) && member !== '__v') expect(after[member]).toEqual(before[member]);
          if (['n', 'tags'].includes(member) && sent !== undefined)
            expect(JSON.stringify(shown[member])).toBe(JSON.stringify(castLike(shown[member], sent)));
        }
      }),
      { numRuns },
    );
    expect(written).toBeGreaterThan(numRuns / 5);
  });

  /** The sent value, where it is of the shown kind: casts between scalars are the schema's. */
  function castLike(shown: unknown, sent: unknown): unknown {
    if (Array.isArray(sent) && Array.isArray(shown) && sent.length === shown.length)
      return sent.map((element, i) => castLike(shown[i], element));
    return typeof shown === typeof sent ? sent : shown;
  }
});

function setAt(target: object, [first, ...rest]: string[], value: unknown): void {
  if (first === undefined) {
    for (const [member, inner] of Object.entries(value as object)) define(target, member, inner);
    return;
  }
  if (first === 'items' && ['reverse', 'pop', 'shift'].includes(value as string)) {
    const items: unknown = Reflect.get(target, 'items');
    if (Array.isArray(items)) items[value as 'pop']();
    return;
  }
  const inner: unknown = Object.hasOwn(target, first) ? Reflect.get(target, first) : undefined;
  if (rest.length > 0 && typeof inner === 'object' && inner !== null) setAt(inner, rest, value);
  else define(target, first, value);
}

function define(target: object, member: string, value: unknown): void {
  if (Array.isArray(target) && !/^\d+$/.test(member)) target.push(value);
  else Object.defineProperty(target, member, { value, enumerable: true, configurable: true, writable: true });
}
