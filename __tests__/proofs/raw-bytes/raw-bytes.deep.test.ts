/**
 * Random and nearly well-formed bytes over real sockets, many connections at once: whatever they are, the process lives, what
 * it answers is HTTP, it keeps nothing of it, and it still answers after.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { scaled } from '../../support/deep-scale';
import { frameworks } from '../../support/frameworks';
import { fc } from '../../support/properties';
import { runTypescript } from '../../support/run-typescript';
import { seed } from '../../support/seed';
import { answersIn } from './answers';
import { type Connection, connection, wellFormed } from './requests';

const batches = scaled(2_000);
/** How long a server is silent before it is taken to have answered all that it will, in milliseconds. */
const silence = 50;

test.each(frameworks)(`%s: ${batches} times up to 32 connections at once`, async (framework) => {
  process.stdout.write(`raw bytes, ${framework}: seed ${seed}\n`);
  const statuses = new Map<number, number>();
  const server = await startServer(framework);
  try {
    const run = (size: number, ofSeed: number) =>
      fc.assert(
        fc.asyncProperty(fc.array(connection, { minLength: 1, maxLength: 32, size: 'max' }), async (all) => {
          const answered = await Promise.all(all.map((each) => expectHttp(server.port, each)));
          for (const status of answered.flat()) statuses.set(status, (statuses.get(status) ?? 0) + 1);
          expect(server.ended()).toBe(false);
        }),
        // A shorter case would have to be found on a process that may have ended.
        { numRuns: size, seed: ofSeed, endOnFailure: true },
      );
    await run(Math.min(50, batches), seed + 1); // what is compiled and remembered once
    const before = await server.held();
    await run(batches, seed);
    const after = await server.held();
    // Of each layer some are reached: Node's parser, the listener in front, the app's routes. A small part may need a few more.
    const layers = [200, 204, 400, 403, 404, 405, 415];
    const missed = () => layers.filter((status) => !statuses.has(status));
    for (let more = 2; missed().length > 0 && more < 50; more++) await run(batches, seed + more);
    expect(missed()).toEqual([]);
    const counts = [...statuses].sort().map(([status, count]) => `${count} of ${status}`);
    process.stdout.write(
      `raw bytes, ${framework}: ${after - before} bytes held after ${counts.join(', ')}\n`,
    );
    expect(after - before).toBeLessThan(8_000_000);
    await expectToAnswerStill(server.port);
    expect(server.ended()).toBe(false);
    expect(server.complaints()).toBe('');
  } finally {
    await server.stop();
  }
});

async function startServer(framework: string) {
  const child = runTypescript(resolve(__dirname, 'raw-server.ts'), [framework], { stdio: 'pipe' });
  const exited = once(child, 'exit');
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const nextNumber = async (): Promise<number> => {
    const { value } = (await lines.next()) as { value?: string };
    if (value === undefined) throw new Error(`The server has ended: ${complaints}`);
    return Number(value);
  };
  return {
    port: await nextNumber(),
    held: () => {
      child.stdin?.write('measure\n');
      return nextNumber();
    },
    ended: () => child.exitCode !== null || child.signalCode !== null,
    complaints: () => complaints,
    stop: async () => {
      child.stdin?.end();
      await exited;
    },
  };
}

/** What comes back on one connection, until the server closes it or is silent. */
function received(port: number, { sent, pieces, leaves }: Connection): Promise<string> {
  return new Promise((done) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const quiet = setTimeout(() => socket.destroy(), silence);
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk.toString();
      quiet.refresh();
    });
    // What is sent to a server that has closed the connection already is refused by the system.
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(quiet);
      done(text);
    });
    const size = Math.ceil(sent.length / pieces);
    const rest = Array.from({ length: pieces }, (_, i) => sent.slice(i * size, (i + 1) * size));
    const sendNext = (): void => {
      const piece = rest.shift();
      quiet.refresh();
      if (piece !== undefined) socket.write(piece, 'latin1', () => setImmediate(sendNext));
      else if (leaves === 'half-closed') socket.end();
      else if (leaves === 'at once') socket.destroy();
    };
    socket.once('connect', sendNext);
  });
}

async function expectHttp(port: number, sending: Connection): Promise<readonly number[]> {
  const text = await received(port, sending);
  const answers = answersIn(text, sending.sent.includes('HEAD'));
  if (answers === undefined)
    throw new Error(`No HTTP: ${JSON.stringify(text)} on ${JSON.stringify(sending)}`);
  // 501 is Node's, to a transfer coding that it does not know.
  const faults = answers.filter(({ status }) => status >= 500 && status !== 501);
  if (faults.length > 0) throw new Error(`${JSON.stringify(faults)} on ${JSON.stringify(sending)}`);
  return answers.map(({ status }) => status);
}

async function expectToAnswerStill(port: number): Promise<void> {
  for (const sent of wellFormed) {
    const text = await received(port, { sent, pieces: 1, leaves: 'answered' });
    expect({ sent, answers: answersIn(text, sent.startsWith('HEAD')) }).toEqual({
      sent,
      answers: expect.any(Array),
    });
  }
  const url = `http://127.0.0.1:${port}/notes/1`;
  const put = await fetch(url, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: '{"a":1}',
  });
  expect([200, 201, 204]).toContain(put.status);
  const patched = await fetch(url, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/merge-patch+json', 'If-Match': put.headers.get('ETag') ?? '' },
    body: '{"b":2}',
  });
  expect(patched.status).toBe(204);
  expect(await (await fetch(url)).json()).toEqual({ a: 1, b: 2 });
  const allowed = await fetch(url, { method: 'OPTIONS' });
  expect(allowed.headers.get('Allow')).toBe('DELETE, GET, HEAD, OPTIONS, PATCH, PUT');
}
