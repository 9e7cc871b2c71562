import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Below those that systems give to whoever asks for any port (Linux: 32768 and up), of which another test could be given this one
 * before the engine listens; and elsewhere for each process, as several look for ports at once.
 */
const ports = { first: 20_000, count: 12_000, ofProcess: 8 };
let next = process.pid * ports.ofProcess;

/** A port of 127.0.0.1 that nothing listens on now. */
export async function freePort() {
  for (let tries = 0; tries < ports.count; tries++) {
    const port = ports.first + (next++ % ports.count);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error(`All ports from ${ports.first} on are in use`);
}

/** Ends a child process by its own pid, and waits until it has ended. */
export async function end(child, signal) {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** Tries until `act` resolves, for a minute; then its own error. */
export async function eventually(act) {
  const end = performance.now() + 60_000;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(50);
    }
  }
}
