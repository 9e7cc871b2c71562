import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { secantusdb } from './secantusdb';

/** A real engine, which whoever has started it may stop. */
export interface Engine {
  /** One for each node. */
  readonly urls: EngineUrls;
  /** As kill -9 does; the files stay. */
  kill(): Promise<void>;
  /** In order; the files stay. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and deletes its files. */
  close(): Promise<void>;
}

export type EngineUrls = readonly [string, ...string[]];
export type EngineName = 'postgres' | 'mariadb' | 'redis' | 'redis-cluster' | 'mongodb';

/** An engine in the keeping of a process of its own, which ends it as soon as this one has ended. */
export class KeptEngine implements Engine {
  private constructor(
    private readonly keeper: ChildProcess,
    private readonly answers: AsyncIterator<string>,
    readonly urls: EngineUrls,
    private readonly printed: () => string,
  ) {}

  static async start(name: EngineName): Promise<KeptEngine> {
    const keeper = spawn(process.execPath, [join(__dirname, 'engine-keeper.mjs'), name], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, SECANTUSDB: secantusdb },
    });
    let printed = '';
    keeper.stderr.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (process.env['KEEPER_LOG'] !== undefined) process.stderr.write(chunk);
    });
    const answers = createInterface({ input: keeper.stdout })[Symbol.asyncIterator]();
    const urls = JSON.parse(await nextLine(answers, name, () => printed)) as EngineUrls;
    return new KeptEngine(keeper, answers, urls, () => printed);
  }

  kill(): Promise<void> {
    return this.#say('kill');
  }

  stop(): Promise<void> {
    return this.#say('stop');
  }

  start(): Promise<void> {
    return this.#say('start');
  }

  async close(): Promise<void> {
    const exited = once(this.keeper, 'exit');
    this.keeper.stdin?.end();
    await exited;
  }

  async #say(command: string): Promise<void> {
    this.keeper.stdin?.write(`${command}\n`);
    await nextLine(this.answers, command, this.printed);
  }
}

async function nextLine(lines: AsyncIterator<string>, what: string, printed: () => string): Promise<string> {
  const line = await lines.next();
  if (line.done !== true) return line.value;
  throw new Error(`The keeper of the engine has ended at: ${what}. It printed:\n${printed()}`);
}
