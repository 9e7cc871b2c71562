import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** When a connection is cut, of which each carries one request. */
const moments = ['before the request', 'midway', 'while it is carried out', 'after the commit'] as const;
type Moment = (typeof moments)[number];

/** Stands between clients and a server, and cuts one connection in three at a random moment. */
export class CuttingProxy {
  /** How many connections were cut, by the moment. */
  readonly cuts = new Map<Moment, number>(moments.map((moment) => [moment, 0]));
  /** The port of the server, which may come back on another. */
  upstream = 0;

  private constructor(private readonly server: Server) {
    server.on('connection', (client) => {
      this.#carry(client);
    });
  }

  static async start(): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(createServer());
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
    const moment = Math.random() < 1 / 3 ? moments[Math.floor(Math.random() * moments.length)] : undefined;
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
      if (moment === 'before the request') {
        cut();
      } else if (moment === 'midway') {
        server.write(sent.subarray(0, Math.floor(Math.random() * sent.length)), cut);
      } else {
        server.write(sent);
        if (moment === 'while it is carried out') setTimeout(cut, Math.random() * 20);
      }
    });
    server.on('data', (answer: Buffer) => {
      if (moment === 'after the commit') cut();
      else client.write(answer);
    });
  }
}
