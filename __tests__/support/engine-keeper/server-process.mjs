import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports that no system gives to who asks for any: Linux gives those from 32768 on, and other systems those from 49152. A port that was
 * free a moment ago could else be another test's before the engine listens on it, or while the engine is stopped.
 */
const ports = { first: 20_000, count: 12_000 };
/** Each keeper begins at a place of its own, with room for a cluster. */
let next = process.pid * 8;

/** A port of 127.0.0.1 that nothing listens on, and that nothing but an engine will. */
export async function freePort() {
  for (let tried = 0; tried < ports.count; tried++) {
    const port = ports.first + (next++ % ports.count);
    if (await isFree(port)) return port;
  }
  throw new Error('There is no free port for an engine.');
}

async function isFree(port) {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error.code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** Starts a server, and resolves when it prints that it is ready. If it ends before, the error has what it printed. */
export async function startServer(command, args, ready) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  await new Promise((resolve, reject) => {
    const read = (chunk) => {
      printed = `${printed}${chunk}`.slice(-20_000);
      if (process.env.KEEPER_LOG) process.stderr.write(chunk);
      if (ready.test(printed)) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('close', (status, signal) => {
      reject(
        new Error(`${command} ended with ${status ?? signal} before it was ready. It printed:\n${printed}`),
      );
    });
  });
  return child;
}

/** Ends a child process by its own pid, and waits until it has ended. */
export async function end(child, signal) {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
