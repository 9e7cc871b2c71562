/** What a change of a list costs grows with the list, however many elements it changes: in processor time, which the server's is no part of. */
import { mongooseStore } from '../../lib/mongoose';
import { sampled, times } from '../support/deep-scale';
import { maxLinear } from '../support/growth';
import { describeMongodb } from '../support/mongodb';
import { replaceAt, stateOf } from '../support/written';
import { invalidPointers } from './invalid-pointers';
import { connectModels } from './models';
import { releases } from './releases';

interface Element {
  readonly _id?: string;
  readonly text: string;
  readonly done: boolean;
}

interface Row {
  readonly change: string;
  readonly list: 'items' | 'rows';
  readonly make: (elements: readonly Element[]) => readonly object[];
}

const tick = (element: Element) => ({ ...element, done: true });

describeMongodb.each(releases)('Mongoose $release', ({ mongoose }) => {
  const { model, connection } = connectModels(mongoose);
  const { ObjectId } = mongoose.mongo;
  const element = { text: String, done: Boolean };
  const Note = model('Note', new mongoose.Schema({ items: [element], rows: [{ _id: false, ...element }] }));
  const store = mongooseStore(Note);

  beforeAll(() => connection.init());
  afterAll(() => connection.close());

  /** The best of some: the first ones compile. */
  const cost = async (length: number, rounds: number, { list, make }: Row) => {
    const costs = [];
    for (let round = 0; round < rounds; round++) {
      const _id = new ObjectId();
      const elements = Array.from({ length }, (_, n) => ({
        ...(list === 'items' && { _id: new ObjectId() }),
        ...{ text: String(n), done: false },
      }));
      await Note.collection.insertOne({ _id, __v: 0, [list]: elements } as never);
      const current = await store.get(String(_id));
      if (current === undefined) throw new Error('Not found.');
      const next = { ...current.value, [list]: make(current.value[list] as Element[]) };
      const start = process.cpuUsage();
      await store.replace(String(_id), '', next, { current });
      const { user, system } = process.cpuUsage(start);
      costs.push(user + system);
      expect((await Note.findById(_id).orFail())[list]).toHaveLength((next[list] as object[]).length);
    }
    return Math.min(...costs);
  };

  const rows: readonly Row[] = [
    { change: 'every element', list: 'items', make: (elements) => elements.map(tick) },
    { change: 'half of them removed', list: 'items', make: (elements) => elements.filter((_, i) => i % 2) },
    { change: 'the order', list: 'items', make: (elements) => [...elements].reverse() },
    {
      change: 'as many again added',
      list: 'items',
      make: (elements) => [...elements, ...elements.map(({ text }) => ({ text }))],
    },
    { change: 'every element without an id', list: 'rows', make: (elements) => elements.map(tick) },
    {
      change: 'the first element without an id removed',
      list: 'rows',
      make: (elements) => elements.slice(1),
    },
  ];

  test.each(sampled(rows, 2))('$change', async (row) => {
    const length = times(200, 1_000);
    const [few, many] = [await cost(length, 3, row), await cost(10 * length, 1, row)];
    expect(many / few).toBeLessThan(maxLinear);
  });

  test.each(['items', 'rows'])('more %s than Mongoose saves are refused', async (list) => {
    const { _id } = await Note.create({});
    const current = await stateOf(store, String(_id));
    const next = { ...current.value, [list]: Array.from({ length: 100_001 }, () => ({})) };
    const change = replaceAt(store, String(_id), current, next);
    expect(await invalidPointers(change)).toEqual([`/${list}`]);
  });
});
