/** What a change leaves alone keeps its BSON: types of numbers, order, and members that the schema does not know. */
import { mongooseStore } from '../../lib/mongoose';
import { describeMongodb } from '../support/mongodb';
import { invalidPointers } from './invalid-pointers';
import { connectModels } from './models';
import { releases } from './releases';

describeMongodb.each(releases)('Mongoose $release', ({ mongoose }) => {
  const { Double, Int32, Long, Decimal128, ObjectId, Binary, BSONRegExp, Timestamp, BSON } = mongoose.mongo;
  const { Mixed } = mongoose.Schema.Types;
  const { model, connection } = connectModels(mongoose);
  const item = new mongoose.Schema({
    name: String,
    n: Number,
    at: Date,
    secret: { type: String, select: false },
  });
  const Note = model(
    'Note',
    new mongoose.Schema(
      {
        title: String,
        count: Number,
        price: mongoose.Schema.Types.Decimal128,
        bytes: Buffer,
        items: [item],
        shelf: [{ name: String, n: Number, at: Date }],
        numbers: [Number],
        any: Mixed,
        mixed: Mixed,
        place: { zip: String, lat: Number },
        one: item,
        texts: { type: Map, of: String },
      },
      { toJSON: { transform: (_, shown) => ({ ...shown, bytes: undefined }) } },
    ),
  );
  const element = (n: number) => ({
    legacy: new Int32(n),
    n: new Double(n),
    _id: new ObjectId(),
    name: `n${n}`,
    at: new Date(n),
    secret: `s${n}`,
    long: Long.fromNumber(n),
  });
  const stored = () => ({
    zebra: new Long(7),
    count: new Double(5),
    title: 'a',
    price: Decimal128.fromString('1.50'),
    bytes: new Binary(Buffer.from('abc')),
    items: [element(1), element(2), element(3)],
    numbers: [new Double(1), new Int32(2), Long.fromNumber(3)],
    any: {
      d: new Double(1),
      r: new BSONRegExp('a'),
      t: new Timestamp(1n),
      list: [new Double(1)],
      x: { y: new Long(1) },
    },
    mixed: { a: [1.5, 'x'], b: { c: null } },
    place: { lat: new Double(3), zip: '1', legacy: new Double(9) },
    one: element(4),
    texts: { b: '1', a: '2' },
    shelf: [],
    __v: new Int32(3),
  });

  beforeAll(() => connection.init());
  afterAll(() => connection.close());

  const read = async (_id: object) => {
    const raw = await Note.collection.findOne({ _id } as never, { promoteValues: false, bsonRegExp: true });
    return JSON.parse(BSON.EJSON.stringify(raw, { relaxed: false })) as Record<string, never>;
  };

  interface Row {
    readonly change: string;
    readonly make: (value: Shown) => void;
    readonly expected: (raw: Raw) => void;
  }
  type Shown = Record<string, unknown> & {
    items: Record<string, unknown>[];
    numbers: number[];
    place: Record<string, unknown>;
    mixed: Record<string, unknown>;
    one: Record<string, unknown>;
    texts: Record<string, unknown>;
  };
  type Raw = Shown;
  const ints = (...numbers: number[]) => numbers.map((n) => ({ $numberInt: String(n) })) as never[];

  test.each<Row>([
    { change: 'a scalar', make: (value) => (value['title'] = 'b'), expected: (raw) => (raw['title'] = 'b') },
    {
      change: 'a member of an element',
      make: ({ items }) => (items[1] = { ...items[1], name: 'x' }),
      expected: ({ items }) => (items[1] = { ...items[1], name: 'x' }),
    },
    {
      change: 'an element is added',
      make: ({ items }) => items.push({ _id: undefined, name: 'new' }),
      expected: () => undefined,
    },
    {
      change: 'a number in a list, which is one value: whole Doubles and small Longs become Int32',
      make: ({ numbers }) => (numbers[1] = 7),
      expected: (raw) => (raw.numbers = ints(1, 7, 3)),
    },
    {
      change: 'a number at the end of a list',
      make: ({ numbers }) => numbers.push(7),
      expected: (raw) => (raw.numbers = ints(1, 2, 3, 7)),
    },
    {
      change: 'a member of Mixed',
      make: ({ mixed }) => (mixed['new'] = 'x'),
      expected: ({ mixed }) => (mixed['new'] = 'x'),
    },
    {
      change: 'a nested path, a subdocument and a map',
      make: ({ place, one, texts }) => {
        place['zip'] = '2';
        one['name'] = 'x';
        texts['c'] = '3';
      },
      expected: ({ place, one, texts }) => {
        place['zip'] = '2';
        one['name'] = 'x';
        texts['c'] = '3';
      },
    },
  ])('$change', async ({ make, expected }) => {
    const _id = new ObjectId();
    await Note.collection.insertOne({ _id, ...stored() } as never);
    const store = mongooseStore(Note);
    const current = await store.get(String(_id));
    if (current === undefined) throw new Error('Not found.');
    const next = JSON.parse(JSON.stringify(current.value)) as Shown;
    make(next);
    const before = await read(_id);
    await store.replace(String(_id), '', next, { current });
    const wanted = JSON.parse(JSON.stringify(before)) as Raw;
    expected(wanted);
    const after = (await read(_id)) as unknown as Raw;
    // Mongoose counts some changes of lists.
    wanted['__v'] = after['__v'];
    if (after.items.length > wanted.items.length) {
      expect(after.items.at(-1)).toEqual({ _id: expect.anything() as unknown, name: 'new' });
      wanted.items.push(after.items.at(-1) ?? {});
    }
    expect(JSON.stringify(after)).toBe(JSON.stringify(wanted));
  });

  describe('elements with members that are not loaded', () => {
    const store = mongooseStore(Note);
    const change = async (make: (items: Record<string, unknown>[]) => unknown[]) => {
      const _id = new ObjectId();
      await Note.collection.insertOne({ _id, ...stored() } as never);
      const current = await store.get(String(_id));
      const next = { ...current?.value, items: make(current?.value['items'] as []) };
      const write = store.replace(String(_id), '', next, { ...(current && { current }) });
      return { _id, write };
    };

    test('are pulled without a change of the others', async () => {
      const { _id, write } = await change((items) => items.slice(1));
      await write;
      const { items } = (await read(_id)) as unknown as Raw;
      expect(items).toMatchObject([2, 3].map((n) => ({ secret: `s${n}`, n: { $numberDouble: `${n}.0` } })));
    });

    test.each([
      { title: 'moved', make: (items: unknown[]) => items.reverse() },
      { title: 'removed and added', make: (items: unknown[]) => [...items.slice(1), { name: 'x' }] },
      { title: 'added before others', make: (items: unknown[]) => [{ name: 'x' }, ...items] },
    ])('are not $title, which would write them without these members', async ({ make }) => {
      const { _id, write } = await change(make);
      expect(await invalidPointers(write)).toEqual(['/items']);
      expect(((await read(_id)) as unknown as Raw).items).toMatchObject([
        { secret: 's1' },
        {},
        { secret: 's3' },
      ]);
    });
  });

  test('elements that move keep their values, and members that the schema does not know', async () => {
    const _id = new ObjectId();
    const shelf = [1, 2, 3].map((n) => ({ ...element(n), secret: 'x' }));
    await Note.collection.insertOne({ _id, ...stored(), shelf } as never);
    const store = mongooseStore(Note);
    const current = await store.get(String(_id));
    const present = current?.value['shelf'] as { _id: string; name: string }[];
    const books = present.slice(1).reverse();
    const next = { ...current?.value, shelf: books.map((one) => ({ ...one, name: `${one.name}!` })) };
    await store.replace(String(_id), '', next, { ...(current && { current }) });
    const raw = (await Note.collection.findOne({ _id } as never)) as unknown as { shelf: object[] };
    expect(raw.shelf).toMatchObject([
      { legacy: 3, n: 3, name: 'n3!', at: new Date(3), long: 3 },
      { legacy: 2, n: 2, name: 'n2!', at: new Date(2), long: 2 },
    ]);
  });
});
