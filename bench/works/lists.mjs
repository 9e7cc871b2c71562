/**
 * What comparing and merging lists costs in processor time, beside parsing the same texts; and how much more twice the rows
 * cost. In one process, the rounds of each interleaved with those of what it is compared with.
 */
import { library } from '../harness/library.mjs';
import { medianOf, pairedRatio, spreadOf } from '../harness/statistics.mjs';

const numbers = (length) => Array.from({ length }, (_, i) => i);

export const lists = {
  name: 'lists',
  title: 'Differences and merges of lists, in-process',

  check: async () => (await lists.measure({ rounds: 1, reading: 0 })).rows,

  async measure({ rounds, reading = 60 }) {
    const { createJsonPatch, createMergePatch, merge } = library('json/index');
    const measured = [
      besideParsing('createJsonPatch of 50 lists of 1,000 digits', digitLists(2), createJsonPatch, 10),
      besideParsing('merge of 50 lists of 1,000 digits', digitLists(3), merge, 10),
      besideParsing('createMergePatch of 900 levels, 220 KB', [nested(1), nested(2)], createMergePatch, 4),
      ofTwiceTheRows('createJsonPatch, rows swapped', (n) => [rows(n), swapped(n)], createJsonPatch),
      ofTwiceTheRows('merge, rows swapped and edited', (n) => [rows(n), swapped(n), edited(n)], merge),
    ].map((each) => ({ ...each, times: measureTimes(each, rounds, reading) }));
    const table = measured.map(({ work, beside, goal, times }) => ({
      work,
      beside,
      ratio: pairedRatio(times.ours, times.other),
      spread: spreadOf(pairedRatio(times.twin, times.other)),
      goal,
    }));
    const details = measured.map(({ work, times }) => ({
      work,
      'processor time (ms)': medianOf(times.ours).median.toFixed(1),
      'beside (ms)': medianOf(times.other).median.toFixed(1),
      ratio: pairedRatio(times.ours, times.other).median.toFixed(2),
    }));
    return { rows: table, details };
  },
};

/** The values are parsed anew for each call, as they come from a server; that is not part of what is measured. */
function besideParsing(work, values, compare, goal) {
  const texts = values.map((value) => JSON.stringify(value));
  const parse = () => texts.map((text) => JSON.parse(text));
  return {
    work,
    beside: 'JSON.parse of the values',
    goal,
    parse,
    ours: (parsed) => compare(...parsed),
    other: parse,
  };
}

function ofTwiceTheRows(work, toValues, compare) {
  const parsers = [10_000, 20_000].map((n) => {
    const texts = toValues(n).map((value) => JSON.stringify(value));
    return () => texts.map((text) => JSON.parse(text));
  });
  const [once, twice] = parsers;
  return {
    work: `20,000 rows: ${work}`,
    beside: '10,000 rows',
    goal: 2.5,
    parse: twice,
    ours: (parsed) => compare(...parsed),
    parseOther: once,
    other: (parsed) => compare(...parsed),
  };
}

function measureTimes({ parse, ours, other, parseOther = () => [] }, rounds, reading) {
  const times = { ours: [], other: [], twin: [] };
  for (let round = -1; round < rounds; round++) {
    const read = {
      ours: processorTime(parse, ours, reading),
      other: processorTime(parseOther, other, reading),
      twin: processorTime(parseOther, other, reading),
    };
    if (round >= 0) for (const [name, milliseconds] of Object.entries(read)) times[name].push(milliseconds);
  }
  return times;
}

/** Of one call, in milliseconds; of as many as take `reading` milliseconds, and at least one. */
function processorTime(prepare, act, reading) {
  let calls = 0;
  let milliseconds = 0;
  do {
    const prepared = prepare();
    const start = process.cpuUsage();
    act(prepared);
    const { user, system } = process.cpuUsage(start);
    milliseconds += (user + system) / 1000;
    calls++;
  } while (milliseconds < reading);
  return milliseconds / calls;
}

function digitLists(count) {
  return numbers(count).map((value) =>
    numbers(50).map((list) => numbers(1_000).map((i) => (i * (value + 7) + i * i * (list + 3)) % 10)),
  );
}

const nested = (leaf) =>
  numbers(900).reduce((inner, level) => ({ [`level${level}`]: inner, text: 'x'.repeat(210), level }), leaf);

const rows = (n) => numbers(n).map((id) => ({ id, title: `row ${id}`, done: false }));
const swapped = (n) => [...rows(n).slice(n / 2), ...rows(n).slice(0, n / 2)];
const edited = (n) => rows(n).map((row) => (row.id % 100 === 0 ? { ...row, done: true } : row));
