import { once } from 'node:events';
import {
  Agent,
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { portOf } from '../support/serving';

interface Whole {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What goes wrong, and how often in a thousand requests. */
const faults = {
  /** The connection ends before the request is handed on. */
  'request dropped': 40,
  /** Nothing is handed on, and nothing answered. */
  silence: 3,
  /** Carried out, and never answered. */
  'answer dropped': 50,
  /** Carried out, and answered by half of the answer. */
  'answer cut': 30,
  /** The connection ends at once, and the request arrives later: after its own repeat, maybe. */
  'request late': 30,
  /** The request arrives twice; the client gets the answer to either. */
  'request twice': 30,
  /** Carried out, and the gateway says that it had no answer. */
  'bad gateway': 30,
  /** A write that is carried out, and answered with one of `statusesOfGateways`. */
  'page of a gateway': 50,
  'too busy': 20,
} as const;
export type Fault = keyof typeof faults;

/** Of gateways that lost the answer, queue requests, or send to a login page; and of a server that failed after the commit. */
const statusesOfGateways = [500, 520, 522, 524, 302, 202];

/** What the tenth request and the tenth write meet whatever the dice say: a short run, too, has one of each. */
const surely = 10;

/**
 * How often in a row a client that names itself in X-Client meets a fault. By the dice alone one in some hundred thousand requests
 * would fail until its client gives up, as it should.
 */
const mostInARow = 4;

/**
 * Stands between clients and a server: drops, delays, duplicates and cuts requests and answers at random. Its own
 * answers are such that pages of any origin can read them.
 */
export class UnrulyProxy {
  /** How often each has happened. */
  readonly counts = new Map<Fault, number>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #late = new Set<Promise<unknown>>();
  readonly #inARow = new Map<string, number>();
  #asked = 0;
  #writes = 0;
  readonly #server: Server;

  private constructor(
    private readonly upstream: number,
    private readonly left: readonly Fault[],
  ) {
    this.#server = createServer((req, res) => {
      this.#carry(req, res).catch(() => {
        res.destroy();
      });
    });
  }

  /** @param without - faults that are left out */
  static async start(upstream: number, without: readonly Fault[] = []): Promise<UnrulyProxy> {
    const proxy = new UnrulyProxy(upstream, without);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  /** When what was handed on has been answered. */
  async settled(): Promise<void> {
    await Promise.all(this.#late);
  }

  async close(): Promise<void> {
    await this.settled();
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
  }

  async #carry(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await buffer(req);
    const fault = req.method === 'OPTIONS' ? undefined : this.#nextFault(req);
    if (fault !== undefined) this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
    await pause(Math.random() * 4);
    switch (fault) {
      case 'request dropped':
        res.destroy();
        return;
      case 'silence':
        return;
      case 'too busy':
        send(res, { status: 503, headers: { ...readable(req), 'retry-after': '0' }, body: Buffer.from('') });
        return;
      case 'request late':
        res.destroy();
        await pause(Math.random() * 300);
        await this.#forward(req, body);
        return;
      default:
    }
    const answers = [this.#forward(req, body)];
    if (fault === 'request twice')
      answers.push(pause(Math.random() * 3).then(() => this.#forward(req, body)));
    const answer = await Promise.race(answers);
    if (fault === 'answer dropped') res.destroy();
    else if (fault === 'bad gateway')
      send(res, { status: 502, headers: readable(req), body: Buffer.from('') });
    else if (fault === 'page of a gateway') send(res, this.#pageOfGateway(req));
    else if (fault === 'answer cut') cut(res, answer);
    else send(res, answer);
  }

  #nextFault({ method, headers: { 'x-client': client } }: IncomingMessage): Fault | undefined {
    const fault = this.#sure(method) ?? this.#thrown(method);
    if (typeof client !== 'string') return fault;
    const inARow = this.#inARow.get(client) ?? 0;
    const kept = inARow < mostInARow ? fault : undefined;
    this.#inARow.set(client, kept === undefined ? 0 : inARow + 1);
    return kept;
  }

  #sure(method: string | undefined): Fault | undefined {
    if (++this.#asked === surely) return 'answer dropped';
    if (method !== 'GET' && ++this.#writes === surely) return 'page of a gateway';
    return undefined;
  }

  #thrown(method: string | undefined): Fault | undefined {
    let dice = Math.random() * 1_000;
    for (const [fault, often] of Object.entries(faults) as [Fault, number][]) {
      dice -= often;
      if (dice >= 0) continue;
      const isLeft = this.left.includes(fault) || (fault === 'page of a gateway' && method === 'GET');
      return isLeft ? undefined : fault;
    }
    return undefined;
  }

  #pageOfGateway(req: IncomingMessage): Whole {
    const status =
      statusesOfGateways[(this.counts.get('page of a gateway') ?? 0) % statusesOfGateways.length] ?? 500;
    const headers = {
      ...readable(req),
      'content-type': 'text/html',
      ...(status === 302 && { location: '/login' }),
    };
    return { status, headers, body: Buffer.from('<h1>Oops</h1>') };
  }

  #forward({ method, url, headers }: IncomingMessage, body: Buffer): Promise<Whole> {
    const fields = endToEnd(headers);
    const answered = new Promise<Whole>((resolve, reject) => {
      const to = {
        host: '127.0.0.1',
        port: this.upstream,
        agent: this.#agent,
        method,
        path: url,
        headers: fields,
      };
      const sent = request(to, (answer) => {
        buffer(answer).then((content) => {
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: content });
        }, reject);
      });
      sent.once('error', reject).end(body);
    });
    this.#late.add(answered);
    answered.then(
      () => this.#late.delete(answered),
      () => this.#late.delete(answered),
    );
    return answered;
  }
}

function send(res: ServerResponse, { status, headers, body }: Whole): void {
  res.writeHead(status, endToEnd(headers));
  res.end(body);
}

function cut(res: ServerResponse, { status, headers, body }: Whole): void {
  const fields = endToEnd(headers);
  res.writeHead(status, { ...fields, ...(body.length > 0 && { 'content-length': body.length }) });
  res.write(body.subarray(0, Math.floor(body.length / 2)), () => {
    res.destroy();
  });
}

/** Without the fields that are for one hop (RFC 9110 7.6.1). */
function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const ofOneHop = ['connection', 'keep-alive', 'transfer-encoding'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneHop.includes(name)));
}

function readable({ headers }: IncomingMessage): IncomingHttpHeaders {
  const { origin } = headers;
  return origin === undefined
    ? {}
    : { 'access-control-allow-origin': origin, 'access-control-expose-headers': 'Retry-After' };
}
