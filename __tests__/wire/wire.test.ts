/**
 * What goes over the wire: status, header fields and content of one answer of each kind, on both releases of Express and over
 * two stores, in one snapshot. All of them give the same. A change that no one meant shows here, whatever else it breaks.
 */
import { entityTag, MemoryStore, type OutcomeStore } from 'patch-options';
import { SqliteStore } from 'patch-options/sqlite';
import { frameworks } from '../support/frameworks';
import { serving } from '../support/serving';
import { DatabaseSync } from '../support/sqlite';
import { note, open, rows, type Note } from './app';
import { exchange } from './exchange';

const stores: readonly (() => Promise<OutcomeStore<Note>>)[] = [
  () => Promise.resolve(new MemoryStore()),
  async () => {
    const store = new SqliteStore<Note>(new DatabaseSync(':memory:'), { table: 'notes' });
    await store.setup();
    return store;
  },
];

test.each(Object.entries(rows))('%s', async (_title, row) => {
  const answers = await Promise.all(
    stores.flatMap((openStore) =>
      frameworks.map(async ([, express]) => {
        const store = await openStore();
        const stored = await store.replace('1', null, note);
        const tags = stored !== undefined && 'value' in stored ? [entityTag(stored)] : [];
        return serving(open(express, store), async (_server, port) => {
          const told: string[] = [];
          for (const request of [row].flat()) told.push(await exchange(port, request, tags));
          return told.join('\n\n');
        });
      }),
    ),
  );
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toMatchSnapshot();
});
