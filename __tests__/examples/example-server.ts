import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { listen } from '../support/serving';
import { runTypescript } from '../support/run-typescript';

/** A port of 127.0.0.1 that nobody listens on now; a moment later somebody may. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await once(server.close(), 'close');
  return port;
}

/** A process that runs an example. */
export interface ExampleServer {
  readonly process: ChildProcess;
  /** Where it listens. Throws, with what it has printed, if it has ended instead. */
  readonly address: string;
  /** Everything that it has printed, errors too. */
  readonly printed: () => string;
  /** Resolves with its exit status. */
  readonly ended: Promise<number | null>;
}

/** Starts an example and waits until it prints its address, or ends. */
export function startExample(name: string, env: Record<string, string>): Promise<ExampleServer> {
  const source = join(__dirname, '../../examples', `${name}.ts`);
  return startedServer(runTypescript(source, [], { env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** Waits until a process prints the address on which it listens, or ends. */
export async function startedServer(child: ChildProcess): Promise<ExampleServer> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('What the process prints is not piped.');
  let printed = '';
  for (const stream of [stdout, stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  // With all that it has printed.
  const ended = once(child, 'close').then(([status]) => status as number | null);
  await Promise.race([once(createInterface(stdout), 'line'), ended]);
  return {
    process: child,
    get address() {
      const [address] = /(?<=listening on )\S+/.exec(printed) ?? [];
      if (address === undefined) throw new Error(`The server does not listen. It printed:\n${printed}`);
      return address;
    },
    printed: () => printed,
    ended,
  };
}
