import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CuttingProxy } from '../support/cutting-proxy';
import { scaled } from '../support/deep-scale';
import { type Engine, startPostgres, startRedis } from '../support/engines';
import { ThingsServer } from '../support/things';

const clients = 16;
const kills = scaled(5);

const folder = mkdtempSync(join(tmpdir(), 'patch-options-once-'));
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const resource of opened.splice(0).reverse()) await resource.close();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('appends that are sent again until they are answered, while connections and the server break', () => {
  test.each<{
    readonly what: string;
    readonly appends: number;
    readonly open: () => Promise<readonly string[]>;
  }>([
    {
      what: 'SQLite',
      appends: scaled(500),
      open: () => Promise.resolve([join(folder, 'once.db')]),
    },
    { what: 'PostgreSQL', appends: scaled(500), open: () => urlsOf(startPostgres) },
    { what: 'Redis', appends: scaled(500), open: () => urlsOf(startRedis) },
  ])(
    'over $what are in the list exactly once, each client’s in order ($appends each, or more until each kind of cut has come)',
    async ({ appends, open }) => {
      const run = await Run.start(await open());
      const appending = run.append(appends, () => ({ 'Idempotency-Key': `"${randomUUID()}"` }));
      for (let kill = 1; kill <= kills; kill++) {
        await run.answered((kill * clients * appends) / (kills + 1));
        await run.restart();
      }
      const appended = await appending;

      const list = await run.list();
      for (const [client, times] of appended.entries()) {
        const own = list.filter(([by]) => by === client).map(([, turn]) => turn);
        expect(own).toEqual(Array.from({ length: times }, (_, turn) => turn));
      }
      expect(list).toHaveLength(appended.reduce((sum, times) => sum + times));
      expect(Math.min(...appended)).toBeGreaterThanOrEqual(appends);
      console.log(run.told());
    },
  );

  test('without an Idempotency-Key some are there twice: else this would prove nothing', async () => {
    const run = await Run.start([join(folder, 'more-than-once.db')]);
    const appended = await run.append(20, () => ({}));
    expect((await run.list()).length).toBeGreaterThan(appended.reduce((sum, times) => sum + times));
  });
});

async function urlsOf(start: () => Promise<Engine>): Promise<readonly string[]> {
  const engine = await start();
  opened.push(engine);
  return engine.urls;
}

/** Clients that append to one list, through a proxy that cuts their connections. */
class Run {
  #answered = 0;
  #sent = 0;
  #progress: () => void = () => undefined;

  private constructor(
    readonly proxy: CuttingProxy,
    private server: ThingsServer,
    private readonly engine: readonly string[],
  ) {}

  static async start(engine: readonly string[]): Promise<Run> {
    const [proxy, server] = [await CuttingProxy.start(), await ThingsServer.start(engine)];
    const run = new Run(proxy, server, engine);
    opened.push(proxy, { close: () => run.server.kill() });
    proxy.upstream = server.port;
    expect(await server.patch('list', { list: [] })).toMatchObject({ status: 201 });
    return run;
  }

  /** Kills the server as kill -9 does, and starts another over the same engine. */
  async restart(): Promise<void> {
    await this.server.kill();
    this.server = await ThingsServer.start(this.engine);
    this.proxy.upstream = this.server.port;
  }

  /**
   * Each client appends so many times, and on until connections were cut at each moment that there is.
   *
   * @returns how many times each has
   */
  append(times: number, newHeaders: () => Record<string, string>): Promise<readonly number[]> {
    const one = async (client: number): Promise<number> => {
      let turn = 0;
      while (turn < times || [...this.proxy.cuts.values()].includes(0)) {
        await this.#untilAnswered([{ op: 'add', path: '/list/-', value: [client, turn] }], newHeaders());
        turn += 1;
        this.#answered += 1;
        this.#progress();
      }
      return turn;
    };
    return Promise.all(Array.from({ length: clients }, (_, client) => one(client)));
  }

  /** Waits until so many appends were answered. */
  async answered(count: number): Promise<void> {
    while (this.#answered < count) await new Promise<void>((resolve) => (this.#progress = resolve));
  }

  async list(): Promise<[client: number, turn: number][]> {
    const { content } = await this.server.get('list');
    return (JSON.parse(content) as { list: [number, number][] }).list;
  }

  told(): string {
    const cuts = [...this.proxy.cuts].map(([moment, count]) => `${count} ${moment}`).join(', ');
    return `${this.#answered} appends, ${this.#sent} requests; connections cut: ${cuts}; ${kills} servers killed`;
  }

  async #untilAnswered(patch: unknown, headers: Record<string, string>): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      this.#sent += 1;
      const status = await this.#send(JSON.stringify(patch), headers);
      if (status === 204) return;
      // 0: the connection broke; 409 and 503 ask to be sent again.
      if (![0, 409, 503].includes(status)) throw new Error(`A PATCH was answered ${status}`);
      await delay(Math.random() * Math.min(2 ** attempt, 200));
    }
  }

  /** On a connection of its own. */
  async #send(body: string, headers: Record<string, string>): Promise<number> {
    const type = { 'Content-Type': 'application/json-patch+json', 'Content-Length': Buffer.byteLength(body) };
    const sent = request({
      ...{ host: '127.0.0.1', port: this.proxy.port, agent: false },
      ...{ method: 'PATCH', path: '/things/list', headers: { ...headers, ...type } },
    });
    try {
      sent.end(body);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      await once(answer.resume(), 'end');
      return answer.statusCode ?? 0;
    } catch {
      return 0;
    }
  }
}
