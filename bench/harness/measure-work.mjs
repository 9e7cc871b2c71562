import { join } from 'node:path';
import { assertAnswers } from './assert-answers.mjs';
import { disturbance } from './disturbance.mjs';
import { startEngines } from './engine.mjs';
import { ServerProcess } from './server-process.mjs';
import { addedRatio, medianOf, pairedRatio, shuffled, spreadOf } from './statistics.mjs';
import { temporaryFolder } from './temporary-folder.mjs';
import { load, writeRequests } from './wrk.mjs';

/** A process can keep a speed of its own for life: so after so many rounds, or fewer, all are started anew. */
const roundsOfOneLife = 5;
const warmUp = 1;

/**
 * Measures one work over sockets: all of its servers stay alive, and get load one at a time, in interleaved rounds, in each
 * of which their order is drawn anew. Beside the server that the work names `alike` stands a twin of it.
 *
 * @returns the rows of the table, and what each server did
 */
export async function measureWork(work, { rounds, seconds }) {
  const loads = { ...work.loads, twin: { ...work.loads[work.alike], twin: true } };
  const folder = temporaryFolder();
  const runs = Object.entries(loads).map(([name, load]) => {
    const file = join(folder, `${name}.requests`);
    writeRequests(file, load.requests);
    return { name, load, refusing: load.answer.status > 399, file, slices: [] };
  });
  const engines = await startEngines(work.engines);
  try {
    const disturbances = [];
    const lives = Math.ceil(rounds / roundsOfOneLife);
    for (let life = 0; life < lives; life++) {
      const servers = new Map();
      try {
        const place = { folder, urls: engines.urls };
        for (const run of shuffled(runs)) await start(run, work.clients, servers, place);
        for (let round = 0; round < Math.ceil((rounds - life) / lives); round++) {
          disturbances.push(await disturbance());
          for (const run of shuffled(runs)) run.slices.push(await slice(run, work.clients, seconds));
        }
      } finally {
        for (const server of servers.values()) await server.stop();
      }
    }
    const disturbed = disturbances.reduce((sum, share) => sum + share, 0) / rounds;
    return {
      ...results(work, Object.fromEntries(runs.map(({ name, slices }) => [name, slices]))),
      disturbed,
    };
  } finally {
    await engines.stop();
  }
}

/**
 * Starts a run's server, unless another run has, and warms it up at once: one that has stood idle for some seconds before its
 * first load is slower for life, by 15 %.
 */
async function start(run, clients, servers, place) {
  const { server, twin, requests, answer } = run.load;
  const id = JSON.stringify([server, twin]);
  if (!servers.has(id)) servers.set(id, await ServerProcess.start(server, place));
  run.server = servers.get(id);
  await assertAnswers(run.name, run.server.port, requests, answer);
  await slice(run, clients, warmUp);
}

/** Microseconds of the server's processor time for each request, requests a second, and milliseconds until their answers. */
async function slice({ name, server, file, refusing }, clients, seconds) {
  const before = await server.ask('cpu');
  const { requests, refused, broken, ...took } = await load({ port: server.port, file, clients, seconds });
  const cpu = (await server.ask('cpu')) - before;
  const failed = broken + (refusing ? requests - refused : refused);
  if (failed > 0) throw new Error(`${name}: ${failed} of ${requests} answers were not as they should be`);
  return { cpu: (cpu / requests) * 1e6, rate: requests / took.seconds, mean: took.mean, p99: took.p99 };
}

/** Ratios are of processor time, or of another figure that the work names; of what is added to a `base`, where a row names one. */
function results({ alike, figure = 'cpu', rows }, slices) {
  const values = (name, figure) => slices[name].map((slice) => slice[figure]);
  const median = (name, figure) => medianOf(values(name, figure)).median;
  const ratio = (ours, other, base) =>
    base === undefined
      ? pairedRatio(values(ours, figure), values(other, figure))
      : addedRatio(values(ours, figure), values(other, figure), values(base, figure));
  const throughput = (ours, other) => pairedRatio(values(ours, 'rate'), values(other, 'rate')).median;
  return {
    rows: rows.map(({ ours, other, base, ...row }) => ({
      ...row,
      ratio: ratio(ours, other, base),
      spread: spreadOf(ratio('twin', alike, base)),
      throughput: base === undefined ? throughput(ours, other) : undefined,
    })),
    details: Object.keys(slices).map((name) => ({
      server: name === 'twin' ? `${alike} (twin)` : name,
      'processor time (µs)': median(name, 'cpu').toFixed(1),
      [`to ${alike}`]: pairedRatio(values(name, 'cpu'), values(alike, 'cpu')).median.toFixed(3),
      'requests a second': Math.round(median(name, 'rate')).toLocaleString('en'),
      [`throughput to ${alike}`]: throughput(name, alike).toFixed(3),
      'mean latency (ms)': median(name, 'mean').toFixed(2),
      '99 % within (ms)': median(name, 'p99').toFixed(2),
    })),
  };
}
