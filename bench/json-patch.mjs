/**
 * JSON Patch libraries alone, in one process: parsed document and parsed patch in, patched document out, the
 * input untouched. Libraries that write into their input are given a copy by their own means, or as JSON where
 * they have none, for a server that retries after a lost race needs the input again.
 *
 * Rounds are interleaved and ratios paired round by round, for the machine's speed wanders; "ours again" shows
 * by how much two measurements of the same thing differ.
 *
 * Usage: npm run build && node bench/json-patch.mjs [rounds] [library]
 */
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';

const require = createRequire(import.meta.url);
const { applyJsonPatch } = require('../dist/parsers/json-patch.js');
const fastJsonPatch = require('fast-json-patch');
const rfc6902 = require('rfc6902');
const { immutableJSONPatch } = await import('immutable-json-patch');
const jiff = require('jiff');
const jsonJoy = require('json-joy/lib/json-patch/index.js');
const jsonpatch = require('jsonpatch');

const copyOf = (value) => JSON.parse(JSON.stringify(value));

const libraries = {
  ours: applyJsonPatch,
  'ours again': (document, patch) => applyJsonPatch(document, patch),
  'fast-json-patch strict': (document, patch) =>
    fastJsonPatch.applyPatch(document, patch, true, false).newDocument,
  'fast-json-patch': (document, patch) => fastJsonPatch.applyPatch(document, patch, false, false).newDocument,
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

/** How many of json-patch-test-suite's live cases come out right: a fast wrong answer is no match. */
const suite = [
  'json-patch-test-suite/tests.json',
  'json-patch-test-suite/spec_tests.json',
  '../__tests__/support/json-patch-unreleased-tests.json',
]
  .flatMap((file) => require(file))
  .filter(({ disabled, patch }) => !disabled && patch);
const passed = (apply) =>
  suite.filter(({ doc, patch, expected = doc, error }) => {
    try {
      const result = apply(copyOf(doc), copyOf(patch));
      return error === undefined && isDeepStrictEqual(result, expected);
    } catch {
      return error !== undefined;
    }
  }).length;

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
    notes: Array.from({ length: 60 }, (_, index) => ({
      ...note,
      id: `${folder}-${index}`,
      author: { id: index },
    })),
  })),
};
const foldersPatch = [{ op: 'replace', path: '/folders/30/notes/30/title', value: 'Another title' }];

const [rounds = 31, only] = process.argv.slice(2);
const roundMs = 20;

const deepFreeze = (value) => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
};

const megabytes = (JSON.stringify(folders).length / 1e6).toFixed(1);
const workloads = [
  ['5 operations on a small document', note, notePatch],
  [`1 operation on ${megabytes} MB`, folders, foldersPatch],
  [
    `1 operation on ${megabytes} MB, deep-frozen, as MemoryStore holds it`,
    deepFreeze(copyOf(folders)),
    foldersPatch,
  ],
];

for (const [title, document, patch] of workloads) {
  const before = copyOf([document, patch]);
  const expected = applyJsonPatch(document, patch);
  const measured = Object.keys(libraries).filter(
    (name) => name.startsWith('ours') || name.includes(only ?? ''),
  );
  const rates = Object.fromEntries(measured.map((name) => [name, []]));
  for (let round = -3; round < Number(rounds); round++) {
    const names = Object.keys(rates);
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round + 3) % names.length];
      const rate = callsPerSecond(libraries[name], document, patch);
      if (round >= 0) rates[name].push(rate);
    }
  }
  console.log(`\n${title}`);
  for (const [name, own] of Object.entries(rates)) {
    const ratios = own.map((rate, round) => rate / rates.ours[round]).sort((a, b) => a - b);
    const right = isDeepStrictEqual(libraries[name](document, patch), expected) ? '' : '  (another result)';
    const at = (share) => ratios[Math.round(share * (ratios.length - 1))].toFixed(3);
    const rate = Math.round(own.sort((a, b) => a - b)[own.length >> 1]);
    const cases = `${passed(libraries[name])} of ${suite.length} cases`;
    console.log(`${name.padEnd(24)} ${at(0.5)}  (${at(0.1)} to ${at(0.9)})  ${rate}/s, ${cases}${right}`);
  }
  if (!isDeepStrictEqual([document, patch], before)) console.log('some library has changed the input');
}

/** Calls per second of processor time, which other processes on the machine disturb less than the clock's. */
function callsPerSecond(apply, document, patch) {
  const start = process.cpuUsage();
  let calls = 0;
  let microseconds;
  do {
    for (let i = 0; i < 10; i++) apply(document, patch);
    calls += 10;
    const { user, system } = process.cpuUsage(start);
    microseconds = user + system;
  } while (microseconds < roundMs * 1000);
  return (calls * 1e6) / microseconds;
}
