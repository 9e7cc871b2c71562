import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { clearTimeout, setTimeout } from 'node:timers';

const script = join(import.meta.dirname, 'wrk.lua');

/**
 * The version of wrk. Load comes from wrk alone: a generator in JavaScript needs more processor time than the servers
 * that it is to measure.
 */
export function wrkVersion() {
  const { error, stdout } = spawnSync('wrk', ['--version'], { encoding: 'utf8' });
  if (error) throw new Error('There is no wrk here, which makes the load: apt-get install wrk');
  return /wrk (\S+)/.exec(stdout)?.[1] ?? 'unknown';
}

/** Writes the file of requests that wrk.lua reads. */
export function writeRequests(file, requests) {
  const texts = requests.map(requestText);
  writeFileSync(file, texts.map((text) => `${Buffer.byteLength(text)}\n${text}`).join(''));
}

function requestText({ method, path, headers = {}, body }) {
  const fields = { Host: '127.0.0.1', ...headers };
  if (body !== undefined) fields['Content-Length'] = Buffer.byteLength(body);
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

/**
 * Load on one server, from one thread. wrk itself takes whole seconds only, but tells its figures also when interrupted.
 * @returns requests answered, the seconds it took, the milliseconds that an answer took on average and that 99 % took at most,
 *   and how many answers had a status over 399 or did not come
 */
export async function load({ port, file, clients, seconds }) {
  const settings = ['-t1', `-c${clients}`, `-d${Math.ceil(seconds) + 5}s`, '--timeout', '30s', '-s', script];
  const wrk = spawn('wrk', [...settings, `http://127.0.0.1:${port}`, '--', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const timer = setTimeout(() => wrk.kill('SIGINT'), 1000 * seconds);
  try {
    return JSON.parse((await text(wrk.stdout)).trim().split('\n').at(-1));
  } finally {
    clearTimeout(timer);
    wrk.kill();
  }
}
