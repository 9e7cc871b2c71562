import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { setTimeout as elapsed } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { library } from '../harness/library.mjs';
import { requestInProcess } from '../harness/request-in-process.mjs';
import { leastRounds, medianOf, pairedRatio, spreadOf } from '../harness/statistics.mjs';
import { DatabaseSync } from '../harness/sqlite.mjs';
import { temporaryFolder } from '../harness/temporary-folder.mjs';
import { hostilePatches } from '../servers/hostile-patches.mjs';

const key = 'hostile';
/** Granted to every request beside its share: what one costs whatever it holds. */
const granted = 1;
/** A reading takes so many milliseconds of processor time, and at least one call. */
const reading = 30;
/** Seconds of processor time after which a request gets no more rounds, once it has had enough for an interval. */
const budget = 1.5;
/** What a check sends; most of the others take a second and more. */
const cheap = ['1,000 add /a/0 to a stored array of 9,500', '7 bytes on 2 MB in SQLite'];

/**
 * What the dearest requests cost in processor time, beside JSON.parse and JSON.stringify of the request and of what is
 * stored. One after the other in one process, for some hold a hundred megabytes; the rounds of each are interleaved with
 * those of what it is compared with.
 */
export const hostile = {
  name: 'hostile-patches',
  title: 'Hostile PATCH requests, in-process',

  async check() {
    for (const title of cheap) await measurePatch(hostilePatches[title](), 1);
    return Object.keys(hostilePatches).map(rowOf);
  },

  async measure({ rounds, only = '' }) {
    const measured = [];
    for (const [title, make] of Object.entries(hostilePatches)) {
      if (!title.includes(only)) continue;
      measured.push({ title, ...(await measurePatch(make(), rounds)) });
    }
    const rows = measured.map(({ title, ours, parsed, twin }) => ({
      ...rowOf(title),
      ratio: pairedRatio(
        ours.map((milliseconds) => Math.max(0, milliseconds - granted)),
        parsed,
      ),
      spread: spreadOf(pairedRatio(twin, parsed)),
      goal: 4,
    }));
    const details = measured.map(({ title, patch, ours, parsed }) => ({
      request: title,
      'bytes sent': patch.text.length.toLocaleString('en'),
      answer: patch.status,
      rounds: ours.length,
      'processor time (ms)': medianOf(ours).median.toFixed(1),
      'at most (ms)': Math.max(...ours).toFixed(1),
      'parse and stringify (ms)': medianOf(parsed).median.toFixed(1),
      ratio: pairedRatio(ours, parsed).median.toFixed(2),
    }));
    return { rows, details };
  },
};

const rowOf = (title) => ({
  work: `processor time, less ${granted} ms: ${title}`,
  beside: 'JSON.parse and JSON.stringify of request and stored document',
});

async function measurePatch(patch, rounds) {
  const { jsonPatch, keyedMergePatch, mergePatch, resource } = library();
  const store = await storeOf(patch.engine);
  const parsers = [jsonPatch(), mergePatch(), keyedMergePatch({ '/list': 'id' })];
  const { method = 'PATCH' } = patch;
  const handler = resource(store, parsers, { key: 'id', ...patch.options })[method.toLowerCase()];
  const texts = [patch.text, JSON.stringify(patch.stored)].filter((text) => text !== '');
  const body = Buffer.from(patch.text);
  const request = async () => {
    const status = await requestInProcess(handler, { method, key, type: patch.type, body });
    if (status !== patch.status) throw new Error(`${status} in place of ${patch.status}`);
  };
  const parsing = () => texts.map((text) => JSON.stringify(JSON.parse(text)));

  await store.replace(key, null, patch.stored);
  const { value: initial } = await store.get(key);
  // Each request finds the same state, of which nothing has been remembered.
  const restore = async () => store.replace(key, (await store.get(key)).version, initial);
  const times = { ours: [], parsed: [], twin: [] };
  const used = process.cpuUsage();
  for (let round = 0; round < rounds; round++) {
    if (round >= leastRounds && secondsSince(used) > budget) break;
    const readings = {
      ours: await processorTime(request, restore),
      parsed: await processorTime(parsing),
      twin: await processorTime(parsing),
    };
    for (const [name, milliseconds] of Object.entries(readings)) times[name].push(milliseconds);
  }
  return { patch, ...times };
}

async function storeOf(engine) {
  if (engine === undefined) return new (library().MemoryStore)();
  const { SqliteStore } = library('stores/sqlite/index');
  const db = new DatabaseSync(join(temporaryFolder(), 'hostile.sqlite'));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const store = new SqliteStore(db, { table: 'notes' });
  await store.setup();
  return store;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/**
 * Of one call, in milliseconds; all threads of the process together. What others have left to the garbage collector is
 * collected before. That throws away compiled code too, so the calls of a first reading are not counted.
 */
async function processorTime(act, restore = () => undefined) {
  collectGarbage();
  await elapsed(5);
  await readingOf(act, restore);
  return readingOf(act, restore);
}

async function readingOf(act, restore) {
  let calls = 0;
  let milliseconds = 0;
  do {
    const start = process.cpuUsage();
    await act();
    milliseconds += 1000 * secondsSince(start);
    calls++;
    await restore();
  } while (milliseconds < reading);
  return milliseconds / calls;
}

function secondsSince(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}
