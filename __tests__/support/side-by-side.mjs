/**
 * Runs two commands side by side: `node side-by-side.mjs 'npm run types' jest …`. Each uses what the other leaves of the cores.
 * What the first prints is shown when it is done.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const [, , beside, command, ...args] = process.argv;
// Jest loads each module anew for each test file. With room for that, a tenth of the processor time is not spent on collecting garbage.
const env = { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=32` };

async function statusOf(child) {
  const [status] = await once(child, 'close');
  return status ?? 1;
}

async function runBeside() {
  const child = spawn(beside, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk));
  const status = await statusOf(child);
  process.stderr.write(Buffer.concat(printed));
  return status;
}

const shell = process.platform === 'win32';
const statuses = await Promise.all([
  runBeside(),
  statusOf(spawn(command, args, { stdio: 'inherit', shell, env })),
]);
process.exitCode = Math.max(...statuses);
