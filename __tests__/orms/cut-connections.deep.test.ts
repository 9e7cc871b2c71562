/**
 * The connection to the engine ends in each phase of a write, over each ORM and driver: what is answered 2xx is there once, what is
 * answered 4xx is not there, and what is answered 5xx is there once or not at all, and the error handler of the app has seen it.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import express from 'express';
import { jsonPatch, resource } from '../../lib';
import { rowStore, type RowStoreOptions, tableStore } from '../../lib/rows';
import { createPool, type Pool as MysqlPool } from 'mysql2/promise';
import { Pool } from 'pg';
import { scaled } from '../support/deep-scale';
import { serving } from '../support/serving';
import { type DatabaseName, describeOver, openDatabase, type TestDatabase } from './support/databases';
import { allOrms } from './support/each-orm';
import type { OrmUnderTest } from './support/orm';
import { surviving } from './support/surviving';
import {
  type Cut,
  type Moment,
  moments,
  type StatementName,
  StatementProxy,
  ways,
} from './support/statement-proxy';

const members = { title: 'string', facts: 'json' } as const;
const declared = { columns: members, key: 'slug', outcomes: 'outcomes' } as const;
type Store = ReturnType<
  typeof rowStore<typeof members, unknown, RowStoreOptions<typeof members> & { outcomes: string }>
>;

interface OpenedStore {
  readonly store: Store;
  readonly close: () => Promise<unknown>;
}

/** A way to write rows. */
interface Path {
  readonly path: string;
  /** Whether each write adds to `audits` in its transaction. */
  readonly isAudited: boolean;
  readonly open: (url: string) => Promise<OpenedStore>;
}

/** Its transactions, with an audit in each. */
function pathOf(about: OrmUnderTest): Path {
  const open = async (url: string) => {
    const { rows, audit, close } = await about.open(url);
    const store = rowStore({
      ...{ ...rows, ...declared },
      onWrite: (tx, { key, before, after }) =>
        audit(tx, {
          slug: key,
          before: JSON.stringify(before) ?? null,
          after: JSON.stringify(after) ?? '',
        }),
    });
    return { store: store as unknown as Store, close };
  };
  return { path: about.orm, isAudited: true, open };
}

/** As docs/orms/sql.md has the pools. */
const drivers: Readonly<Record<'PostgreSQL' | 'MariaDB', readonly Path[]>> = {
  PostgreSQL: [{ path: 'tableStore', isAudited: false, open: openOverPg }],
  MariaDB: [
    {
      path: 'tableStore',
      isAudited: false,
      open: (url) => {
        const pool: MysqlPool = createPool({ uri: url, connectionLimit: 10 });
        const store = tableStore(pool, { ...declared, table: 'notes' });
        return Promise.resolve({ store: store as unknown as Store, close: () => pool.end() });
      },
    },
  ],
};

function openOverPg(url: string): Promise<OpenedStore> {
  const pool = surviving(new Pool({ connectionString: url, max: 10 }));
  const store = tableStore(pool, { ...declared, table: 'notes' });
  return Promise.resolve({ store: store as unknown as Store, close: () => pool.end() });
}

/** A request that writes, and what shows how often it was carried out. */
interface Write {
  readonly what: string;
  readonly request: (mark: string) => { readonly init: RequestInit; readonly isNew?: boolean };
  readonly isRepeated?: boolean;
}

const append = (mark: string) => JSON.stringify([{ op: 'add', path: '/facts/marks/-', value: mark }]);
const patchHeaders = { 'Content-Type': 'application/json-patch+json' };
const writes: readonly Write[] = [
  {
    what: 'PATCH',
    request: (mark) => ({ init: { method: 'PATCH', body: append(mark), headers: patchHeaders } }),
  },
  {
    what: 'PATCH, repeated with its Idempotency-Key',
    isRepeated: true,
    request: (mark) => {
      const headers = { ...patchHeaders, 'Idempotency-Key': `"${mark}"` };
      return { init: { method: 'PATCH', body: append(mark), headers } };
    },
  },
  {
    what: 'PUT of a new row',
    request: (mark) => ({
      isNew: true,
      init: {
        method: 'PUT',
        body: JSON.stringify({ title: 'new', facts: { marks: [mark] } }),
        headers: { 'Content-Type': 'application/json', 'If-None-Match': '*' },
      },
    }),
  },
  {
    what: 'DELETE',
    request: () => ({ init: { method: 'DELETE' } }),
  },
];

/** One connection that ends during one write. */
interface Kill {
  readonly write: Write;
  readonly phase: Phase;
  /** Undefined: those that wait in the pool end before the request. */
  readonly cut: Cut | undefined;
  /** Whether the connection that takes their place ends at once as well. */
  readonly isGreeting?: boolean;
  readonly way: Cut['way'];
}

type Phase =
  | 'checkout'
  | 'before the read'
  | 'read unanswered'
  | 'between read and write'
  | 'write unanswered'
  | 'between write and COMMIT'
  | 'COMMIT unanswered'
  | 'after the COMMIT';

function phaseOf(index: number, all: readonly StatementName[], moment: Moment): Phase {
  const write = all.findIndex((name) => name === 'INSERT' || name === 'UPDATE' || name === 'DELETE');
  const commit = all.indexOf('COMMIT');
  const isBefore = moment === 'before it is sent' || moment === 'midway';
  const isAfter = moment === 'answered';
  if (index < write) {
    if (all[index] !== 'SELECT' || isAfter) return 'between read and write';
    return isBefore ? 'before the read' : 'read unanswered';
  }
  if (index === write) {
    if (isBefore) return 'between read and write';
    return isAfter ? 'between write and COMMIT' : 'write unanswered';
  }
  if (index < commit || (index === commit && isBefore)) return 'between write and COMMIT';
  return index === commit && !isAfter ? 'COMMIT unanswered' : 'after the COMMIT';
}

function killsOf(write: Write, all: readonly StatementName[]): Kill[] {
  const idle = ways.flatMap((way): Kill[] => {
    const kill = { write, phase: 'checkout', cut: undefined, way } as const;
    return way === 'kill' ? [kill] : [kill, { ...kill, isGreeting: true }];
  });
  const during = all.flatMap((statement, index) =>
    moments.flatMap((moment) =>
      ways
        .filter((way) => way !== 'kill' || (moment !== 'midway' && moment !== 'unanswered'))
        .map((way): Kill => {
          const passed = all.slice(0, index).filter((name) => name === statement).length;
          return { write, phase: phaseOf(index, all, moment), cut: { statement, passed, moment, way }, way };
        }),
    ),
  );
  return [...idle, ...during];
}

/** Under Prisma's pool, npm mariadb 3.4 ends the process if a connection is lost that is being opened. */
function isSurvived(path: string, database: string): (kill: Kill) => boolean {
  const isFatal = path.startsWith('Prisma') && database === 'MariaDB';
  return ({ isGreeting }) => !(isFatal && isGreeting === true);
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Tally {
  readonly path: string;
  readonly database: string;
  readonly phase: Phase | 'together';
  kills: number;
  acknowledged: number;
  there: number;
  wrong: number;
}
const tallies: Tally[] = [];
const errorsSeen = new Map<string, number>();
afterAll(() => {
  console.table(tallies);
  console.log(
    [...errorsSeen]
      .sort(([, a], [, b]) => b - a)
      .map(([what, times]) => `${times}  ${what}`)
      .join('\n'),
  );
});

const patience = 20_000;

/** An app over one path, and its engine behind the proxy. */
class Running {
  readonly seen = new Map<string, string>();
  readonly app = express();
  port = 0;
  #requests = 0;

  constructor(
    readonly proxy: StatementProxy,
    readonly database: TestDatabase,
    readonly name: 'PostgreSQL' | 'MariaDB',
    store: Store,
  ) {
    const note = resource(store, [jsonPatch()], {
      key: 'slug',
      create: true,
      idempotency: 'optional',
    } as never);
    this.app
      .route('/:slug')
      .get(note.get)
      .patch(note.patch)
      .put(note.put)
      .delete(note.delete as never);
    const see: express.ErrorRequestHandler = (error, req, res, next) => {
      this.seen.set(req.get('X-Number') ?? '', String(error));
      const { code } = Object(error) as { code?: unknown };
      const what = `${name}: ${String(code)} ${String((error as Error).name)}`;
      errorsSeen.set(what, (errorsSeen.get(what) ?? 0) + 1);
      if (res.headersSent) next(error);
      else res.status(500).json({ code: 'seen by the app' });
    };
    this.app.use(see);
  }

  /** @throws for a 5xx that the error handler has not seen, and for no answer at all */
  async send(slug: string, init: RequestInit): Promise<Answer> {
    const number = String((this.#requests += 1));
    const answer = await fetch(`http://127.0.0.1:${this.port}/${slug}`, {
      ...init,
      headers: { ...init.headers, 'X-Number': number },
      signal: AbortSignal.timeout(patience),
    });
    const body = await answer.text();
    // The time limit of a write is an answer of its own.
    if (answer.status >= 500 && !this.seen.has(number) && !body.includes('"write-timeout"'))
      throw new Error(`${answer.status} was not seen by the app: ${body}`);
    return { status: answer.status, body };
  }

  /** Reads until an answer comes: how often it was refused. */
  async recover(slug: string): Promise<number> {
    for (let refused = 0; ; refused++) {
      const { status, body } = await this.send(slug, {});
      if (status < 500) return refused;
      if (refused === 30) throw new Error(`The pool does not recover: ${body}`);
      await delay(refused * 5);
    }
  }

  /** Waits until the engine has ended what it did for the connections that were cut. */
  async quiet(): Promise<void> {
    const ports = this.proxy.cuts.join();
    if (ports === '') return;
    const busy = {
      PostgreSQL: `SELECT pid FROM pg_stat_activity WHERE client_port IN (${ports})`,
      MariaDB: `SELECT id FROM information_schema.processlist WHERE substring_index(host, ':', -1) IN (${ports})`,
    };
    while ((await this.database.sql(busy[this.name])).length > 0) await delay(2);
  }

  async insert(slug: string): Promise<void> {
    await this.database.sql(`INSERT INTO notes (slug, title, facts) VALUES ('${slug}', 'a', '{"marks":[]}')`);
  }

  /** How often a mark is in its row, and how many audits the row has; undefined without the row. */
  async read(
    slug: string,
  ): Promise<{ readonly marks: readonly string[] | undefined; readonly audits: number }> {
    const [row] = await this.database.sql(`SELECT facts FROM notes WHERE slug = '${slug}'`);
    const audits = await this.database.sql(`SELECT id FROM audits WHERE slug = '${slug}'`);
    const facts: unknown = typeof row?.['facts'] === 'string' ? JSON.parse(row['facts']) : row?.['facts'];
    return { marks: row && (facts as { marks: string[] }).marks, audits: audits.length };
  }
}

/** Why an answer is not true of what is there; undefined if it is. */
function findLie({ status }: Answer, times: number): string | undefined {
  if (times > 1) return `${status}, and it is there ${times} times`;
  if (status < 300 && times === 0) return `${status}, and it is not there`;
  if (status >= 300 && status < 500 && times > 0) return `${status}, and it is there`;
  return undefined;
}

const sampled = <T>(all: readonly T[]): readonly T[] => {
  const part = Math.min(all.length, scaled(all.length));
  return Array.from(
    { length: part },
    (_, index) => all[Math.floor(((index + Math.random()) * all.length) / part)] as T,
  );
};

for (const name of ['PostgreSQL', 'MariaDB'] as const satisfies readonly DatabaseName[]) {
  describeOver[name](name, () => {
    let database: TestDatabase;
    let proxy: StatementProxy;
    beforeAll(async () => {
      database = await openDatabase(name);
      const kill = {
        PostgreSQL: (port: number) =>
          database.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE client_port = ${port}`),
        MariaDB: async (port: number) => {
          const [row] = await database.sql(
            `SELECT id FROM information_schema.processlist WHERE host LIKE '%:${port}'`,
          );
          if (row !== undefined)
            await database.sql(`KILL ${String(row['id'] ?? row['ID'])}`).catch(() => undefined);
        },
      };
      proxy = await StatementProxy.start(database.url, kill[name]);
    });
    afterAll(async () => {
      await proxy.close();
      await database.close();
    });

    const paths = [...drivers[name], ...allOrms.filter(({ database: of }) => of === name).map(pathOf)];
    describe.each(paths)('$path', ({ path, isAudited, open }) => {
      let opened: OpenedStore;
      beforeEach(async () => {
        proxy.arm();
        opened = await open(proxy.url);
      });
      // Drizzle's pool waits for connections that were never given back.
      afterEach(() => Promise.race([opened.close(), delay(2_000)]));

      test.each(writes)('$what: one connection, in each phase', async (write) => {
        const running = new Running(proxy, database, name, opened.store);
        await serving(running.app, async (_server, port) => {
          running.port = port;
          const all = await observe(running, write);
          const wrong: object[] = [];
          for (const kill of sampled(killsOf(write, all)).filter(isSurvived(path, name))) {
            const lie = await carryOut(running, kill, { path, isAudited });
            if (lie !== undefined) wrong.push({ ...kill, write: write.what, lie });
          }
          expect(wrong).toEqual([]);
        });
      });

      test('eight writers in one row, and any connection', async () => {
        const running = new Running(proxy, database, name, opened.store);
        await serving(running.app, async (_server, port) => {
          running.port = port;
          const wrong: object[] = [];
          for (let round = 0; round < scaled(20); round++)
            wrong.push(...(await writeTogether(running, { path, isAudited })));
          expect(wrong).toEqual([]);
        });
      });
    });
  });
}

/** The statements of a write that nothing disturbs. */
async function observe(running: Running, { request, what }: Write): Promise<readonly StatementName[]> {
  const slug = randomUUID();
  const { init, isNew } = request('first');
  if (isNew !== true) await running.insert(slug);
  await running.recover(slug);
  running.proxy.arm();
  const { status, body } = await running.send(slug, init);
  expect({ status: [201, 204].includes(status), body }).toEqual({ status: true, body: '' });
  const all = [...running.proxy.statements];
  expect({ what, all }).toEqual({
    what,
    all: expect.arrayContaining([
      'SELECT',
      what === 'DELETE' ? 'DELETE' : isNew ? 'INSERT' : 'UPDATE',
    ]) as unknown,
  });
  return all;
}

interface PathTold {
  readonly path: string;
  readonly isAudited: boolean;
}

async function carryOut(
  running: Running,
  { write, phase, cut, way, isGreeting }: Kill,
  { path, isAudited }: PathTold,
): Promise<string | undefined> {
  const { proxy } = running;
  const [slug, mark] = [randomUUID(), randomUUID()];
  const { init, isNew } = write.request(mark);
  if (isNew !== true) await running.insert(slug);
  await running.recover(slug);
  proxy.arm(cut);
  if (cut === undefined) await proxy.cutIdle(way);
  if (isGreeting === true) proxy.cutGreeting(way);
  const answers = [
    await running.send(slug, init).catch((error: unknown) => ({ status: 0, body: String(error) })),
  ];
  const kills = proxy.cuts.length;
  await running.quiet();
  while (write.isRepeated === true && (answers.at(-1)?.status ?? 0) >= 500 && answers.length < 30)
    answers.push(await running.send(slug, init));
  const answer = answers.at(-1) as Answer;
  const { marks, audits } = await running.read(slug);
  const times =
    write.what === 'DELETE'
      ? Number(marks === undefined)
      : (marks ?? []).filter((one) => one === mark).length;
  const lie =
    answer.status === 0
      ? answer.body
      : (findLie(answer, times) ??
        (isAudited && audits !== times ? `${audits} audits of ${times} writes` : undefined) ??
        (write.isRepeated === true && times !== 1
          ? `${answer.status}: repeated, and there ${times} times`
          : undefined));
  count(running.name, path, phase, {
    kills,
    acknowledged: answers.filter(isSuccess).length,
    there: times,
    wrong: lie,
  });
  return lie;
}

/** Each appends some marks of its own, and of every few statements one ends its connection. */
async function writeTogether(running: Running, { path, isAudited }: PathTold): Promise<object[]> {
  const { proxy } = running;
  const slug = randomUUID();
  await running.insert(slug);
  await running.recover(slug);
  proxy.arm();
  const names: readonly StatementName[] = [
    'SELECT',
    'BEGIN',
    'UPDATE',
    'COMMIT',
    ...(isAudited ? ['audit' as const] : []),
  ];
  let isOver = false;
  const cutting = (async () => {
    while (!isOver) {
      proxy.cutNext({
        statement: pick(names),
        passed: 0,
        moment: pick(['before it is sent', 'sent', 'unanswered', 'answered']),
        way: pick(ways),
      });
      await delay(10 + 20 * Math.random());
    }
  })();
  const sent: { readonly mark: string; readonly answer: Answer }[] = [];
  const writers = Array.from({ length: 8 }, async () => {
    for (let times = 0; times < 4; times++) {
      const mark = randomUUID();
      const init = { method: 'PATCH', body: append(mark), headers: patchHeaders };
      const answer = await running
        .send(slug, init)
        .catch((error: unknown) => ({ status: 0, body: String(error) }));
      sent.push({ mark, answer });
    }
  });
  await Promise.all(writers);
  isOver = true;
  await cutting;
  const kills = proxy.cuts.length;
  await running.quiet();
  const { marks = [], audits } = await running.read(slug);
  const wrong = sent.flatMap(({ mark, answer }) => {
    const times = marks.filter((one) => one === mark).length;
    const lie = answer.status === 0 ? answer.body : findLie(answer, times);
    return lie === undefined ? [] : [{ lie, body: answer.body }];
  });
  if (isAudited && audits !== marks.length)
    wrong.push({ lie: `${audits} audits of ${marks.length} writes`, body: '' });
  count(running.name, path, 'together', {
    kills,
    acknowledged: sent.filter(({ answer }) => isSuccess(answer)).length,
    there: marks.length,
    wrong: wrong[0]?.lie,
  });
  proxy.arm();
  return wrong;
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

function pick<T>(all: readonly T[]): T {
  return all[Math.floor(Math.random() * all.length)] as T;
}

function count(
  database: string,
  path: string,
  phase: Phase | 'together',
  {
    kills,
    acknowledged,
    there,
    wrong,
  }: { kills: number; acknowledged: number; there: number; wrong: string | undefined },
): void {
  const isSame = (one: Tally) => one.path === path && one.database === database && one.phase === phase;
  let tally = tallies.find(isSame);
  if (tally === undefined) {
    tally = { path, database, phase, kills: 0, acknowledged: 0, there: 0, wrong: 0 };
    tallies.push(tally);
  }
  tally.kills += kills;
  tally.acknowledged += acknowledged;
  tally.there += there;
  tally.wrong += Number(wrong !== undefined);
}
