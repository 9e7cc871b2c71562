/**
 * A process that writes one document, among others: `write-document.ts <url> <writer> <rounds> <release> <store>`. Each round is a PATCH over
 * HTTP with If-Match, which is tried again after 412, a `save()` and an update, at once; the updates in turn by `updateOne`,
 * `findOneAndUpdate`, `bulkWrite` and `collection.updateOne`. Prints what was
 * acknowledged of each, how often a PATCH was refused as out of date, and the answers that missed a write of another.
 */
import { createServer } from 'node:http';
import express from 'express';
import { mergePatch, resource } from '../../lib';
import { mongooseStore } from '../../lib/mongoose';
import { listen } from '../support/serving';
import { releases } from './releases';

/** The members of the document: what each writer has counted by `save` and `update`, and what all count by PATCH. */
export interface Counts {
  readonly patches: number;
  readonly saves: Readonly<Record<string, number>>;
  readonly updates: Readonly<Record<string, number>>;
  /** The sum of `saves` and `updates` that the last PATCH has seen. */
  readonly seen: number;
}

/** What a writer has been told. */
export interface Acknowledged {
  patches: number;
  saves: number;
  updates: number;
  lostRaces: number;
  /** How many answers to PATCH had a body, and in how many of these `seen` was not the sum. */
  shown: number;
  missed: number;
}

/** How the store is broken, so that the test is seen to fail. */
export type Breakage = 'none' | 'no condition';

const [, , url = '', writer = '', rounds = '', release = '', breakage = 'none'] = process.argv;

async function write(): Promise<Acknowledged> {
  const { mongoose } = releases.find((each) => String(each.release) === release) ?? releases[0];
  const counts = { type: Map, of: Number };
  const schema = new mongoose.Schema({ patches: Number, saves: counts, updates: counts, seen: Number });
  const connection = await mongoose
    .createConnection(url, { autoCreate: false, autoIndex: false })
    .asPromise();
  const Document = connection.model('Document', schema);
  const { _id } = await Document.findOne().orFail();

  const sound = mongooseStore(Document);
  const store: typeof sound = {
    ...sound,
    async replace(key, expected, value, context) {
      const current = breakage === 'no condition' ? await sound.get(key) : context?.current;
      return sound.replace(key, expected, value, { ...context, ...(current && { current }) });
    },
  };
  const documents = resource(store, [mergePatch()], { key: 'id', respond: 'representation' });
  const app = express().get('/:id', documents.get).patch('/:id', documents.patch);
  const server = createServer(app);
  const path = `http://127.0.0.1:${await listen(server)}/${String(_id)}`;
  const acknowledged: Acknowledged = { patches: 0, saves: 0, updates: 0, lostRaces: 0, shown: 0, missed: 0 };

  const writes = [
    async () => {
      for (;;) {
        const read = await fetch(path);
        if (read.status !== 200) throw new Error(`${read.status}: ${await read.text()}`);
        const state = (await read.json()) as Counts;
        const answer = await fetch(path, {
          method: 'PATCH',
          headers: {
            'Content-Type': 'application/merge-patch+json',
            'If-Match': read.headers.get('ETag') ?? '',
          },
          body: JSON.stringify({ patches: state.patches + 1, seen: sum(state) }),
        });
        if (answer.status === 412) {
          acknowledged.lostRaces++;
          continue;
        }
        if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
        acknowledged.patches++;
        // 204 where the next write has come before the answer.
        if (answer.status === 204) return;
        const shown = (await answer.json()) as Counts;
        acknowledged.shown++;
        if (shown.seen !== sum(shown)) acknowledged.missed++;
        return;
      }
    },
    async () => {
      const document = await Document.findById(_id).orFail();
      document.saves?.set(writer, (document.saves.get(writer) ?? 0) + 1);
      await document.save();
      acknowledged.saves++;
    },
    async () => {
      const update = { $inc: { [`updates.${writer}`]: 1 } };
      const ways = [
        () => Document.updateOne({ _id }, update),
        () => Document.findOneAndUpdate({ _id }, update),
        () => Document.bulkWrite([{ updateOne: { filter: { _id }, update } }]),
        () => Document.collection.updateOne({ _id }, update),
      ];
      await ways[acknowledged.updates % ways.length]?.();
      acknowledged.updates++;
    },
  ];
  for (let round = 0; round < Number(rounds); round++) {
    await Promise.all(writes.map((each) => each()));
  }
  server.close();
  server.closeAllConnections();
  await connection.close();
  return acknowledged;
}

function sum({ saves, updates }: Counts): number {
  return [...Object.values(saves), ...Object.values(updates)].reduce((total, each) => total + each, 0);
}

void write().then((acknowledged) => {
  process.stdout.write(JSON.stringify(acknowledged));
});
