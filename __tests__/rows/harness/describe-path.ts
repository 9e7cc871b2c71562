import { describeMariadb } from '../../support/engines';
import { scaled } from '../../support/deep-scale';
import { type Server, startServers } from './cluster';
import type { EnginePath } from './engine-path';
import { findFaults, isSuccess } from './history';
import { comments, embeddedIn, openPlain, type PlainDatabase } from './plain-database';
import {
  type Disturbance,
  listOf,
  type Recorded,
  ofUpdate,
  runHistory,
  runWords,
  unanswered,
} from './run-history';
import { exhaustPool, holdWrite, meetHooks, refuse, type Trial, writeOnSameHandle } from './trials';

/** Of a small part, only some of the broken stores are tried. */
const isSample = scaled(15) === 1;

/** What is open while the tests of a path run. */
export interface Running {
  readonly path: EnginePath;
  readonly database: PlainDatabase;
  readonly servers: readonly Server[];
}

/** Four processes over one path, and their tests. */
export function describePath(
  path: EnginePath,
  script: string,
  tests: (running: () => Running) => void,
): void {
  const describeOver = path.database === 'MariaDB' ? describeMariadb : describe;
  describeOver(`${path.database}: ${path.path}`, () => {
    let running: Running | undefined;
    beforeAll(async () => {
      running = await (path.isEmbedded === true ? startEmbedded : startFour)(path, script);
    });
    afterEach(() => {
      expect(running?.servers.filter(({ crashed }) => crashed !== undefined)).toEqual([]);
    });
    afterAll(async () => {
      await Promise.all(running?.servers.map((server) => server.close()) ?? []);
      await running?.database.close();
    });
    tests(() => {
      if (running === undefined) throw new Error('The processes have not been started.');
      return running;
    });
  });
}

async function startFour(path: EnginePath, script: string): Promise<Running> {
  const database = await openPlain[path.database]();
  return { path, database, servers: await startServers(path, script, database, isSample ? 2 : 4) };
}

async function startEmbedded(path: EnginePath, script: string): Promise<Running> {
  let servers: readonly Server[] = [];
  const database = embeddedIn(async (body) => {
    const headers = { 'Content-Type': 'text/plain' };
    const answer = await servers[0]?.send('/plain', { method: 'POST', body, headers });
    if (answer?.status !== 200) throw new Error(answer?.body);
    return answer.body;
  });
  servers = await startServers(path, script, database, 1);
  await database.send(comments.PostgreSQL);
  return { path, database, servers };
}

function tell({ path }: EnginePath, what: string, { answers, cuts, history }: Recorded): void {
  const own = history.sent.filter(({ what: kind }) => kind === 'own').length;
  const counts = [...(history.counted ?? [])].reduce((sum, [, { acknowledged }]) => sum + acknowledged, 0);
  console.log(
    [
      `${path}, ${what}: ${history.audits.length} writes; the app's own: ${own} rows, ${counts} counts`,
      ...(cuts.size > 0 ? [listOf(cuts)] : []),
      listOf(answers),
    ].join('\n'),
  );
}

/** Clients and the app write to the same rows, undisturbed, with connections cut, and with processes killed. */
export function testHistories(running: () => Running, { database: name, isEmbedded }: EnginePath): void {
  const hasConnections = name !== 'SQLite' && isEmbedded !== true;
  const each = test.each<{ what: string; requests: number; disturbance?: Disturbance }>([
    { what: 'nothing ends', requests: scaled(4_000) },
    ...(hasConnections
      ? [
          {
            what: 'connections end in each phase',
            requests: 0,
            disturbance: { ends: 'connections', times: isSample ? 10 : Math.max(scaled(600), 24) } as const,
          },
        ]
      : []),
    ...(isEmbedded === true
      ? []
      : [
          {
            what: 'processes end in each phase',
            requests: 0,
            disturbance: { ends: 'processes', times: isSample ? 1 : Math.max(scaled(45), 2) } as const,
          },
        ]),
  ]);
  each('every 2xx is there once, every 4xx is not, and every other once or not: $what', async (about) => {
    const { path, servers, database } = running();
    const requests = Math.max(about.requests, isSample ? 60 : 120);
    const recorded = await runHistory({ ...about, requests, path, servers, database, variant: 'honest' });
    tell(path, about.what, recorded);
    expect({ faults: findFaults(recorded.history), own: recorded.ownErrors }).toEqual({
      faults: [],
      own: [],
    });
    // A run that has refused everything shows nothing.
    const written = recorded.history.sent.filter(({ what, status }) => what !== 'own' && isSuccess(status));
    expect(written.length).toBeGreaterThan(requests / 6);
  });
}

/** `version: 'xmin'`: a conditional UPDATE, undisturbed and with connections cut. */
export function testXmin(running: () => Running): void {
  const connections: Disturbance = { ends: 'connections', times: Math.max(scaled(300), 8), phases: ofUpdate };
  test.each<{ ends: string; disturbance?: Disturbance }>([
    { ends: 'nothing ends' },
    { ends: 'connections end in each phase', disturbance: connections },
  ])("every 2xx is there once with version: 'xmin': $ends", async ({ ends, disturbance }) => {
    const requests = Math.max(scaled(3_000), 80);
    const recorded = await runWords({ ...running(), variant: 'xmin', requests, disturbance });
    tell(running().path, `xmin, ${ends}`, recorded);
    expect({ faults: findFaults(recorded.history), own: recorded.ownErrors }).toEqual({
      faults: [],
      own: [],
    });
    expect(recorded.answers.get('PATCH 204')).toBeGreaterThan(requests / 20);
  });
  test('a store is found that is broken: xmin, without the condition', async () => {
    const { history } = await runWords({
      ...running(),
      variant: 'xmin, without the condition',
      requests: 200,
    });
    expect(findFaults(history).map(({ code }) => code)).toContain('lost');
  });
}

/** What else must be so on each path. */
export function testTrials(running: () => Running, { isSync, isSingle, hasLargePool }: EnginePath): void {
  const trial = (act: (about: Trial) => Promise<readonly string[]>) => async () => {
    expect(await act({ ...running(), variant: 'honest' })).toEqual([]);
  };
  test('a request that is refused leaves each byte of the row', trial(refuse));
  test('hooks of the database change, drop and refuse writes', trial(meetHooks));
  test("the app's own statements on the same handle are never rolled back", trial(writeOnSameHandle));
  // Nothing is held where nothing waits, and one connection serves one after the other.
  if (isSync !== true && isSingle !== true) {
    test('nobody waits while a write is held, but for who writes to its row', trial(holdWrite));
  }
  if (isSync !== true && hasLargePool !== true) {
    test('a pool whose connections all wait for another one: 503, and it works again', trial(exhaustPool));
  }
}

/** What a broken store must be found by. Any other error could be a mistake of this file. */
interface Breakage {
  readonly variant: string;
  readonly by: (trial: Trial) => Promise<readonly string[]>;
  readonly finds: RegExp;
}

const writeTogether =
  (finds: RegExp, disturbance?: Disturbance) =>
  async (trial: Trial): Promise<readonly string[]> => {
    for (let round = 0; round < 10; round++) {
      const { history } = await runHistory({ ...trial, requests: 60, disturbance });
      const found = findFaults(history).map(({ code, about }) => `${code}: ${about}`);
      if (found.some((one) => finds.test(one))) return found;
    }
    return [];
  };

const byHistory = (variant: string, finds: RegExp, disturbance?: Disturbance): Breakage => ({
  ...{ variant, by: writeTogether(finds, disturbance), finds },
});

const lostCommits: Disturbance = { ends: 'connections', times: 8, phases: unanswered.slice(0, 1) };

const noComparison = byHistory('no comparison', /^chain/);
const rolledBack = byHistory('acknowledged and rolled back', /^lost/);
const noCounter = byHistory('no counter', /^chain/);
const committedBefore: Breakage = {
  ...{
    variant: 'committed before it is read back',
    by: refuse,
    finds: /the row has changed/,
  },
};

const locked: readonly Breakage[] = [
  byHistory('no lock', /^chain/),
  noComparison,
  byHistory('locked after it is read', /^chain/),
  { variant: 'written beside the transaction', by: refuse, finds: /the row has changed/ },
  committedBefore,
  byHistory('repeated after a lost connection', /^(?:repeated|refused, and there)/, lostCommits),
  rolledBack,
];

function breakagesOf(path: EnginePath): readonly Breakage[] {
  return [
    ...breakagesOver(path),
    ...(path.hasCounter === true && path.database !== 'SQLite' ? [noCounter] : []),
  ];
}

function breakagesOver({ database, isSync }: EnginePath): readonly Breakage[] {
  if (database === 'MariaDB') return locked;
  if (database === 'PostgreSQL')
    return [...locked, { variant: 'locked FOR UPDATE', by: holdWrite, finds: /child row waits/ }];
  if (isSync !== true) return [noComparison, committedBefore, rolledBack];
  return [
    noComparison,
    { variant: 'without a transaction', by: refuse, finds: /the row has changed/ },
    { variant: 'awaited in a transaction of SQLite', by: writeOnSameHandle, finds: /is not committed/ },
  ];
}

const inSample = ['no lock', 'committed before it is read back', 'locked FOR UPDATE'];

export function testBreakages(running: () => Running, path: EnginePath): void {
  const breakages = breakagesOf(path).filter(({ variant }) => !isSample || inSample.includes(variant));
  if (breakages.length === 0) return;
  test.each(breakages)('a store is found that is broken: $variant', async ({ variant, by, finds }) => {
    const found = await by({ ...running(), variant });
    console.log(`${path.path}, ${variant}: ${found.slice(0, 3).join('; ').slice(0, 300)}`);
    expect(found).toContainEqual(expect.stringMatching(finds));
  });
}
