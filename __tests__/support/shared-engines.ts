/**
 * The engines that the test files of one run share. Each is started when the first file asks for it, so that a run which
 * needs none starts none, and all are ended after the last file.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type EngineName, KeptEngine } from './kept-engine';
import { portOf } from './serving';

const engines = new Map<string, Promise<KeptEngine>>();
let server: Server | undefined;

/**
 * Answers `/postgres` with the URLs of PostgreSQL, and so on, at the address in SHARED_ENGINES. If there is one, it belongs to a process
 * that runs Jest many times.
 */
export async function openSharedEngines(): Promise<void> {
  if (process.env['SHARED_ENGINES'] !== undefined) return;
  // However long a busy machine takes from one request to the next: fetch may send one on a connection that is just being closed.
  server = createServer({ keepAliveTimeout: 0 }, (req, res) => {
    const name = (req.url ?? '').slice(1);
    const engine = engines.get(name) ?? KeptEngine.start(name as EngineName);
    engines.set(name, engine);
    engine.then(
      ({ urls }) => res.end(JSON.stringify(urls)),
      (error: unknown) => res.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env['SHARED_ENGINES'] = `http://127.0.0.1:${portOf(server)}`;
}

export async function closeSharedEngines(): Promise<void> {
  if (server === undefined) return;
  delete process.env['SHARED_ENGINES'];
  server.close();
  server.closeAllConnections();
  await Promise.allSettled([...engines.values()].map(async (engine) => (await engine).close()));
}
