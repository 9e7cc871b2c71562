import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A port of 127.0.0.1 that nothing listens on now. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Ends a child process by its own pid, and waits until it has ended. */
export async function end(child, signal) {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** Tries until `act` resolves, for ten seconds; then its own error. */
export async function eventually(act) {
  for (let left = 200; ; left--) {
    try {
      return await act();
    } catch (error) {
      if (left === 0) throw error;
      await delay(50);
    }
  }
}
