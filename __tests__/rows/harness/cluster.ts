/** Processes that serve the same rows, each behind a proxy of its own to its engine, and what ends them. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { StatementProxy } from '../../orms/support/statement-proxy';
import { runTypescript } from '../../support/run-typescript';
import type { EnginePath } from './engine-path';
import type { PlainDatabase } from './plain-database';

export interface Answer {
  /** 0 if no answer came. */
  readonly status: number;
  readonly etag: string | undefined;
  readonly body: string;
}

export interface Init {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One process, which is started again when it has been killed. */
export class Server {
  /** How often it was killed. */
  kills = 0;
  /** The status with which it has ended by itself. */
  crashed: number | undefined;
  /** Whether the proxy kills the process, instead of the connection. */
  isMortal = false;
  #process: ChildProcess | undefined;
  #port: Promise<number> | undefined;
  #proxy: StatementProxy | undefined;

  private constructor(
    private readonly path: EnginePath,
    private readonly script: string,
    private readonly url: string,
  ) {}

  static async start(path: EnginePath, script: string, database: PlainDatabase): Promise<Server> {
    const server = new Server(path, script, database.url);
    if (database.name !== 'SQLite' && path.isEmbedded !== true) {
      server.#proxy = await StatementProxy.start(database.url, async (port) => {
        if (server.isMortal) await server.kill();
        else await database.kill(port);
      });
    }
    server.#start();
    await server.#port;
    return server;
  }

  /** Between it and its engine, if that is another process. */
  get proxy(): StatementProxy | undefined {
    return this.#proxy;
  }

  /** Resolves when it serves. */
  get isReady(): Promise<unknown> {
    return this.#port ?? Promise.reject(new Error('It was not started.'));
  }

  /** kill -9. It is started again at once. */
  async kill(): Promise<void> {
    const killed = this.#process;
    if (killed === undefined || killed.signalCode !== null) return;
    const ended = once(killed, 'exit');
    killed.kill('SIGKILL');
    await ended;
    // The proxy sees the end of its connections first.
    await delay(10);
  }

  async close(): Promise<void> {
    const ending = this.#process;
    this.#process = undefined;
    if (ending !== undefined && ending.exitCode === null && ending.signalCode === null) {
      const ended = once(ending, 'exit');
      ending.stdin?.end();
      setTimeout(() => ending.kill('SIGKILL'), 5_000).unref();
      await ended;
    }
    await this.proxy?.close();
  }

  async send(target: string, { method = 'GET', body, headers = {} }: Init = {}): Promise<Answer> {
    const port = await this.#port;
    return new Promise((resolve) => {
      const none = (error: Error) => {
        resolve({ status: 0, etag: undefined, body: String(error) });
      };
      // A connection for each request, so that nothing is sent twice.
      const options = {
        port,
        host: '127.0.0.1',
        path: target,
        method,
        headers,
        agent: false,
        timeout: 30_000,
      };
      const request = httpRequest(options, (response) => {
        const { statusCode = 0, headers: answered } = response;
        text(response).then((answer) => {
          resolve({ status: statusCode, etag: answered.etag, body: answer });
        }, none);
      });
      request
        .on('error', none)
        .on('timeout', () => request.destroy(new Error('There is no answer for 30 s.')));
      request.end(body);
    });
  }

  #start(): void {
    const started = runTypescript(this.script, [this.path.path, this.#proxy?.url ?? this.url], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { NODE_NO_WARNINGS: '1' },
    });
    this.#process = started;
    if (started.stdout === null) throw new Error('Its standard output is not piped.');
    const lines = createInterface({ input: started.stdout });
    this.#port = Promise.race([
      once(lines, 'line').then(([line]) => Number(line)),
      once(started, 'exit').then(() => {
        throw new Error(`${this.path.path}: the process has ended before it served.`);
      }),
    ]);
    this.#port.catch(() => undefined);
    started.on('exit', (status, signal) => {
      if (this.#process !== started) return;
      if (signal === 'SIGKILL') {
        this.kills += 1;
        this.#start();
      } else {
        this.crashed = status ?? -1;
      }
    });
  }
}

export async function startServers(
  path: EnginePath,
  script: string,
  database: PlainDatabase,
  count = 4,
): Promise<readonly Server[]> {
  return Promise.all(Array.from({ length: count }, () => Server.start(path, script, database)));
}
