/** Stands between an ORM and its engine, tells its statements apart, and ends the connection at one of them. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What the tests tell apart. Others, such as the greeting of a connection, are never cut. */
export type StatementName = 'BEGIN' | 'lock' | 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'COMMIT' | 'audit';

/** When a connection ends, in the life of a statement. */
export const moments = [
  'before it is sent', // to the engine
  'midway', // the engine gets half of it
  'sent', // the engine gets it, and nobody waits for its answer
  'unanswered', // the engine has answered, and the app is not told
  'answered', // the app has the answer
] as const;
export type Moment = (typeof moments)[number];

/** How it ends: by a TCP reset, by its regular end, or by an administrator at the engine. */
export const ways = ['reset', 'end', 'kill'] as const;
export type Way = (typeof ways)[number];

export interface Cut {
  readonly statement: StatementName;
  /** How many of that name pass before it. */
  readonly passed: number;
  readonly moment: Moment;
  readonly way: Way;
}

/** One connection that was ended: the port that the engine saw. */
type Ended = number;

export class StatementProxy {
  /** What went through since the last `arm`. */
  readonly statements: StatementName[] = [];
  /** The ports of the connections that were cut since then, as the engine sees them. */
  readonly cuts: Ended[] = [];
  #cut: Cut | undefined;
  #left = 0;
  #greeting: Way | undefined;
  readonly #sockets = new Set<Socket>();
  /** Those that have sent a statement. */
  readonly #connections = new Map<Socket, Socket>();

  private constructor(
    private readonly server: Server,
    private readonly upstream: URL,
    private readonly killAtEngine: (port: number) => Promise<unknown>,
  ) {
    server.on('connection', (client) => {
      this.#carry(client);
    });
  }

  static async start(url: string, killAtEngine: (port: number) => Promise<unknown>): Promise<StatementProxy> {
    const proxy = new StatementProxy(createServer(), new URL(url), killAtEngine);
    await once(proxy.server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  /** The address of the database through the proxy. */
  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return Object.assign(new URL(this.upstream), { hostname: '127.0.0.1', port: String(port) }).href;
  }

  arm(cut?: Cut): void {
    this.#cut = cut;
    this.#left = cut?.passed ?? 0;
    this.#greeting = undefined;
    this.statements.length = 0;
    this.cuts.length = 0;
  }

  /** As `arm`, while other statements are under way. */
  cutNext(cut: Cut): void {
    this.#cut = cut;
    this.#left = cut.passed;
  }

  /** The next connection ends while the client introduces itself. */
  cutGreeting(way: Way): void {
    this.#greeting = way;
  }

  /** Ends every connection that has sent a statement, as a restart of the engine does to those that wait in a pool. */
  async cutIdle(way: Way): Promise<void> {
    const ending = [...this.#connections].map(([client, server]) => this.#end(client, server, way));
    await Promise.all(ending);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await once(this.server.close(), 'close');
  }

  #end(client: Socket, server: Socket, way: Way): Promise<unknown> | undefined {
    const { localPort = 0 } = server;
    this.cuts.push(localPort);
    this.#connections.delete(client);
    if (way === 'kill') return this.killAtEngine(localPort);
    server.destroy();
    if (way === 'reset') client.resetAndDestroy();
    else client.end();
    return undefined;
  }

  #carry(client: Socket): void {
    const server = connect(Number(this.upstream.port), '127.0.0.1');
    const spoken = new Dialogue(this.upstream.protocol);
    let answering: Cut | undefined;
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.setNoDelay();
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        other.end();
        this.#sockets.delete(socket);
        this.#connections.delete(client);
      });
    }

    client.on('data', (sent: Buffer) => {
      const greeting = this.#greeting;
      this.#greeting = undefined;
      if (greeting !== undefined) {
        void this.#end(client, server, greeting);
        return;
      }
      const statement = spoken.hear(sent);
      if (statement !== undefined) this.#connections.set(client, server);
      const cut = statement === undefined ? undefined : this.#meets(statement);
      if (cut === undefined) {
        server.write(sent);
        return;
      }
      const { moment, way } = cut;
      if (way === 'kill') {
        if (moment === 'answered') answering = cut;
        if (moment === 'before it is sent') {
          void this.#end(client, server, way)?.then(() => server.write(sent));
          return;
        }
        server.write(sent);
        if (moment === 'sent') void this.#end(client, server, way);
      } else if (moment === 'before it is sent') {
        void this.#end(client, server, way);
      } else if (moment === 'midway' || moment === 'sent') {
        const part = moment === 'sent' ? sent : sent.subarray(0, Math.floor(sent.length / 2));
        server.write(part, () => void this.#end(client, server, way));
      } else {
        server.write(sent);
        answering = cut;
      }
    });
    server.on('data', (answer: Buffer) => {
      spoken.answer(answer);
      if (answering !== undefined && spoken.isWhole(answer)) {
        const { moment, way } = answering;
        answering = undefined;
        if (moment === 'answered') client.write(answer);
        void this.#end(client, server, way);
      } else if (answering?.moment !== 'unanswered') {
        client.write(answer);
      }
    });
  }

  #meets(statement: StatementName): Cut | undefined {
    this.statements.push(statement);
    if (this.#cut?.statement !== statement || this.#left-- > 0) return undefined;
    const cut = this.#cut;
    this.#cut = undefined;
    return cut;
  }
}

/** What one connection has said of its prepared statements. */
class Dialogue {
  readonly #prepared = new Map<number, StatementName | undefined>();
  #preparing: StatementName | undefined;

  constructor(private readonly protocol: string) {}

  /** The statement in what a client sends at once. */
  hear(sent: Buffer): StatementName | undefined {
    if (this.protocol.startsWith('postgres')) return readName(sent.subarray(5).toString('latin1'));
    return packetsIn(sent)
      .map((packet) => this.#hearPacket(packet))
      .find((name) => name !== undefined);
  }

  /** COM_STMT_EXECUTE has the id that COM_STMT_PREPARE was answered with, or -1 right after it. */
  #hearPacket(packet: Buffer): StatementName | undefined {
    const [command] = packet;
    const name = readName(packet.toString('latin1'));
    if (command === 0x16) this.#preparing = name;
    if (command === 0x17 && packet.length >= 5)
      return packet.readInt32LE(1) === -1 ? this.#preparing : this.#prepared.get(packet.readUInt32LE(1));
    return command === 0x16 ? undefined : name;
  }

  /** The answer to COM_STMT_PREPARE has 12 bytes, of which the first is 0, and the id. */
  answer(answer: Buffer): void {
    const [first] = packetsIn(answer);
    if (this.#preparing === undefined || first?.length !== 12 || first[0] !== 0) return;
    this.#prepared.set(first.readUInt32LE(1), this.#preparing);
  }

  /** PostgreSQL ends an answer with ReadyForQuery; those of MySQL are small enough for one packet. */
  isWhole(answer: Buffer): boolean {
    if (!this.protocol.startsWith('postgres')) return true;
    return answer.length >= 6 && answer.readUInt32BE(answer.length - 5) === 5 && answer.at(-6) === 0x5a;
  }
}

/** Those of MySQL begin with their length, and their number. */
function packetsIn(chunk: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  for (let start = 0; start + 4 <= chunk.length;) {
    const end = start + 4 + chunk.readUIntLE(start, 3);
    packets.push(chunk.subarray(start + 4, end));
    start = end;
  }
  return packets;
}

const patterns: readonly (readonly [StatementName, RegExp])[] = [
  ['audit', /\baudits\b/i],
  ['lock', /\bselect\b.*\bnotes\b.*\bfor (?:no key )?update\b/is],
  ['SELECT', /\bselect\b.*\bnotes\b/is],
  ['INSERT', /\binsert\b.*\bnotes\b/is],
  ['UPDATE', /\bupdate\b.*\bnotes\b/is],
  ['DELETE', /\bdelete\b.*\bnotes\b/is],
  ['COMMIT', /\bcommit\b/i],
  ['BEGIN', /\bbegin\b|\bstart transaction\b/i],
];

function readName(text: string): StatementName | undefined {
  return patterns.find(([, pattern]) => pattern.test(text))?.[0];
}
