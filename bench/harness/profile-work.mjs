import { join, resolve } from 'node:path';
import { startEngines } from './engine.mjs';
import { topFunctions } from './profile.mjs';
import { ServerProcess } from './server-process.mjs';
import { temporaryFolder } from './temporary-folder.mjs';
import { load, writeRequests } from './wrk.mjs';

/** Profiles each server of a work under load, after a warm-up, and prints where the time went. */
export async function profileWork(work, { seconds, only }) {
  const folder = temporaryFolder();
  const { urls, stop } = await startEngines(work.engines);
  try {
    for (const [name, { server, requests }] of Object.entries(work.loads)) {
      if (only !== undefined && only !== name) continue;
      const file = join(folder, 'requests');
      writeRequests(file, requests);
      const running = await ServerProcess.start(server, { folder, urls });
      const profile = resolve(`${work.name} ${name}.cpuprofile`.replaceAll(' ', '-'));
      const slice = { port: running.port, file, clients: work.clients };
      try {
        await load({ ...slice, seconds: 3 });
        await running.ask('startProfile');
        await load({ ...slice, seconds });
        await running.ask('stopProfile', profile);
      } finally {
        await running.stop();
      }
      console.log(`\n${work.name}: ${name} (${profile})`);
      for (const { share, name } of topFunctions(profile)) {
        console.log(`${(100 * share).toFixed(1).padStart(6)} %  ${name}`);
      }
    }
  } finally {
    await stop();
  }
}
