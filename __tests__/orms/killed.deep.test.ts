/** Two processes count in the same rows, and one of them is killed again and again: what was acknowledged counts once. */
import { type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { scaled } from '../support/deep-scale';
import { runTypescript } from '../support/run-typescript';
import { describeEachOrm } from './support/each-orm';

const kills = scaled(15);
const script = join(__dirname, 'support/count-in-rows.ts');

/** A process that counts, and what it has said. */
class Counter {
  acknowledged = -1;
  #process: ChildProcess | undefined;

  constructor(
    private readonly parameters: readonly string[],
    private readonly name: string,
    private readonly slugs: readonly string[],
  ) {}

  /** Starts it where it was, and waits for its first word. */
  async start(): Promise<void> {
    const first = String(this.acknowledged + 1);
    const parameters = [...this.parameters, this.name, first, ...this.slugs];
    const started = runTypescript(script, parameters, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#process = started;
    if (started.stdout === null) throw new Error('Its standard output is not piped.');
    const lines = createInterface({ input: started.stdout });
    lines.on('line', (line) => (this.acknowledged = Number(line)));
    await Promise.race([
      once(lines, 'line'),
      once(started, 'exit').then(() => {
        throw new Error('The process has ended before it counted.');
      }),
    ]);
  }

  async end(how: (process: ChildProcess) => unknown): Promise<void> {
    if (this.#process === undefined) return;
    const ending = this.#process;
    this.#process = undefined;
    if (ending.exitCode !== null) throw new Error('The process has ended by itself.');
    const ended = once(ending, 'close');
    how(ending);
    await ended;
  }
}

/** Each takes seconds to start, and is started four times: of a small part one a database is run. */
const sample = { PostgreSQL: 'TypeORM', MariaDB: 'Sequelize', SQLite: 'Prisma' };

describeEachOrm((opened, { orm, database }) => {
  const testSampled = scaled(15) > 1 || sample[database] === orm ? test : test.skip;
  const counters: Counter[] = [];
  afterEach(async () => {
    for (const counter of counters.splice(0)) await counter.end((process) => process.kill('SIGKILL'));
  });

  testSampled('every acknowledged increment is in its row, and none twice', async () => {
    const slugs = [randomUUID(), randomUUID(), randomUUID()];
    const rows = slugs.map((slug) => `('${slug}', 'a', 0)`).join();
    await opened().sql(`INSERT INTO notes (slug, title, ratio) VALUES ${rows}`);
    const [killed, other] = ['killed', 'other'].map(
      (name) => new Counter([orm, database, opened().url], name, slugs),
    ) as [Counter, Counter];
    counters.push(killed, other);
    await Promise.all([killed.start(), other.start()]);
    for (let kill = 0; kill < kills; kill++) {
      await delay(200 + 300 * Math.random());
      await killed.end((process) => process.kill('SIGKILL'));
      await killed.start();
    }
    await delay(200);
    for (const counter of [killed, other]) await counter.end((process) => process.stdin?.end());

    const names = slugs.map((slug) => `'${slug}'`).join();
    const counted = await opened().sql(`SELECT ratio FROM notes WHERE slug IN (${names})`);
    const inRows = counted.reduce((sum, { ratio }) => sum + Number(ratio), 0);
    const acknowledged = killed.acknowledged + 1 + other.acknowledged + 1;
    console.log(
      `${orm} over ${database}: ${acknowledged} acknowledged, ${inRows} in the rows, ${kills} kills`,
    );
    expect(acknowledged).toBeGreaterThan(2 * kills);
    expect(inRows).toBe(acknowledged);
  });
});
