import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** When a connection is cut. */
const moments = ['before the request', 'midway', 'while it is carried out', 'after the commit'] as const;
type Moment = (typeof moments)[number];

export interface Cut {
  readonly moment: Moment;
  /** How many requests pass before it, of those that come one by one. */
  readonly passed: number;
}

/** At a random moment. */
export function randomCut(passed = 0): Cut {
  return { moment: moments[Math.floor(Math.random() * moments.length)] ?? 'midway', passed };
}

/** Stands between clients and a server, and cuts connections: one in three, of which each carries one request. */
export class CuttingProxy {
  /** How many connections were cut, by the moment. */
  readonly cuts = new Map<Moment, number>(moments.map((moment) => [moment, 0]));
  /** The port of the server, which may come back on another. */
  upstream = 0;

  private constructor(
    private readonly server: Server,
    private readonly cutOf: () => Cut | undefined,
  ) {
    server.on('connection', (client) => {
      this.#carry(client);
    });
  }

  /** @param cutOf - asked for each connection: whether it is cut, and when */
  static async start(cutOf = () => (Math.random() < 1 / 3 ? randomCut() : undefined)): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(createServer(), cutOf);
    await once(proxy.server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await once(this.server.close(), 'close');
  }

  #carry(client: Socket): void {
    const { moment, passed }: Partial<Cut> = this.cutOf() ?? {};
    let left = passed ?? 0;
    const isDue = (at: Moment) => left === 0 && moment === at;
    const server = connect(this.upstream, '127.0.0.1');
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    const cut = (): void => {
      if (moment !== undefined && !client.destroyed) this.cuts.set(moment, (this.cuts.get(moment) ?? 0) + 1);
      end();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);

    client.on('data', (sent: Buffer) => {
      if (isDue('before the request')) {
        cut();
      } else if (isDue('midway')) {
        server.write(sent.subarray(0, Math.floor(Math.random() * sent.length)), cut);
      } else {
        server.write(sent);
        if (isDue('while it is carried out')) setTimeout(cut, Math.random() * 20);
      }
    });
    server.on('data', (answer: Buffer) => {
      if (isDue('after the commit')) {
        cut();
        return;
      }
      client.write(answer);
      left = Math.max(0, left - 1);
    });
  }
}
