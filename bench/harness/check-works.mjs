import { availableParallelism } from 'node:os';
import { assertAnswers } from './assert-answers.mjs';
import { startEngines } from './engine.mjs';
import { ServerProcess } from './server-process.mjs';
import { temporaryFolder } from './temporary-folder.mjs';

/**
 * Starts each server of the works once, and asserts its first answers. A work without servers has a `check` of its own.
 *
 * @returns the titles of the sections and the rows of the table that RESULTS.md can have of them
 */
export async function checkWorks(works) {
  await checkServers(works.filter(({ loads }) => loads));
  const rows = [];
  for (const work of works) rows.push(...(work.loads ? work.rows : await work.check()));
  return {
    sections: works.map(({ title }) => title),
    rows: rows.map(({ work, beside }) => ({ work, beside })),
  };
}

async function checkServers(works) {
  const engines = await startEngines([...new Set(works.flatMap((work) => work.engines ?? []))]);
  const place = { folder: temporaryFolder(), urls: engines.urls };
  const rest = loadsByServer(works).values();
  try {
    const checks = Array.from({ length: availableParallelism() }, () => checkEach(rest, place));
    // A server that still starts while this process ends would print an error of its own.
    const [failed] = (await Promise.allSettled(checks)).filter(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
  } finally {
    await engines.stop();
  }
}

/** Several works load the same server. */
function loadsByServer(works) {
  const servers = new Map();
  for (const { name: work, loads } of works) {
    for (const [name, load] of Object.entries(loads)) {
      const id = JSON.stringify(load.server);
      servers.set(id, [...(servers.get(id) ?? []), { name: `${work}: ${name}`, ...load }]);
    }
  }
  return servers;
}

async function checkEach(servers, place) {
  for (const loads of servers) {
    const server = await ServerProcess.start(loads[0].server, place);
    try {
      for (const { name, requests, answer } of loads) {
        await assertAnswers(name, server.port, requests, answer);
      }
    } finally {
      await server.stop();
    }
  }
}
