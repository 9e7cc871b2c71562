/** Sends a request for each place and fault, in a process of its own, and prints what was amiss, a line each. */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { frameworks } from '../../support/frameworks';
import { portOf } from '../../support/serving';
import { allFaults, someFaults } from './faults';
import { places, wentOn, type Place } from './places';

const [name, which] = process.argv.slice(2);
const [, express] = frameworks.find(([title]) => title === name) ?? [];
let listener: RequestListener;
let during = '';
const amiss: { readonly place: string; readonly what: string; readonly happened: string }[] = [];

const report = (happened: string): void => {
  const [place = '', what = ''] = during.split('\n');
  amiss.push({ place, what, happened });
};
process.on('uncaughtException', () => {
  report('an uncaughtException');
});
process.on('unhandledRejection', () => {
  report('an unhandledRejection');
});

async function run(): Promise<void> {
  if (express === undefined) throw new Error(`There is no ${String(name)}`);
  // However long a busy machine takes from one request to the next.
  const server = createServer({ keepAliveTimeout: 0 }, (req, res) => {
    listener(req, res);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let sent = 0;
  for (const [i, place] of places.entries()) {
    const faults = which === 'all' ? allFaults() : someFaults(i);
    for (const { what, throws, atOnce, call } of faults) {
      if (place.onlyThrows === true && !atOnce) continue;
      during = `${place.place}\n${what}`;
      listener = place.app(express, call);
      const status = await statusOf(place, portOf(server), agent);
      sent++;
      if (throws && !isRight(place, status)) report(`status ${status}`);
      if (!throws && status === 'no answer') report(status);
    }
    await delay(10);
  }
  process.stdout.write(JSON.stringify({ sent, amiss }), () => process.exit());
}

function isRight({ place, answer }: Place, status: number | string): boolean {
  if (answer !== undefined) return status === answer;
  if (place.startsWith('next')) return status !== 'no answer';
  return typeof status === 'number' && status >= 400 && status !== 404 && status !== wentOn;
}

async function statusOf(
  { method = 'PATCH', headers, body = '{"title":"new"}' }: Place,
  port: number,
  agent: Agent,
): Promise<number | string> {
  const type = method === 'PATCH' ? { 'Content-Type': 'application/merge-patch+json' } : {};
  const req = request({
    host: '127.0.0.1',
    port,
    agent,
    method,
    path: '/notes/1',
    headers: { ...type, ...headers },
  });
  req.setTimeout(60_000, () => req.destroy(new Error('no answer')));
  req.end(['PATCH', 'PUT'].includes(method) ? body : undefined);
  try {
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    res.resume();
    await once(res, 'end');
    return res.statusCode ?? 0;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

run().catch((error: unknown) => {
  process.stderr.write(`${during}: ${String(error)}\n`, () => process.exit(1));
});
