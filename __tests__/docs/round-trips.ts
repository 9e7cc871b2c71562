import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import request from 'supertest';
import { mergePatch, patchHandler, type ResourceStore } from '../../lib';
import { portOf } from '../support/serving';

/** What was sent to an engine before each of its answers. */
export type Sent = string[];

/** Stands between an engine and its clients, and notes each round trip. */
export class EngineProxy {
  readonly sent: Sent = [];
  readonly #upstream: URL;
  readonly #server = createServer((client) => {
    this.#carry(client);
  });

  private constructor(url: string) {
    this.#upstream = new URL(url);
  }

  static async start(url: string): Promise<EngineProxy> {
    const proxy = new EngineProxy(url);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  /** The URL of the engine, through the proxy. */
  get url(): string {
    const url = new URL(this.#upstream);
    url.port = String(portOf(this.#server));
    return url.href;
  }

  async close(): Promise<void> {
    await once(this.#server.close(), 'close');
  }

  #carry(client: Socket): void {
    const engine = connect(Number(this.#upstream.port), this.#upstream.hostname);
    let unanswered = '';
    client.on('data', (chunk: Buffer) => {
      unanswered += chunk.toString('latin1');
    });
    engine.on('data', () => {
      if (unanswered !== '') this.sent.push(unanswered);
      unanswered = '';
    });
    client.pipe(engine).pipe(client);
    for (const socket of [client, engine]) {
      socket.on('error', () => {
        client.destroy();
        engine.destroy();
      });
    }
  }
}

/** The app decides the isolation level, and some libraries send it in a statement of its own. */
const isolation = /SET TRANSACTION ISOLATION LEVEL/i;

/** COM_PING, by which pools of MariaDB check a connection that was not used for half a second. */
const isPing = (packet: string) => packet.length === 5 && packet.charCodeAt(4) === 0x0e;

/**
 * How many round trips a PATCH takes once connections are open and statements are prepared: the fewest of several, because pools
 * open and check connections meanwhile.
 */
export async function roundTripsOfPatch(
  store: ResourceStore,
  sent: Sent,
  { hasIdempotencyKey }: { hasIdempotencyKey: boolean },
): Promise<number> {
  const options = hasIdempotencyKey ? ({ idempotency: 'required' } as const) : {};
  const app = express();
  app.patch('/:id', patchHandler(store, [mergePatch()], { key: 'id', ...options }));
  const key = randomUUID();
  await store.replace(key, null, { title: 'a' });
  const counts: number[] = [];
  for (let i = 0; i < 6; i++) {
    sent.length = 0;
    await request(app)
      .patch(`/${key}`)
      .set({ 'Content-Type': 'application/merge-patch+json', 'Idempotency-Key': `"${randomUUID()}"` })
      .send({ title: `title ${String(i)}` })
      .expect(204);
    counts.push(sent.filter((statement) => !isolation.test(statement) && !isPing(statement)).length);
  }
  return Math.min(...counts);
}

const page = readFileSync(join(__dirname, '../../docs/performance.md'), 'utf8');
const [, section = ''] = page.split('## Round trips');

/** The numbers in the line of that section of docs/performance.md whose first cell has this name. */
export function documentedRoundTrips(name: string): number[] {
  const lines = section.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const cells = lines.find(([, names = '']) => names.split(', ').includes(name));
  if (cells === undefined) throw new Error(`docs/performance.md has no line of a table for ${name}`);
  return cells.slice(2, -1).map(Number);
}
