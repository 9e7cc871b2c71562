import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { medianOf, pairedRatio, shuffled, spreadOf } from '../harness/statistics.mjs';

const script = join(import.meta.dirname, '../harness/load-package.mjs');
const express = 'express';
const ours = 'patch-options';
const others = ['rows', 'explain', 'json', 'client', 'testing'].map((entry) => `${ours}/${entry}`);
/** What is loaded before, and then what is measured. */
const runs = {
  [express]: [express],
  'express (twin)': [express],
  [ours]: [ours],
  [`${ours}, after Express`]: [express, ours],
  ...Object.fromEntries(others.map((entry) => [entry, [entry]])),
};

/** Loads and so compiles, each time in a process of its own; what is loaded has been read before, and is in the system's cache. */
export const load = {
  name: 'load',
  title: 'Loading the library',

  check: async () => (await load.measure({ rounds: 1 })).rows,

  async measure({ rounds }) {
    const loaded = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
    for (let round = -1; round < rounds; round++) {
      for (const name of shuffled(Object.keys(runs))) {
        const reading = loadPackages(runs[name]);
        if (round >= 0) loaded[name].push(reading);
      }
    }
    const times = (name) => loaded[name].map(({ milliseconds }) => milliseconds);
    const spread = spreadOf(pairedRatio(times('express (twin)'), times(express)));
    const row = (name) => ({
      work: `processor time of require('${ours}')${name.slice(ours.length)}`,
      beside: `require('${express}')`,
      ratio: pairedRatio(times(name), times(express)),
      spread,
      goal: 0.25,
    });
    return {
      rows: [
        { ...row(ours), bar: ['Loading the library', 'loading Express'] },
        row(`${ours}, after Express`),
      ],
      details: Object.entries(loaded).map(([name, [{ files }]]) => ({
        loaded: name,
        'processor time (ms)': medianOf(times(name)).median.toFixed(1),
        'to express': pairedRatio(times(name), times(express)).median.toFixed(3),
        files,
      })),
    };
  },
};

function loadPackages(packages) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...packages], {
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) throw new Error(`${packages.join(' and ')} could not be loaded: ${stderr}`);
  return JSON.parse(stdout);
}
