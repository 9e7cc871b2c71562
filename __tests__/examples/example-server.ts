import { exec, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const root = join(__dirname, '../..');
const run = promisify(exec);

/** Builds what `npm start` builds, by the same commands, but for the types: those were checked before the tests ran. */
export async function buildExamples(): Promise<void> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: { prestart: string; build: string };
  };
  const prestart = scripts.prestart.replace('npm run --silent build', scripts.build);
  await run(prestart.replace(/\btsc -p \S+/g, '$& --noCheck'), {
    cwd: root,
    env: { ...process.env, PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter) },
  });
}

/** A port of 127.0.0.1 that nobody listens on now; a moment later somebody may. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port was given');
  return address.port;
}

/** A process that runs an example. */
export interface ExampleServer {
  readonly process: ChildProcess;
  readonly address: string;
  /** Everything that it has printed, errors too. */
  readonly printed: () => string;
  /** Resolves with its exit status. */
  readonly ended: Promise<number | null>;
}

/** Starts `examples/dist/<name>.js` and waits until it prints its address, or ends. */
export async function startExample(name: string, env: Record<string, string>): Promise<ExampleServer> {
  const child = spawn(process.execPath, [join(root, 'examples/dist', `${name}.js`)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  // With all that it has printed.
  const ended = once(child, 'close').then(([status]) => status as number | null);
  await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  const [address = ''] = /(?<=listening on )\S+/.exec(printed) ?? [];
  return { process: child, address, printed: () => printed, ended };
}
