/** What the proofs of this folder take from the server: each fails on one that loses updates or knows no replica set. */
import type { SharedEngine } from '../support/engines';
import { describeMongodb, sharedMongodb } from '../support/mongodb';
import { releases } from './releases';

describeMongodb.each(releases)('The server of the tests, with Mongoose $release', ({ mongoose }) => {
  let engine: SharedEngine;
  const connection = mongoose.createConnection();
  const Counter = connection.model('Counter', new mongoose.Schema({ _id: String, n: Number }));

  beforeAll(async () => {
    engine = await sharedMongodb();
    await connection.openUri(engine.urls[0]);
    await Counter.init();
    await Counter.createCollection();
  });

  afterAll(async () => {
    await connection.close();
    await engine.close();
  });

  test('carries out one of two conditional updates of one state', async () => {
    await Counter.create({ _id: 'a', n: 0 });
    for (let n = 0; n < 20; n++) {
      const updates = [1, 2, 3].map(() => Counter.updateOne({ _id: 'a', n }, { $inc: { n: 1 } }));
      const counts = (await Promise.all(updates)).map(({ modifiedCount }) => modifiedCount);
      expect(counts.sort()).toEqual([0, 0, 1]);
    }
    expect((await Counter.findById('a').lean())?.n).toBe(20);
  });

  test('takes back what a transaction wrote that is aborted', async () => {
    await Counter.create({ _id: 'b', n: 0 });
    const write = connection.transaction(async (session) => {
      await Counter.updateOne({ _id: 'b' }, { n: 1 }, { session });
      throw new Error('no');
    });
    await expect(write).rejects.toThrow('no');
    expect((await Counter.findById('b').lean())?.n).toBe(0);
  });
});
