/** Four processes write one document by PATCH, `save()` and updates: every write that was acknowledged is there, once. */
import { join } from 'node:path';
import type { SharedEngine } from '../support/engines';
import { scaled } from '../support/deep-scale';
import { describeMongodb, sharedMongodb } from '../support/mongodb';
import { printedByTypescript } from '../support/run-typescript';
import { releases } from './releases';
import type { Acknowledged, Breakage, Counts } from './write-document';

const writers = ['a', 'b', 'c', 'd'];

describeMongodb.each(releases)('Four processes, with Mongoose $release', ({ release, mongoose }) => {
  let engine: SharedEngine;
  const connection = mongoose.createConnection();
  const counts = { type: Map, of: Number };
  const schema = new mongoose.Schema({ patches: Number, saves: counts, updates: counts, seen: Number });
  const Document = connection.model('Document', schema);

  beforeAll(async () => {
    engine = await sharedMongodb();
    await connection.openUri(engine.urls[0]);
    await Document.createCollection();
    await Document.init();
  });

  afterAll(async () => {
    await connection.close();
    await engine.close();
  });

  /** What all have been told, beside what is there. */
  async function write(rounds: number, breakage: Breakage) {
    await Document.deleteMany();
    const none = Object.fromEntries(writers.map((writer) => [writer, 0]));
    const { _id } = await Document.create({ patches: 0, saves: none, updates: none, seen: 0 });
    const script = join(__dirname, 'write-document.ts');
    const told = await Promise.all(
      writers.map(async (writer) => {
        const parameters = [engine.urls[0], writer, String(rounds), String(release), breakage];
        return JSON.parse(await printedByTypescript(script, parameters, {})) as Acknowledged;
      }),
    );
    const stored = (await Document.collection.findOne({ _id })) as unknown as Counts;
    const total = (name: keyof Acknowledged) => told.reduce((sum, each) => sum + each[name], 0);
    return {
      stored,
      acknowledged: {
        patches: total('patches'),
        saves: Object.fromEntries(writers.map((writer, index) => [writer, told[index]?.saves])),
        updates: Object.fromEntries(writers.map((writer, index) => [writer, told[index]?.updates])),
      },
      missed: total('missed'),
      shown: total('shown'),
      lostRaces: total('lostRaces'),
    };
  }

  test('every acknowledged write is there once, and each PATCH has seen all before it', async () => {
    const rounds = scaled(100);
    const { stored, acknowledged, missed, shown, lostRaces } = await write(rounds, 'none');
    expect(stored).toMatchObject(acknowledged);
    expect(acknowledged.patches).toBe(4 * rounds);
    expect(missed).toBe(0);
    expect(shown).toBeGreaterThan(0);
    expect(lostRaces).toBeGreaterThan(0);
  });

  test('a store without a condition is caught: PATCHes are lost', async () => {
    const { stored, acknowledged } = await write(20, 'no condition');
    expect(stored.patches).toBeLessThan(acknowledged.patches);
  });
});
