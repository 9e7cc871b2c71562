import { join } from 'node:path';
import { assertAnswers } from './assert-answers.mjs';
import { disturbance } from './disturbance.mjs';
import { startPostgres } from './engine.mjs';
import { ServerProcess } from './server-process.mjs';
import { medianOf, pairedRatio, shuffled, spreadOf } from './statistics.mjs';
import { temporaryFolder } from './temporary-folder.mjs';
import { load, writeRequests } from './wrk.mjs';

/** A process can keep a speed of its own for life: so after so many rounds all are started anew. */
const roundsOfOneLife = 5;
const warmUp = 1.5;

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
    return { name, load, refusing: load.answer.status > 399, file, rates: [], cpu: [] };
  });
  const engine = work.engine === 'postgres' ? await startPostgres() : undefined;
  try {
    const disturbances = [];
    for (let left = rounds; left > 0; left -= roundsOfOneLife) {
      const servers = new Map();
      try {
        const place = { folder, url: engine?.url };
        for (const run of shuffled(runs)) await start(run, work.clients, servers, place);
        for (let round = 0; round < Math.min(left, roundsOfOneLife); round++) {
          disturbances.push(await disturbance());
          for (const run of shuffled(runs)) {
            const { rate, cpu } = await slice(run, work.clients, seconds);
            run.rates.push(rate);
            run.cpu.push(cpu);
          }
        }
      } finally {
        for (const server of servers.values()) await server.stop();
      }
    }
    const disturbed = disturbances.reduce((sum, share) => sum + share, 0) / rounds;
    return { ...results(work, Object.fromEntries(runs.map((run) => [run.name, run]))), disturbed };
  } finally {
    await engine?.stop();
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

async function slice({ name, server, file, refusing }, clients, seconds) {
  const before = await server.ask('cpu');
  const { requests, refused, broken, ...took } = await load({ port: server.port, file, clients, seconds });
  const cpu = (await server.ask('cpu')) - before;
  const failed = broken + (refusing ? requests - refused : refused);
  if (failed > 0) throw new Error(`${name}: ${failed} of ${requests} answers were not as they should be`);
  return { rate: requests / took.seconds, cpu: (cpu / requests) * 1e6 };
}

function results(work, runs) {
  const spread = spreadOf(pairedRatio(runs.twin.rates, runs[work.alike].rates));
  const rows = work.rows.map(({ ours, other, ...row }) => ({
    ...row,
    ratio: pairedRatio(runs[ours].rates, runs[other].rates),
    spread,
  }));
  const details = Object.values(runs).map(({ name, rates, cpu }) => ({
    server: name === 'twin' ? `${work.alike} (twin)` : name,
    'requests a second': Math.round(medianOf(rates).median).toLocaleString('en'),
    [`to ${work.alike}`]: pairedRatio(rates, runs[work.alike].rates).median.toFixed(3),
    'processor time each (µs)': medianOf(cpu).median.toFixed(1),
    'by processor time': pairedRatio(runs[work.alike].cpu, cpu).median.toFixed(3),
  }));
  return { rows, details };
}
