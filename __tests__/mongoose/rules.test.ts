/** What can be changed of a document, and how: each row is one model and document, and what becomes of changes of it. */
import type { mongo, Schema, SchemaDefinition, SchemaOptions } from 'mongoose';
import { mongooseStore, type MongooseStoreOptions } from '../../lib/mongoose';
import { invalidPointers } from './invalid-pointers';
import { describeMongodb } from '../support/mongodb';
import { written } from '../support/written';
import { connectModels } from './models';
import { releases } from './releases';

/** A change as merge patches have it; and what the document has then, or the pointers of the refusal. */
type Outcome = readonly [change: object, becomes: object | readonly string[]];

interface Row {
  readonly title: string;
  readonly paths: (types: typeof Schema.Types) => object;
  readonly schemaOptions?: SchemaOptions;
  readonly stored: (types: typeof mongo) => object;
  readonly store?: MongooseStoreOptions;
  readonly outcomes: readonly Outcome[];
}

/** Changes how elements are shown. */
const showing = (change: (element: Record<string, unknown>) => object): SchemaOptions => ({
  toJSON: {
    transform: (_, shown) => ({ ...shown, items: (Reflect.get(shown, 'items') as never[]).map(change) }),
  },
});
const id = (n: number) => `${'0'.repeat(23)}${n}`;
const bytes = (text: string) => JSON.parse(JSON.stringify(Buffer.from(text))) as object;
const shownUpper = { type: String, get: (text: string) => text.toUpperCase() };

const rows: readonly Row[] = [
  {
    title: 'scalars: casts and setters are what is stored; a cast to null, an object or 12 bytes is not',
    paths: ({ ObjectId }) => ({
      title: { type: String, trim: true },
      count: Number,
      done: Boolean,
      at: Date,
      author: ObjectId,
    }),
    stored: () => ({ title: 'Milk', count: 1, at: new Date(0) }),
    outcomes: [
      [{ title: ' Beer ' }, { title: 'Beer' }],
      [{ count: '42' }, { count: 42 }],
      [{ count: null }, { count: undefined }],
      [
        { done: true, at: '2020-01-01' },
        { done: true, at: '2020-01-01T00:00:00.000Z' },
      ],
      [{ author: id(7) }, { author: id(7) }],
      [{ author: 'twelve bytes' }, ['/author']],
      [{ count: '' }, ['/count']],
      [{ count: 'many' }, ['/count']],
      [{ title: ['a'] }, ['/title']],
      [{ at: { $date: 1 } }, ['/at/$date']],
    ],
  },
  {
    title: 'a path that is left out gets its default, or is unset',
    paths: () => ({ kind: { type: String, default: 'note' }, tags: [String], body: String }),
    stored: () => ({ kind: 'todo', tags: ['a'], body: 'x' }),
    outcomes: [
      [
        { kind: null, tags: null, body: null },
        { kind: 'note', tags: [], body: undefined },
      ],
    ],
  },
  {
    title: 'what only Mongoose or the schema writes cannot be changed or removed',
    paths: () => ({ title: String, slug: { type: String, immutable: true }, upper: shownUpper }),
    schemaOptions: {
      timestamps: true,
      toJSON: { getters: true, virtuals: true },
      virtuals: { twice: { get: () => 'two' } },
      discriminatorKey: 'kind',
    },
    stored: () => ({ title: 'a', slug: 's', upper: 'up', kind: 'k', legacy: 1, createdAt: new Date(0) }),
    outcomes: [
      [{ _id: id(9) }, ['/_id']],
      [{ __v: 9 }, ['/__v']],
      [{ createdAt: '2020-01-01T00:00:00.000Z' }, ['/createdAt']],
      [{ updatedAt: '2020-01-01T00:00:00.000Z' }, ['/updatedAt']],
      [{ slug: 'other' }, ['/slug']],
      [{ kind: 'other' }, ['/kind']],
      [{ twice: 'x' }, ['/twice']],
      [{ upper: 'DOWN' }, ['/upper']],
      [{ upper: 'down' }, ['/upper']],
      [{ legacy: 2 }, ['/legacy']],
      [{ id: id(9) }, ['/id']],
      [{ _id: null }, ['/_id']],
      [{ __v: null }, ['/__v']],
      [{ id: null }, ['/id']],
      [{ slug: null }, ['/slug']],
      [{ kind: null }, ['/kind']],
      [{ twice: null }, ['/twice']],
      [{ legacy: null }, ['/legacy']],
      [{ createdAt: null, title: 'b' }, ['/createdAt']],
      [{ upper: null }, ['/upper']],
    ],
  },
  {
    title: 'hidden members cannot be changed, whether they are there or not',
    paths: () => ({
      title: String,
      hash: { type: String, select: false },
      salt: { type: String, select: false },
      token: String,
      empty: String,
    }),
    schemaOptions: {
      toJSON: { transform: (_, shown) => ({ ...shown, token: undefined, empty: undefined }) },
    },
    stored: () => ({ title: 'a', hash: 'h', token: 't' }),
    outcomes: [
      [{ hash: 'x' }, ['/hash']],
      [{ salt: 'x' }, ['/salt']],
      [{ token: 'x' }, ['/token']],
      [{ empty: 'x' }, ['/empty']],
      [{ token: 't' }, ['/token']],
      [{ hash: null, token: null, title: 'b' }, { title: 'b' }],
    ],
  },
  {
    title: 'names that are unknown, or that MongoDB and Mongoose reserve',
    paths: ({ Mixed }) => ({ title: String, place: { zip: String }, any: Mixed, items: [{ name: String }] }),
    schemaOptions: { strict: false },
    stored: () => ({ title: 'a', place: { zip: '1' }, any: { a: 1 }, items: [] }),
    outcomes: [
      [{ isAdmin: true }, ['/isAdmin']],
      [{ place: { extra: 1 } }, ['/place/extra']],
      [{ items: [{ name: 'a', extra: 1 }] }, ['/items/0/extra']],
      [{ $set: { title: 'x' } }, ['/$set']],
      [{ 'place.zip': '2' }, ['/place.zip']],
      [{ 'a\0': 1 }, ['/a\0']],
      [{ any: { $ne: 1 } }, ['/any/$ne']],
      [{ any: { b: { 'c.d': 1 } } }, ['/any/b/c.d']],
      [{ any: { _bsontype: 'ObjectId', id: 'x' } }, ['/any/_bsontype']],
      [{ any: [{ $where: 1 }] }, ['/any/0/$where']],
      [JSON.parse('{"any":{"__proto__":{"a":1}}}') as object, ['/any/__proto__']],
      [{ any: { constructor: 1 } }, { any: { a: 1, constructor: 1 } }],
      [{ any: { '': 1 } }, ['/any/']],
      [{ '': 1 }, ['/']],
      [{ title: { $ne: 1 } }, ['/title/$ne']],
      [{ title: '\ud800' }, ['/title']],
      [{ any: { '\ud800': 1 } }, ['/any/\ud800']],
    ],
  },
  {
    title: 'objects: nested paths and subdocuments are changed inside',
    paths: () => ({ place: { zip: String, city: String }, one: { type: { a: Number, b: Number } } }),
    stored: () => ({ place: { zip: '1', city: 'x' }, one: { _id: 7, a: 1, b: 2 } }),
    outcomes: [
      [{ place: { zip: '2' } }, { place: { zip: '2', city: 'x' } }],
      [{ place: { zip: null, city: null } }, { place: undefined }],
      [{ place: null }, { place: undefined }],
      [{ place: 'there' }, ['/place']],
      [{ one: 7 }, ['/one']],
      [{ one: null }, { one: undefined }],
    ],
  },
  {
    title: 'Mixed is one value, which can be changed if all that is stored in it is what JSON shows',
    paths: ({ Mixed }) => ({ any: Mixed, when: Mixed, much: Mixed, long: Mixed, list: Mixed, scalar: Mixed }),
    stored: ({ Long, Decimal128 }) => ({
      any: { a: { b: [1, { c: 2 }] }, d: null },
      when: { at: new Date(0), n: 1 },
      much: { n: Decimal128.fromString('1.5') },
      long: { n: Long.fromString('9007199254740993') },
      list: [[new Date(0)], 1],
      scalar: new Date(0),
    }),
    outcomes: [
      [{ any: { a: { b: [1, { c: 3 }] } } }, { any: { a: { b: [1, { c: 3 }] }, d: null } }],
      [{ any: 'a text' }, { any: 'a text' }],
      [{ any: { a: null } }, { any: { d: null } }],
      [{ any: null }, { any: undefined }],
      [{ when: { at: '2020-01-01' } }, ['/when']],
      [{ when: { n: 2 } }, ['/when']],
      [{ when: { n: null } }, ['/when']],
      [{ when: null }, { when: undefined }],
      [{ list: [['1970-01-01T00:00:00.000Z'], 2] }, ['/list']],
      [{ much: { n: '2' } }, ['/much']],
      [{ long: { n: 5 } }, ['/long']],
      [{ scalar: '1980-01-01T00:00:00.000Z' }, ['/scalar']],
    ],
  },
  {
    title: 'a map is one value, and cannot be changed if it has documents',
    paths: ({ Mixed }) => ({
      texts: { type: Map, of: String },
      any: { type: Map, of: Mixed },
      dates: { type: Map, of: Date },
      lists: { type: Map, of: [Number] },
      mixes: { type: Map, of: Mixed },
      maps: { type: Map, of: { type: Map, of: Mixed } },
      docs: { type: Map, of: [{ a: String }] },
      subs: { type: Map, of: { a: String } },
    }),
    stored: () => ({
      texts: { a: '1', b: '2' },
      dates: { a: new Date(0), b: new Date(1) },
      lists: { a: [1], b: [2] },
      mixes: { a: { at: new Date(0) }, b: { n: 1 } },
      maps: { a: { b: { at: new Date(0) } } },
      docs: { k: [{ _id: id(1), a: 'x' }] },
      subs: { k: { _id: id(2), a: 'x' } },
    }),
    outcomes: [
      [{ texts: { a: '3', c: '4' } }, { texts: { a: '3', b: '2', c: '4' } }],
      [{ texts: { a: null } }, { texts: { b: '2' } }],
      [{ texts: { 'a.b': 'x' } }, ['/texts/a.b']],
      [{ texts: { '': 'x' } }, ['/texts/']],
      [{ texts: { a: { x: 1 } } }, ['/texts/a']],
      [{ any: { x: { y: 1 } } }, { any: { x: { y: 1 } } }],
      [{ dates: { a: null } }, { dates: { b: '1970-01-01T00:00:00.001Z' } }],
      [{ lists: { a: [1, 5] } }, { lists: { a: [1, 5], b: [2] } }],
      [{ mixes: { b: { n: 2 } } }, ['/mixes']],
      [{ maps: { a: { c: 1 } } }, ['/maps']],
      [{ docs: null }, ['/docs']],
      [{ docs: { k: [] } }, ['/docs']],
      [{ subs: { k: { a: 'y' } } }, ['/subs']],
    ],
  },
  {
    title: 'bytes, in the form that they are shown in, and decimals, whose form has a reserved name',
    paths: ({ Buffer, Decimal128 }) => ({ bytes: Buffer, price: Decimal128, bytesList: [Buffer] }),
    stored: ({ Decimal128, Binary }) => ({
      bytes: new Binary(globalThis.Buffer.from('abc')),
      price: Decimal128.fromString('1.50'),
    }),
    outcomes: [
      [{ bytes: 'YWJj' }, ['/bytes']],
      [{ bytes: bytes('x') }, { bytes: bytes('x') }],
      [{ bytes: null }, { bytes: undefined }],
      [{ bytesList: [bytes('a'), bytes('b')] }, { bytesList: [bytes('a'), bytes('b')] }],
      [{ price: null }, { price: undefined }],
      [{ price: '2.5' }, ['/price']],
      [{ price: 2.5 }, ['/price']],
      [{ price: { $numberDecimal: '2' } }, ['/price/$numberDecimal']],
      [{ bytesList: ['YWJj'] }, ['/bytesList/0']],
    ],
  },
  {
    title:
      'a list without ids is one value, which can be changed if all that is stored in it is what JSON shows',
    paths: ({ Mixed }) => ({
      tags: [String],
      dates: [Date],
      any: [Mixed],
      rows: [[Number]],
      parts: [{ _id: false, n: Number, hidden: { type: String, select: false } }],
      plain: [{ _id: false, n: Number }],
      twins: [{ _id: false, n: Number }],
      holes: [{ _id: false, n: Number }],
      dated: [{ _id: false, n: Number, any: Mixed }],
      fixed: [{ _id: false, n: { type: Number, immutable: true }, m: Number }],
      hashed: [{ _id: false, n: Number, pin: { type: String, set: (pin: string) => `${pin}!` } }],
      legacy: [{ _id: false, n: Number }],
      pair: [String],
    }),
    stored: () => ({
      tags: ['a', 'b', 'c'],
      dates: [new Date(0), new Date(1)],
      any: [new Date(0), { a: 1 }, 2],
      rows: [[1, 2], [3]],
      parts: [{ n: 1, hidden: 'x' }],
      plain: [{ n: 1 }, { n: 2 }],
      twins: [{ n: 1 }, { n: 1 }, { n: 1 }],
      holes: [null, { n: 1 }],
      dated: [{ n: 1, any: { at: new Date(0) } }, { n: 2 }],
      fixed: [{ n: 1, m: 1 }],
      hashed: [{ n: 1, pin: 'x' }],
      legacy: [{ n: 1, old: true }, { n: 2 }],
      pair: 'a',
    }),
    outcomes: [
      [{ tags: ['a', 'x', 'c'] }, { tags: ['a', 'x', 'c'] }],
      [{ tags: ['c'] }, { tags: ['c'] }],
      [{ tags: ['a', 'b', 'c', 'd'] }, { tags: ['a', 'b', 'c', 'd'] }],
      [{ tags: 'a' }, ['/tags']],
      [{ tags: ['a', { $ne: 1 }, 'c'] }, ['/tags/1/$ne']],
      [{ dates: ['1970-01-01T00:00:00.001Z'] }, { dates: ['1970-01-01T00:00:00.001Z'] }],
      [{ any: ['1970-01-01T00:00:00.000Z', { a: 1 }, 3] }, ['/any']],
      [{ any: [{ a: 1 }, 2] }, ['/any']],
      [{ parts: [{ n: 1 }, { n: 2 }] }, ['/parts']],
      [{ parts: [] }, ['/parts']],
      [{ parts: null }, ['/parts']],
      [{ fixed: null }, ['/fixed']],
      [{ legacy: null }, { legacy: [] }],
      [{ dated: null }, { dated: [] }],
      [{ dated: [{ n: 3 }] }, ['/dated']],
      [{ fixed: [{ n: 1, m: 2 }] }, ['/fixed']],
      [{ hashed: [{ n: 2, pin: 'x' }] }, ['/hashed']],
      [{ legacy: [{ n: 2 }] }, ['/legacy']],
      [{ pair: ['a', 'b'] }, { pair: ['a', 'b'] }],
      [{ rows: [[1, 2], [4]] }, { rows: [[1, 2], [4]] }],
      [{ plain: [{ n: 2 }] }, { plain: [{ n: 2 }] }],
      [{ twins: [{ n: 1 }, { n: 1 }] }, { twins: [{ n: 1 }, { n: 1 }] }],
      [{ holes: [null, { n: 2 }] }, { holes: [null, { n: 2 }] }],
      [{ plain: [{ n: 1 }, { n: 5 }, { n: 6 }] }, { plain: [{ n: 1 }, { n: 5 }, { n: 6 }] }],
      [{ plain: [{ n: 1 }, 7] }, ['/plain']],
      [{ plain: null }, { plain: [] }],
    ],
  },
  {
    title: 'lists of documents by id',
    paths: () => ({
      items: [{ name: String, n: Number }],
      kept: [{ name: String, secret: { type: String, select: false } }],
    }),
    stored: ({ ObjectId }) => ({
      items: [1, 2, 3].map((n) => ({ _id: new ObjectId(id(n)), name: `n${n}`, n })),
      kept: [{ _id: new ObjectId(id(4)), name: 'x', secret: 's' }],
    }),
    outcomes: [
      [{ items: [{ _id: id(9), name: 'x' }] }, ['/items/0/_id']],
      [{ items: [1, 1].map((n) => ({ _id: id(n), name: 'x' })) }, ['/items/1/_id']],
      [{ items: [3, 1].map((n) => ({ _id: id(n), n })) }, { items: [3, 1].map((n) => ({ _id: id(n), n })) }],
      [{ items: [] }, { items: [] }],
      [{ items: null }, { items: [] }],
      [{ kept: [{ _id: id(4), name: 'y' }] }, { kept: [{ _id: id(4), name: 'y' }] }],
      [{ kept: [{ _id: id(4), name: 'x', secret: 's' }] }, ['/kept/0/secret']],
      [{ kept: [] }, { kept: [] }],
    ],
  },
  {
    title: 'lists of documents whose ids are stored in other types than those of the schema',
    paths: () => ({
      items: [{ name: String }],
      texts: [{ _id: String, name: String }],
      numbers: [{ _id: Number, name: String }],
      outer: [{ inner: [{ name: String }] }],
      single: [{ name: String }],
      preset: { type: [{ name: String }], default: [{ _id: id(5), name: 'x' }] },
    }),
    stored: ({ ObjectId }) => ({
      items: [1, 2].map((n) => ({ _id: id(n), name: 'x' })),
      texts: [1, 2].map((n) => ({ _id: n, name: `n${n}` })),
      numbers: [1, 2].map((n) => ({ _id: String(n), name: `n${n}` })),
      outer: [{ _id: new ObjectId(id(7)), inner: [1, 2].map((n) => ({ _id: id(n), name: `n${n}` })) }],
      single: { _id: new ObjectId(id(1)), name: 'x' },
    }),
    outcomes: [
      ...[
        { items: [{ _id: id(2), name: 'x' }] },
        { items: [{ _id: id(2), name: 'y' }] },
        { items: [2, 1].map((n) => ({ _id: id(n), name: 'x' })) },
        { items: [{ name: 'new' }, ...[1, 2].map((n) => ({ _id: id(n), name: 'x' }))] },
        { texts: [{ _id: '2', name: 'n2' }] },
        { texts: ['2', '1'].map((_id) => ({ _id, name: `n${_id}` })) },
        { numbers: [{ _id: 2, name: 'n2' }] },
        { numbers: [2, 1].map((_id) => ({ _id, name: `n${_id}` })) },
      ].map((change): Outcome => [change, Object.keys(change).map((name) => `/${name}`)]),
      [{ outer: [{ _id: id(7), inner: [{ _id: id(2), name: 'n2' }] }] }, ['/outer/0/inner']],
      [{ outer: [] }, { outer: [] }],
      ...[
        { items: [] },
        { items: [1, 2].map((n) => ({ _id: id(n), name: 'y' })) },
        { single: [{ _id: id(1), name: 'b' }] },
        { single: [] },
        { preset: [{ _id: id(5), name: 'y' }] },
        { preset: [] },
      ].map((change): Outcome => [change, change]),
      ...['items', 'single'].map((list): Outcome => {
        const present = [1, 2].slice(0, list === 'items' ? 2 : 1).map((n) => ({ _id: id(n), name: 'x' }));
        const added: unknown = { _id: expect.any(String) as unknown, name: 'new' };
        return [{ [list]: [...present, { name: 'new' }] }, { [list]: [...present, added] }];
      }),
    ],
  },
  {
    title: 'lists and maps whose values are stored in other types than those of the schema',
    paths: ({ ObjectId, BigInt, Buffer }) => ({
      tags: [String],
      numbers: [Number],
      dates: [Date],
      refs: [ObjectId],
      bigs: [BigInt],
      bytes: [Buffer],
      rows: [[Number]],
      map: { type: Map, of: Number },
      broken: [Number],
      parts: [{ _id: false, n: Number, kind: { type: String, default: 'x' } }],
      moved: [{ n: Number }],
    }),
    schemaOptions: {
      toJSON: {
        transform: (_, shown) => ({ ...shown, bigs: (Reflect.get(shown, 'bigs') as bigint[]).map(String) }),
      },
    },
    stored: ({ ObjectId, Long, Int32, Double, Binary }) => ({
      tags: [2024, 'x'],
      numbers: [Long.fromString('9007199254740993')],
      dates: ['2020-01-01'],
      refs: [id(1)],
      bigs: [new Int32(1), Long.fromString('9007199254740993')],
      bytes: [new Binary(globalThis.Buffer.from('a'))],
      rows: [[new Int32(1), new Double(2)], ['3']],
      map: { a: '1' },
      broken: ['many', 1],
      parts: [{ n: 1 }],
      moved: [1, 2].map((n) => ({ _id: new ObjectId(id(n)), n: String(n) })),
    }),
    outcomes: [
      [{ tags: ['2024', 'x', 'y'] }, ['/tags']],
      [{ tags: ['x'] }, ['/tags']],
      [{ tags: null }, { tags: [] }],
      [{ numbers: [1] }, ['/numbers']],
      [{ dates: ['2020-01-01T00:00:00.000Z', '2021-01-01'] }, ['/dates']],
      [{ refs: [id(1), id(2)] }, ['/refs']],
      [{ bigs: ['1', '9007199254740993', '2'] }, { bigs: ['1', '9007199254740993', '2'] }],
      [{ bytes: [bytes('a'), bytes('b')] }, { bytes: [bytes('a'), bytes('b')] }],
      [{ rows: [[1, 2], [4]] }, ['/rows']],
      [{ map: { b: 2 } }, ['/map']],
      [{ broken: [1] }, ['/broken']],
      [{ parts: [{ n: 2 }] }, { parts: [{ n: 2, kind: 'x' }] }],
      [{ moved: [2, 1].map((n) => ({ _id: id(n), n })) }, ['/moved']],
      [{ moved: [{ _id: id(2), n: 2 }] }, { moved: [{ _id: id(2), n: 2 }] }],
      [
        {
          moved: [
            { _id: id(1), n: 7 },
            { _id: id(2), n: 2 },
          ],
        },
        {
          moved: [
            { _id: id(1), n: 7 },
            { _id: id(2), n: 2 },
          ],
        },
      ],
    ],
  },
  {
    title: 'lists of documents that show id for _id',
    paths: () => ({ items: [{ name: String }] }),
    schemaOptions: showing(({ _id, ...shown }) => ({ id: _id, ...shown })),
    stored: ({ ObjectId }) => ({ items: [1, 2].map((n) => ({ _id: new ObjectId(id(n)), name: `n${n}` })) }),
    outcomes: [
      [{ items: [{ id: id(2), name: 'b' }] }, { items: [{ id: id(2), name: 'b' }] }],
      [{ items: [{ id: id(2), name: 'n2' }] }, { items: [{ id: id(2), name: 'n2' }] }],
      [{ items: [{ id: id(9), name: 'b' }] }, ['/items/0/id']],
      [{ items: [{ _id: id(1), name: 'b' }] }, ['/items/0/_id']],
    ],
  },
  {
    title: 'lists of documents that show no id',
    paths: () => ({ items: [{ name: String }] }),
    schemaOptions: showing((element) => ({ ...element, _id: undefined })),
    stored: ({ ObjectId }) => ({ items: [1, 2].map((n) => ({ _id: new ObjectId(id(n)), name: `n${n}` })) }),
    outcomes: [
      [{ items: [{ name: 'b' }] }, ['/items']],
      [{ items: null }, { items: [] }],
    ],
  },
  {
    title: 'the options readOnly and writeOnly',
    paths: () => ({
      role: String,
      place: { zip: String },
      items: [{ price: Number, n: Number }],
      group: { type: { a: Number, b: Number } },
      fixed: { a: Number },
      password: String,
      pin: String,
    }),
    schemaOptions: { toJSON: { transform: (_, shown) => ({ ...shown, password: undefined }) } },
    stored: ({ ObjectId }) => ({
      role: 'reader',
      place: { zip: '1' },
      items: [{ _id: new ObjectId(id(1)), price: 1, n: 1 }],
      group: { _id: 7, a: 1, b: 2 },
      fixed: { a: 1 },
    }),
    store: {
      readOnly: ['role', 'place.zip', 'items.price', 'group.a', 'fixed'],
      writeOnly: ['password', 'pin'],
    },
    outcomes: [
      [{ role: 'admin' }, ['/role']],
      [{ place: { zip: '2' } }, ['/place/zip']],
      [{ role: null }, ['/role']],
      [{ place: null }, ['/place/zip']],
      [{ group: null }, ['/group']],
      [{ group: { a: null } }, ['/group/a']],
      [{ fixed: { a: 2 } }, ['/fixed']],
      [{ items: [{ _id: id(1), n: 1 }] }, ['/items/0/price']],
      [{ items: [] }, { items: [] }],
      [{ password: null }, { password: undefined }],
      [{ password: 'secret' }, { password: undefined }],
      [{ pin: '1234' }, { pin: '1234' }],
      [{ items: [{ price: 7 }] }, ['/items/0/price']],
    ],
  },
];

describeMongodb.each(releases)('Mongoose $release', ({ mongoose }) => {
  const { model, connection } = connectModels(mongoose);
  const cases = rows.map((row, i) => {
    const definition = row.paths(mongoose.Schema.Types) as SchemaDefinition;
    const schema = new mongoose.Schema(definition, row.schemaOptions as never);
    return { ...row, Model: model(`Row${i}`, schema as Schema) };
  });

  beforeAll(() => connection.init());
  afterAll(() => connection.close());

  describe.each(cases)('$title', ({ Model, store: options, stored, outcomes }) => {
    test.each(outcomes.map(([change, becomes]) => ({ change, becomes })))(
      '$change',
      async ({ change, becomes }) => {
        const _id = new mongoose.mongo.ObjectId();
        await Model.collection.insertOne({ _id, __v: 0, ...stored(mongoose.mongo) });
        const store = mongooseStore(Model, { ...options });
        const before = await store.get(String(_id));
        const next = mergePatched(before?.value, change);
        const raw = await Model.collection.findOne({ _id });
        const write = store.replace(String(_id), '', next as never, { ...(before && { current: before }) });
        if (Array.isArray(becomes)) {
          expect(await invalidPointers(write)).toEqual(becomes);
          expect(await Model.collection.findOne({ _id })).toEqual(raw);
          return;
        }
        const { value: shown } = written(await write);
        for (const [name, value] of Object.entries(becomes)) expect(shown[name]).toEqual(value);
        expect((await store.get(String(_id)))?.value).toEqual(shown);
      },
    );
  });

  test('elements that are stored without an _id can be removed by place', async () => {
    const Model = model('WithoutIds', new mongoose.Schema({ items: [{ name: String }] }));
    await Model.createCollection();
    const _id = new mongoose.mongo.ObjectId();
    await Model.collection.insertOne({
      _id,
      __v: 0,
      items: ['a', 'b', 'c'].map((name) => ({ name })),
    } as never);
    const store = mongooseStore(Model);
    const current = await store.get(String(_id));
    if (current === undefined) throw new Error('Not found.');
    const next = { ...current.value, items: (current.value['items'] as object[]).slice(1) };
    await store.replace(String(_id), '', next, { current });
    expect((await Model.collection.findOne({ _id }))?.['items']).toMatchObject([
      { name: 'b' },
      { name: 'c' },
    ]);
  });
});

/** RFC 7396. */
function mergePatched(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = { ...(isObject(target) && target) };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(merged, name);
    else {
      const next = mergePatched(Object.hasOwn(merged, name) ? merged[name] : undefined, value);
      Object.defineProperty(merged, name, {
        value: next,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
