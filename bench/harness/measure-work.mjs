import { join } from 'node:path';
import { assertAnswers } from './assert-answers.mjs';
import { disturbance } from './disturbance.mjs';
import { startPostgres } from './engine.mjs';
import { ServerProcess } from './server-process.mjs';
import { medianOf, pairedRatio, shuffled, spreadOf } from './statistics.mjs';
import { temporaryFolder } from './temporary-folder.mjs';
import { load, writeRequests } from './wrk.mjs';

/**
 * Measures one work over sockets: all of its servers stay alive, and get load one at a time, in interleaved rounds, in each of which
 * their order is drawn anew. Beside the server that the work names `alike` stands a twin of it.
 *
 * @returns the rows of the table, and what each server did
 */
export async function measureWork(work, { rounds, seconds }) {
  const loads = { ...work.loads, twin: { ...work.loads[work.alike], twin: true } };
  const folder = temporaryFolder();
  const servers = new Map();
  const engine = work.engine === 'postgres' ? await startPostgres() : undefined;
  try {
    const runs = [];
    for (const [name, { server, twin, requests, answer }] of Object.entries(loads)) {
      const id = JSON.stringify([server, twin]);
      if (!servers.has(id)) servers.set(id, await ServerProcess.start(server, { folder, url: engine?.url }));
      const running = servers.get(id);
      await assertAnswers(name, running.port, requests, answer);
      const file = join(folder, `${runs.length}.requests`);
      writeRequests(file, requests);
      runs.push({ name, server: running, refusing: answer.status > 399, file, rates: [], cpu: [] });
    }
    for (const run of runs) await slice(run, work.clients, 2);
    const disturbances = [];
    for (let round = 0; round < rounds; round++) {
      disturbances.push(await disturbance());
      for (const run of shuffled(runs)) {
        const { rate, cpu } = await slice(run, work.clients, seconds);
        run.rates.push(rate);
        run.cpu.push(cpu);
      }
    }
    const disturbed = disturbances.reduce((sum, share) => sum + share, 0) / rounds;
    return { ...results(work, Object.fromEntries(runs.map((run) => [run.name, run]))), disturbed };
  } finally {
    for (const server of servers.values()) await server.stop();
    await engine?.stop();
  }
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
