/**
 * JSON Patch libraries alone, in one process: parsed document and parsed patch in, patched document out, the
 * input untouched. Libraries that write into their input are given a copy by their own means, or as JSON where
 * they have none, for a server that retries after a lost race needs the input again.
 */
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { library } from '../harness/library.mjs';
import { medianOf, pairedRatio, spreadOf } from '../harness/statistics.mjs';

const require = createRequire(import.meta.url);
const roundMs = 20;
const copyOf = (value) => JSON.parse(JSON.stringify(value));

const note = {
  id: '7f3c',
  title: 'A note',
  body: 'Some text that a note might have, of a sentence or two.',
  tags: ['one', 'two', 'three'],
  author: { id: 1, name: 'Ann', address: { street: 'Main Street 1', city: 'Town', zip: '12345' } },
  createdAt: '2024-01-01T00:00:00Z',
  revision: 12,
};
const notePatch = [
  { op: 'test', path: '/revision', value: 12 },
  { op: 'replace', path: '/title', value: 'Another title' },
  { op: 'add', path: '/tags/1', value: 'inserted' },
  { op: 'remove', path: '/author/address/zip' },
  { op: 'move', from: '/createdAt', path: '/author/since' },
];

/** 0.9 MB; no container on the path has more than 100 children. */
const folders = {
  folders: Array.from({ length: 60 }, (_, folder) => ({
    name: `folder ${folder}`,
    notes: Array.from({ length: 75 }, (_, index) => ({
      ...note,
      id: `${folder}-${index}`,
      author: { id: index },
    })),
  })),
};
const foldersPatch = [{ op: 'replace', path: '/folders/30/notes/30/title', value: 'Another title' }];

export const jsonPatchAlone = {
  name: 'json-patch',
  title: 'JSON Patch libraries alone',

  /** The fastest can be any of the others that pass every case of the suite. */
  async check() {
    const libraries = await loadLibraries();
    const { right } = readSuite(libraries);
    return workloads().flatMap((workload) => {
      measureWorkload(libraries, workload, { rounds: 1, warmUps: 0, milliseconds: 0 });
      return right.map((beside) => ({ work: workOf(workload), beside }));
    });
  },

  /** Compared is the fastest of the others that pass every case of the suite: a fast wrong answer is no match. */
  async measure({ rounds }) {
    const libraries = await loadLibraries();
    const { cases, passed, right } = readSuite(libraries);
    const measured = workloads().map((workload) => measureWorkload(libraries, workload, { rounds }));
    const rows = measured.map(({ title, rates, spread }) => {
      const speed = (name) => medianOf(rates[name]).median;
      const [other] = [...right].sort((a, b) => speed(b) - speed(a));
      const ratio = pairedRatio(rates[other], rates.ours);
      return { work: workOf({ title }), beside: other, ratio, spread, goal: 1 };
    });
    const details = measured.flatMap(({ title, rates, changed }) =>
      Object.entries(rates).map(([name, own]) => ({
        work: title,
        library: name,
        'calls a second': Math.round(medianOf(own).median).toLocaleString('en'),
        'to ours': pairedRatio(own, rates.ours).median.toFixed(3),
        'suite passed': `${passed[name]} of ${cases.length}`,
        ...(changed.includes(name) && { note: 'another result' }),
      })),
    );
    return { rows, details };
  },
};

const workOf = ({ title }) => `JSON Patch alone, ${title}`;

async function loadLibraries() {
  const { applyJsonPatch } = library('json/index');
  const fastJsonPatch = require('fast-json-patch');
  const rfc6902 = require('rfc6902');
  const { immutableJSONPatch } = await import('immutable-json-patch');
  const jiff = require('jiff');
  const jsonJoy = require('json-joy/lib/json-patch/index.js');
  const jsonpatch = require('jsonpatch');
  return {
    ours: applyJsonPatch,
    'ours (twin)': (document, patch) => applyJsonPatch(document, patch),
    'fast-json-patch strict': (document, patch) =>
      fastJsonPatch.applyPatch(document, patch, true, false).newDocument,
    'fast-json-patch': (document, patch) =>
      fastJsonPatch.applyPatch(document, patch, false, false).newDocument,
    rfc6902: (document, patch) => {
      const copy = copyOf(document);
      for (const error of rfc6902.applyPatch(copy, patch)) if (error) throw error;
      return copy;
    },
    'immutable-json-patch': immutableJSONPatch,
    jiff: (document, patch) => jiff.patch(patch, document),
    jsonpatch: jsonpatch.apply_patch,
    'json-joy': (document, patch) => jsonJoy.applyPatch(document, patch, { mutate: false }).doc,
  };
}

/** How many cases each library passes, and which of the others pass all. */
function readSuite(libraries) {
  const cases = suite();
  const passed = Object.fromEntries(
    Object.entries(libraries).map(([name, apply]) => [name, passedOf(cases, apply)]),
  );
  const others = Object.keys(libraries).filter((name) => !name.startsWith('ours'));
  return { cases, passed, right: others.filter((name) => passed[name] === cases.length) };
}

/** json-patch-test-suite's live cases. */
const suite = () =>
  [
    'json-patch-test-suite/tests.json',
    'json-patch-test-suite/spec_tests.json',
    '../../__tests__/support/json-patch-unreleased-tests.json',
  ]
    .flatMap((file) => require(file))
    .filter(({ disabled, patch }) => !disabled && patch);

const passedOf = (cases, apply) =>
  cases.filter(({ doc, patch, expected = doc, error }) => {
    try {
      const result = apply(copyOf(doc), copyOf(patch));
      return error === undefined && isDeepStrictEqual(result, expected);
    } catch {
      return error !== undefined;
    }
  }).length;

function workloads() {
  const megabytes = (JSON.stringify(folders).length / 1e6).toFixed(1);
  return [
    { title: '5 operations on a small document', document: note, patch: notePatch },
    { title: `1 operation on ${megabytes} MB`, document: folders, patch: foldersPatch },
    {
      title: `1 operation on ${megabytes} MB, frozen as MemoryStore holds it`,
      document: deepFreeze(copyOf(folders)),
      patch: foldersPatch,
    },
  ];
}

function deepFreeze(value) {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

function measureWorkload(
  libraries,
  { title, document, patch },
  { rounds, warmUps = 3, milliseconds = roundMs },
) {
  const before = copyOf([document, patch]);
  const expected = libraries.ours(document, patch);
  const names = Object.keys(libraries);
  const rates = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round + warmUps) % names.length];
      const rate = callsPerSecond(libraries[name], document, patch, milliseconds);
      if (round >= 0) rates[name].push(rate);
    }
  }
  if (!isDeepStrictEqual([document, patch], before)) throw new Error('Some library has changed its input');
  const changed = names.filter((name) => !isDeepStrictEqual(libraries[name](document, patch), expected));
  return { title, rates, changed, spread: spreadOf(pairedRatio(rates['ours (twin)'], rates.ours)) };
}

/** Calls per second of processor time, which other processes on the machine disturb less than the clock's. */
function callsPerSecond(apply, document, patch, milliseconds) {
  const start = process.cpuUsage();
  let calls = 0;
  let microseconds;
  do {
    for (let i = 0; i < 10; i++) apply(document, patch);
    calls += 10;
    const { user, system } = process.cpuUsage(start);
    microseconds = user + system;
  } while (microseconds < milliseconds * 1000);
  return (calls * 1e6) / microseconds;
}
