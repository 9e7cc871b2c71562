/**
 * Libraries that create a JSON Patch, in one process: two parsed documents in, operations out. Applied to the first document by
 * somebody else's code, the operations must give the second.
 */
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { library } from '../harness/library.mjs';
import { leastRounds, medianOf, pairedRatio, spreadOf } from '../harness/statistics.mjs';

const require = createRequire(import.meta.url);
const ours = 'createJsonPatch';
const twin = `${ours} (twin)`;

const numbers = (length) => Array.from({ length }, (_, i) => i);
const copyOf = (value) => JSON.parse(JSON.stringify(value));

const row = (id) => ({ id, title: `row ${id}`, done: false, tags: ['one', 'two'] });
const rows = (count) => numbers(count).map(row);
/** Two of two hundred are edited, removed and inserted each, and the first is now the last. */
const editedRows = (count) =>
  rows(count)
    .flatMap((row, i) => {
      if (i % 100 === 25) return [];
      if (i % 100 === 10) return [row, { ...row, id: count + i, title: 'inserted' }];
      return i % 100 === 50 ? [{ ...row, done: true }] : [row];
    })
    .map((_, i, all) => all[(i + 1) % all.length]);

const texts = (count) => numbers(count).map((i) => `text ${(i * 7919) % count}`);
const editedTexts = (count) =>
  texts(count).flatMap((text, i) => {
    if (i % 50 === 10) return [];
    return i % 50 === 30 ? [text, `${text}, inserted`] : [text];
  });

/** As a tree of settings: 4 members on each of 6 levels. */
const tree = (level, path = '') =>
  Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name) => [
      name,
      level === 0 ? `value of ${path}${name}` : tree(level - 1, path + name),
    ]),
  );
function editedTree() {
  const edited = tree(5);
  edited.a.b.c.d.a.b = 'another';
  edited.d.c.b.a.d = { new: true };
  delete edited.b.b.b.b.b.b;
  edited.c.a = copyOf(edited.c.a);
  return edited;
}

/** Made when they are measured: the last holds a hundred megabytes, which would slow the collector in every work after it. */
const pairs = {
  '200 rows with ids': () => ({ before: rows(200), after: editedRows(200) }),
  'a list of 200 texts': () => ({ before: texts(200), after: editedTexts(200) }),
  'objects in 6 levels, 4,096 texts': () => ({ before: tree(5), after: editedTree() }),
  '100,000 rows with ids': () => ({
    before: rows(100_000),
    after: rows(100_000).flatMap((row) => {
      if (row.id === 500) return [];
      return row.id % 1_000 === 0 ? [{ ...row, done: true }] : [row];
    }),
    isLong: true,
  }),
};

export const differences = {
  name: 'differences',
  title: 'Libraries that create a JSON Patch',

  /** The fastest can be any of those that are right; the long pair takes too long for a check. */
  async check() {
    const libraries = await loadLibraries();
    const notQuadratic = Object.keys(libraries).filter((name) => libraries[name].isQuadratic !== true);
    return Object.entries(pairs).flatMap(([title, make]) => {
      const pair = make();
      return othersOf(pair.isLong ? notQuadratic : rightOnes(libraries, pair))
        .flatMap((name) => [name, besideFew(name)])
        .map((beside) => ({ work: workOf(title), beside }));
    });
  },

  /**
   * Compared is the fastest of the others whose operations are right on the same pair. Where that has many more of them, as a
   * comparison by place has after an insertion, the fastest that has not is compared, too.
   */
  async measure({ rounds }) {
    const libraries = await loadLibraries();
    const measured = Object.entries(pairs).map(([title, make]) => ({
      title,
      ...measurePair(libraries, make(), rounds),
    }));
    const rows = measured.flatMap(({ title, times, operations }) => {
      const time = (name) => medianOf(times[name]).median;
      const others = othersOf(Object.keys(times)).sort((a, b) => time(a) - time(b));
      const rowBeside = (name, beside = name) => ({
        work: workOf(title),
        beside,
        ratio: ratio(times[ours], times[name]),
        spread: spreadOf(ratio(times[twin], times[ours])),
        goal: 1,
      });
      const few = others.find((name) => operations[name] <= 2 * operations[ours]);
      const isFastest = few === undefined || few === others[0];
      return [rowBeside(others[0]), ...(isFastest ? [] : [rowBeside(few, besideFew(few))])];
    });
    const details = measured.flatMap(({ title, isLong, times, operations, bytes }) =>
      Object.entries(libraries).map(([name, { isQuadratic }]) => {
        const about = { pair: title, library: name };
        if (!(name in times)) {
          return { ...about, note: isQuadratic && isLong ? 'not tried: quadratic' : 'not right' };
        }
        return {
          ...about,
          'processor time (ms)': medianOf(times[name]).median.toFixed(3),
          'to ours': ratio(times[name], times[ours]).median.toFixed(3),
          operations: operations[name].toLocaleString('en'),
          bytes: bytes[name].toLocaleString('en'),
        };
      }),
    );
    return { rows, details };
  },
};

/** Of the rounds that both have had. */
const ratio = (values, others) => pairedRatio(values.slice(0, others.length), others);

const workOf = (title) => `JSON Patch created, ${title}`;
const besideFew = (name) => `${name}, the fastest with at most twice our operations`;
const othersOf = (names) => names.filter((name) => ![ours, twin].includes(name));

async function loadLibraries() {
  const { createJsonPatch } = library('json/index');
  const fastJsonPatch = require('fast-json-patch');
  const rfc6902 = require('rfc6902');
  const jiff = require('jiff');
  const { diff, jsonPatchPathConverter } = require('just-diff');
  const { JsonPatchDiff } = require('json-joy/lib/json-patch-diff/JsonPatchDiff.js');
  const jsondiffpatch = await import('jsondiffpatch');
  const { format } = await import('jsondiffpatch/formatters/jsonpatch');
  const differ = jsondiffpatch.create({ objectHash: ({ id }) => id });
  return {
    [ours]: { compare: createJsonPatch },
    [twin]: { compare: (before, after) => createJsonPatch(before, after) },
    'fast-json-patch': { compare: fastJsonPatch.compare },
    rfc6902: { compare: rfc6902.createPatch, isQuadratic: true },
    jiff: {
      compare: (before, after) => jiff.diff(before, after, { hash, invertible: false }),
      isQuadratic: true,
    },
    'just-diff': { compare: (before, after) => diff(before, after, jsonPatchPathConverter) },
    jsondiffpatch: {
      compare: (before, after) => format(differ.diff(before, after), before),
      isQuadratic: true,
    },
    'json-joy': { compare: (before, after) => new JsonPatchDiff().diff('', before, after) },
  };
}

/** What jiff recognises an element by, as its documentation advises. */
const hash = (value) => value?.id ?? JSON.stringify(value);

/** The libraries whose operations turn one document into the other, and that leave both as they were. */
function rightOnes(libraries, { before, after, isLong = false }) {
  const apply = require('fast-json-patch').applyPatch;
  const copies = copyOf([before, after]);
  return Object.keys(libraries).filter((name) => {
    const { compare, isQuadratic = false } = libraries[name];
    if (isQuadratic && isLong) return false;
    try {
      const operations = copyOf(compare(before, after));
      return (
        isDeepStrictEqual(apply(copyOf(before), operations).newDocument, after) &&
        isDeepStrictEqual([before, after], copies)
      );
    } catch {
      return false;
    }
  });
}

/** A reading takes so many milliseconds of processor time, and at least one call. */
const reading = 20;
const warmUps = 1;
/** A library that has used so many milliseconds on a pair gets no more rounds, once it has had enough for an interval. */
const budget = 3_000;

/** Milliseconds of processor time for each call. */
function measurePair(libraries, pair, rounds) {
  const names = rightOnes(libraries, pair);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  const used = Object.fromEntries(names.map((name) => [name, 0]));
  for (let round = -warmUps; round < rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round + warmUps) % names.length];
      if (round >= leastRounds && used[name] > budget) continue;
      const { all, each } = timeOf(libraries[name].compare, pair);
      used[name] += all;
      if (round >= 0) times[name].push(each);
    }
  }
  const patches = names.map((name) => [name, libraries[name].compare(pair.before, pair.after)]);
  return {
    isLong: pair.isLong,
    times,
    operations: Object.fromEntries(patches.map(([name, patch]) => [name, patch.length])),
    bytes: Object.fromEntries(patches.map(([name, patch]) => [name, JSON.stringify(patch).length])),
  };
}

function timeOf(compare, { before, after }) {
  const start = process.cpuUsage();
  let calls = 0;
  let milliseconds;
  do {
    compare(before, after);
    calls++;
    const { user, system } = process.cpuUsage(start);
    milliseconds = (user + system) / 1000;
  } while (milliseconds < reading);
  return { all: milliseconds, each: milliseconds / calls };
}
