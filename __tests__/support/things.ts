import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { runTypescript } from './run-typescript';

/** What came back for one request; status 0: the connection broke, and nobody knows what was done. */
export interface Answer {
  readonly status: number;
  readonly tag: string;
  readonly content: string;
  /** From the request to the end of the answer. */
  readonly milliseconds: number;
}

/** A server of things over one engine, in a process of its own, and a client of it. */
export class ThingsServer {
  private constructor(
    private readonly host: ChildProcess,
    readonly port: number,
  ) {}

  static async start(engine: readonly string[]): Promise<ThingsServer> {
    const host = runTypescript('things-server.ts', engine, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (host.stdout === null) throw new Error('The host has no standard output');
    for await (const line of createInterface({ input: host.stdout }))
      return new ThingsServer(host, Number(line));
    throw new Error(`The server over ${engine.join(' ')} did not start`);
  }

  get(id: string): Promise<Answer> {
    return this.#send(id, {});
  }

  patch(id: string, patch: unknown, tag?: string): Promise<Answer> {
    const headers = { 'Content-Type': 'application/merge-patch+json', ...(tag && { 'If-Match': tag }) };
    return this.#send(id, { method: 'PATCH', headers, body: JSON.stringify(patch) });
  }

  /** As kill -9 does. */
  async kill(): Promise<void> {
    if (this.host.exitCode !== null || this.host.signalCode !== null) return;
    const exited = once(this.host, 'exit');
    this.host.kill('SIGKILL');
    await exited;
  }

  async #send(id: string, init: RequestInit): Promise<Answer> {
    const start = performance.now();
    try {
      const response = await fetch(`http://127.0.0.1:${this.port}/things/${id}`, init);
      const [content, tag] = [await response.text(), response.headers.get('ETag') ?? ''];
      return { status: response.status, tag, content, milliseconds: performance.now() - start };
    } catch {
      return { status: 0, tag: '', content: '', milliseconds: performance.now() - start };
    }
  }
}

/** Writes to a thing of its own again and again, and remembers what was acknowledged. */
export class Writer {
  readonly answers: Answer[] = [];
  #tried = 0;
  #acknowledged = 0;
  #writing = new AbortController();

  constructor(readonly id: string) {}

  async run(server: ThingsServer): Promise<void> {
    const { signal } = (this.#writing = new AbortController());
    while (!signal.aborted) {
      this.#tried += 1;
      const answer = await server.patch(this.id, thing(this.#tried));
      this.answers.push(answer);
      if (isSuccess(answer)) this.#acknowledged = this.#tried;
      if (answer.status === 0) return;
    }
  }

  stop(): void {
    this.#writing.abort();
  }

  /** @throws where what is there is older than what was acknowledged, or half of one write and half of another */
  async check(server: ThingsServer): Promise<void> {
    if (this.#acknowledged === 0) return;
    const { status, content } = await server.get(this.id);
    if (status !== 200) throw new Error(`${this.id} is gone: ${status} ${content}`);
    const found = Number((JSON.parse(content) as { first: unknown }).first);
    expect({ found: content, atLeast: found >= this.#acknowledged, atMost: found <= this.#tried }).toEqual({
      found: JSON.stringify(thing(found)),
      atLeast: true,
      atMost: true,
    });
  }
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** All of it is made from one number, so that half of one and half of another is seen to be. */
function thing(written: number) {
  return { first: written, text: String(written).repeat(500), last: written };
}
