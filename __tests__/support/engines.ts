import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A real engine that runs for one test file. */
export interface Engine {
  /** One for each node. */
  readonly urls: readonly [string, ...string[]];
  /** As kill -9 does; the files stay. */
  kill(): Promise<void>;
  /** In order; the files stay. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and deletes its files. */
  close(): Promise<void>;
}

/** PostgreSQL: the one at DATABASE_URL, or else one that npm brought, started for the caller. */
export function startPostgres(): Promise<Engine> {
  return running(process.env['DATABASE_URL']) ?? KeptEngine.start('postgres');
}

/** MariaDB: the one at MYSQL_URL, or else the machine's mariadbd, started for the caller. */
export function startMariadb(): Promise<Engine> {
  return running(process.env['MYSQL_URL']) ?? KeptEngine.start('mariadb');
}

/** Redis: the one at REDIS_URL, or else the machine's redis-server, started for the caller. */
export function startRedis(): Promise<Engine> {
  return running(process.env['REDIS_URL']) ?? KeptEngine.start('redis');
}

/** A cluster of three nodes of the machine's redis-server. */
export function startRedisCluster(): Promise<Engine> {
  return KeptEngine.start('redis-cluster');
}

/**
 * `describe` for what needs a server that npm does not bring. Where it is missing the tests are left out, and
 * said to be; under CI they run, and fail.
 */
export const describeRedis: jest.Describe = describeWith('redis-server', 'Redis');
export const describeMariadb: jest.Describe = describeWith('mariadbd', 'MariaDB', 'mariadb-server');

/** The row of a table of tests where MariaDB is there, or has to be; `describeMariadb` has said so where it is not. */
export function withMariadb<T>(row: T): readonly T[] {
  return describeMariadb === describe ? [row] : [];
}

function describeWith(command: string, engine: string, debianPackage = command): jest.Describe {
  const isThere = () => spawnSync(command, ['--version']).status === 0;
  if (process.env['CI'] === 'true' || isThere()) return describe;
  console.warn(`NOT TESTED: ${engine}. There is no ${command} here: apt-get install ${debianPackage}`);
  return describe.skip;
}

/** An engine that someone else runs, and that no test may stop. */
function running(url: string | undefined): Promise<Engine> | undefined {
  if (url === undefined || url === '') return undefined;
  const refuse = () => Promise.reject(new Error('An engine given by its URL is not stopped by tests.'));
  return Promise.resolve({
    urls: [url],
    kill: refuse,
    stop: refuse,
    start: refuse,
    close: () => Promise.resolve(),
  });
}

/** An engine in the keeping of a process of its own, which ends it as soon as this one has ended. */
class KeptEngine implements Engine {
  private constructor(
    private readonly keeper: ChildProcess,
    private readonly answers: AsyncIterator<string>,
    readonly urls: readonly [string, ...string[]],
  ) {}

  static async start(name: 'postgres' | 'mariadb' | 'redis' | 'redis-cluster'): Promise<KeptEngine> {
    const keeper = spawn(process.execPath, [join(__dirname, 'engine-keeper.mjs'), name], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const answers = createInterface({ input: keeper.stdout })[Symbol.asyncIterator]();
    const urls: unknown = JSON.parse(await nextLine(answers, name));
    return new KeptEngine(keeper, answers, urls as [string]);
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
    await nextLine(this.answers, command);
  }
}

async function nextLine(lines: AsyncIterator<string>, what: string): Promise<string> {
  const line = await lines.next();
  if (line.done === true) throw new Error(`The keeper of the engine has ended at: ${what}`);
  return line.value;
}
