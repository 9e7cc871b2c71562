/** Clients and the app's own code write to the same rows through several processes, and all that happens is recorded. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cut, Moment, StatementName } from '../../orms/support/statement-proxy';
import type { Answer, Server } from './cluster';
import type { AuditText, EnginePath, ShownNote } from './engine-path';
import { type Audit, type History, isSuccess, type NoteState, type Sent } from './history';
import { beforeColumn, insertNote, type PlainDatabase, quote, readAudits, readRows } from './plain-database';

export interface Run {
  readonly servers: readonly Server[];
  readonly database: PlainDatabase;
  readonly path: EnginePath;
  /** `honest`, or the name of a breakage. */
  readonly variant: string;
  /** How many requests clients send at least. */
  readonly requests: number;
  readonly disturbance?: Disturbance | undefined;
}

export interface Recorded {
  readonly history: History;
  /** Errors of the app's own statements. */
  readonly ownErrors: readonly string[];
  /** How many requests had each answer. */
  readonly answers: ReadonlyMap<string, number>;
  /** How many connections or processes ended, by the phase. */
  readonly cuts: ReadonlyMap<string, number>;
}

/** What ends while the clients write: connections, or processes. */
export interface Disturbance {
  readonly ends: 'connections' | 'processes';
  /** How many end. */
  readonly times: number;
  /** Default: each phase in turn. */
  readonly phases?: readonly Phase[];
}

export interface Phase {
  readonly phase: string;
  readonly statement: StatementName;
  readonly moment: Moment;
}

const momentsOf = (statement: StatementName, name: string = statement): Phase[] => [
  { phase: `before ${name}`, statement, moment: 'before it is sent' },
  { phase: `${name} sent`, statement, moment: 'sent' },
  { phase: `${name} answered`, statement, moment: 'answered' },
];

const phases: readonly Phase[] = [
  ...momentsOf('COMMIT'),
  ...momentsOf('lock', 'the lock'),
  ...momentsOf('UPDATE'),
  ...momentsOf('audit', 'onWrite'),
  ...momentsOf('INSERT'),
  ...momentsOf('DELETE'),
  ...momentsOf('BEGIN'),
];

/** Where there is no transaction. */
export const ofUpdate: readonly Phase[] = [
  ...momentsOf('UPDATE'),
  { phase: 'UPDATE unanswered', statement: 'UPDATE', moment: 'unanswered' },
];

/** The engine has carried it out, and the app does not know: only of a connection. */
export const unanswered: readonly Phase[] = (['COMMIT', 'UPDATE', 'lock'] as const).map((statement) => ({
  ...{ phase: `${statement} unanswered`, statement, moment: 'unanswered' },
}));

export async function runHistory(run: Run): Promise<Recorded> {
  const { servers, database, variant } = run;
  const id = randomUUID().slice(0, 8);
  const hot = ['hot-0', 'hot-1'].map((name) => `${id}-${name}`);
  const short = ['short-0', 'short-1', 'short-2'].map((name) => `${id}-${name}`);
  const slugs = [...hot, ...short];
  const initial = new Map<string, NoteState>();
  for (const slug of [...hot, short[0] ?? '']) initial.set(slug, await insertNote(database, slug));

  const sent: Sent[] = [];
  const answers = new Map<string, number>();
  const ownErrors: string[] = [];
  const counted = new Map<string, { acknowledged: number; unknown: number }>();
  let left = run.requests;
  let answered = 0;
  let isOver = false;
  let isDisturbed = run.disturbance !== undefined;

  async function send(slug: string, what: Sent['what'], init: ToSend): Promise<Answer> {
    const mark = init.mark ?? randomUUID().slice(0, 13);
    const sentAt = performance.now();
    const answer = await (init.server ?? pick(servers)).send(targetOf(variant, slug), {
      method: methods[what],
      ...(init.content !== undefined && { body: init.content(mark) }),
      headers: { 'Content-Type': contentTypes[what], 'X-Mark': mark, ...init.headers },
    });
    answered += 1;
    sent.push({ mark, slug, what, status: answer.status, sentAt, answeredAt: performance.now() });
    const name = `${what} ${answer.status}${isSuccess(answer.status) ? '' : ` ${readCode(answer)}`}`;
    answers.set(name, (answers.get(name) ?? 0) + 1);
    return answer;
  }

  const read = async (slug: string) => {
    const { status, etag = '', body } = await pick(servers).send(targetOf(variant, slug));
    return status === 200 ? { etag, note: JSON.parse(body) as ShownNote } : undefined;
  };

  const acts: readonly (readonly [weight: number, act: () => Promise<unknown>])[] = [
    [10, () => send(pick(hot), 'PATCH', { content: append })],
    [2, () => send(pick(hot), 'PATCH', { content: append, headers: { 'X-Refuse': '409' } })],
    [1, () => send(pick(hot), 'PATCH', { content: append, headers: { 'X-Refuse': '500' } })],
    [
      3,
      async () => {
        const [slug, mark] = [pick(hot), randomUUID().slice(0, 13)];
        const headers = { 'Idempotency-Key': `"${mark}"` };
        for (let tries = 0; tries < 10; tries++) {
          const { status } = await send(slug, 'PATCH', { content: append, headers, mark });
          if (status > 0 && status < 500) return;
          await delay(10 * tries);
        }
      },
    ],
    [
      4,
      async () => {
        const slug = pick(slugs);
        const found = await read(slug);
        if (found === undefined) return;
        const { note, etag } = found;
        const content = (mark: string) =>
          JSON.stringify({ ...note, title: mark, facts: { marks: [...note.facts.marks, mark] } });
        await send(slug, 'PUT', { content, headers: { 'If-Match': etag } });
      },
    ],
    [4, () => send(pick(short), 'create', { content: create, headers: { 'If-None-Match': '*' } })],
    [
      1,
      () =>
        send(pick(short), 'create', {
          content: create,
          headers: { 'If-None-Match': '*', 'X-Refuse': '409' },
        }),
    ],
    [2, () => send(pick(short), 'PATCH', { content: append, headers: { 'If-Match': '*' } })],
    [2, () => send(pick(short), 'DELETE', {})],
    [1, () => send(pick(short), 'DELETE', { headers: { 'X-Refuse': '409' } })],
    [
      1,
      async () => {
        const slug = pick(short);
        const found = await read(slug);
        if (found !== undefined) await send(slug, 'DELETE', { headers: { 'If-Match': found.etag } });
      },
    ],
  ];
  const deck = acts.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));

  const client = async () => {
    while (left-- > 0 || isDisturbed) {
      await pick(deck)();
      await delay(2 * Math.random());
    }
  };

  /** The app's own code, on connections of its own: once for so many answers of clients, so that it leaves them time on any machine. */
  const own = async (act: () => Promise<void>, every: number) => {
    // None begins within the turn of another: SQLite would let this process wait for itself.
    for (let next = every; !isOver; await delay(2)) {
      if (answered < next) continue;
      next = answered + every * (0.5 + Math.random());
      await act().catch((error: unknown) => ownErrors.push(String(error)));
    }
  };
  const countUp = async () => {
    const slug = pick(hot);
    const so = counted.get(slug) ?? { acknowledged: 0, unknown: 0 };
    counted.set(slug, so);
    so.unknown += 1;
    const { count: rows } = await database.send(
      `UPDATE notes SET ratio = ratio + 1, revision = revision + 1 WHERE slug = ${quote(slug)}`,
    );
    so.unknown -= 1;
    so.acknowledged += rows;
  };
  const bodies = new Map<string, number>();
  const writeBody = async () => {
    const slug = pick(hot);
    const number = bodies.get(slug) ?? 0;
    bodies.set(slug, number + 1);
    const earlier = number === 0 ? 'body IS NULL' : `body = '${number}'`;
    const { count: rows } = await database.send(
      `UPDATE notes SET body = '${number + 1}', revision = revision + 1 WHERE slug = ${quote(slug)} AND ${earlier}`,
    );
    if (rows !== 1) throw new Error(`The app's own body ${number} is lost.`);
  };
  const writeBack = (isLocking: boolean) => async () => {
    const [slug, mark] = [pick(hot), randomUUID().slice(0, 13)];
    const sentAt = performance.now();
    let isWritten = false;
    await database.transaction?.(async (query) => {
      isWritten = await writeWholeRow(query, database.name, { slug, mark, isLocking });
    });
    const status = isWritten ? 200 : 412;
    sent.push({ ...{ mark, slug, what: 'own', status, sentAt }, answeredAt: performance.now() });
  };

  const die = (server: Server, phase: string) =>
    send(pick(hot), 'PATCH', { content: append, server, headers: { 'X-Die': phase } });
  const disturbing = disturb(run, die).finally(() => (isDisturbed = false));
  const ours = [own(countUp, 1), own(writeBody, 2)];
  if (database.transaction !== undefined) ours.push(own(writeBack(true), 4));
  if (run.path.hasCounter === true) ours.push(own(writeBack(false), 4));
  await Promise.all(Array.from({ length: 2 * servers.length }, client));
  isOver = true;
  await Promise.all(ours);
  const cuts = await disturbing;
  await database.quiet();
  const rows = await readRows(database, slugs);
  const audits = await readAudits(database, slugs);
  return { history: { sent, audits, initial, rows, counted }, ownErrors, answers, cuts };
}

export const targetOf = (variant: string, slug: string) => `/${encodeURIComponent(variant)}/notes/${slug}`;

/**
 * The same where a write is one conditional UPDATE, with nothing beside it: each client, and the app, adds a word to a text, so the
 * text itself says in which order.
 */
export async function runWords({
  servers,
  database,
  variant,
  requests,
  disturbance,
}: Run): Promise<Recorded> {
  const slugs = Array.from({ length: 6 }, () => randomUUID());
  const initial = new Map<string, NoteState>();
  for (const slug of slugs) initial.set(slug, await insertNote(database, slug));
  const sent: Sent[] = [];
  const answers = new Map<string, number>();
  const ownErrors: string[] = [];
  let left = requests;
  let isDisturbed = disturbance !== undefined;

  const client = async () => {
    while (left-- > 0 || isDisturbed) {
      const slug = pick(slugs);
      const { status: found, etag = '', body } = await pick(servers).send(targetOf(variant, slug));
      if (found !== 200) continue;
      const { title } = JSON.parse(body) as ShownNote;
      const mark = randomUUID().slice(0, 8);
      const sentAt = performance.now();
      const { status } = await pick(servers).send(targetOf(variant, slug), {
        method: 'PATCH',
        body: JSON.stringify([{ op: 'replace', path: '/title', value: `${title} ${mark}` }]),
        headers: { 'Content-Type': contentTypes.PATCH, 'If-Match': etag },
      });
      sent.push({ mark, slug, what: 'PATCH', status, sentAt, answeredAt: performance.now() });
      count(answers, `PATCH ${status}`);
    }
  };
  const own = async () => {
    while (left > 0 || isDisturbed) {
      const slug = pick(slugs);
      const mark = randomUUID().slice(0, 8);
      const sentAt = performance.now();
      const update = `UPDATE notes SET title = concat(title, ' ', '${mark}') WHERE slug = ${quote(slug)}`;
      await database.send(update).catch((error: unknown) => ownErrors.push(String(error)));
      sent.push({ ...{ mark, slug, what: 'own', status: 200, sentAt }, answeredAt: performance.now() });
      await delay(60 * Math.random());
    }
  };
  const disturbing = disturb({ servers, disturbance }, () => Promise.resolve()).finally(
    () => (isDisturbed = false),
  );
  await Promise.all([own(), ...Array.from({ length: 2 * servers.length }, client)]);
  const cuts = await disturbing;
  await database.quiet();
  const audits: Audit[] = [];
  const rows = new Map(initial);
  for (const [slug, empty] of initial) {
    const found = await database.send(`SELECT title FROM notes WHERE slug = ${quote(slug)}`);
    const [, ...marks] = String(found.rows[0]?.['title']).split(' ');
    let before = empty;
    for (const mark of marks) {
      const after = { ...before, marks: [...before.marks, mark] };
      audits.push({ mark, slug, before, after });
      before = after;
    }
    rows.set(slug, before);
  }
  return { history: { sent, audits, initial, rows }, ownErrors, answers, cuts };
}

interface ToSend {
  readonly content?: (mark: string) => string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly mark?: string;
  readonly server?: Server;
}

const methods = { PATCH: 'PATCH', PUT: 'PUT', create: 'PUT', DELETE: 'DELETE', own: 'GET' } as const;

const contentTypes = {
  ...{ PATCH: 'application/json-patch+json', PUT: 'application/json', create: 'application/json' },
  ...{ DELETE: 'application/json', own: 'application/json' },
} as const;

export const append = (mark: string) => JSON.stringify([{ op: 'add', path: '/facts/marks/-', value: mark }]);
const create = (mark: string) =>
  JSON.stringify({ title: 'a', body: null, count: 0, facts: { marks: [mark] } });

/**
 * Each column as it was read, and one mark more: what `save()` does in an app that locks the row, or has a counter of
 * versions.
 *
 * @returns whether the row was still the one that was read
 */
async function writeWholeRow(
  query: PlainDatabase['send'],
  name: PlainDatabase['name'],
  { slug, mark, isLocking }: { readonly slug: string; readonly mark: string; readonly isLocking: boolean },
): Promise<boolean> {
  const lock = isLocking && name !== 'SQLite' ? 'FOR UPDATE' : '';
  const { rows } = await query(
    `SELECT title, body, facts, ratio, age, revision FROM notes WHERE slug = ${quote(slug)} ${lock}`,
  );
  // In SQLite it has the lock of all, for which this process would wait itself.
  if (!isLocking && name !== 'SQLite') await delay(3);
  const [{ title, body, facts, ratio, age, revision } = {}] = rows;
  const { marks } = (typeof facts === 'string' ? JSON.parse(facts) : facts) as ShownNote['facts'];
  const text = (value: unknown) => (value === null || value === undefined ? 'NULL' : quote(String(value)));
  const before: ShownNote = {
    ...{ title: String(title), body: body === null ? null : String(body) },
    ...{ facts: { marks }, count: Number(ratio) },
  };
  const after: AuditText = { mark, state: { ...before, facts: { marks: [...marks, mark] } } };
  const { count } = await query(
    `UPDATE notes SET title = ${text(title)}, body = ${text(body)}, ratio = ${text(ratio)}, age = ${text(age)},
     facts = ${quote(JSON.stringify(after.state?.facts))}, revision = ${Number(revision) + 1}
     WHERE slug = ${quote(slug)} AND revision = ${Number(revision)}`,
  );
  if (count === 0) return false;
  await query(
    `INSERT INTO audits (slug, ${beforeColumn(name)}, after)
     VALUES (${quote(slug)}, ${quote(JSON.stringify(before))}, ${quote(JSON.stringify(after))})`,
  );
  return true;
}

/** Ends one connection or process after the other, each in the next phase. */
async function disturb(
  { servers, disturbance }: Pick<Run, 'servers' | 'disturbance'>,
  die: (server: Server, phase: string) => Promise<unknown>,
): Promise<ReadonlyMap<string, number>> {
  const cuts = new Map<string, number>();
  if (disturbance === undefined) return cuts;
  const isKilling = disturbance.ends === 'processes';
  const list = disturbance.phases ?? (isKilling ? phases : [...phases, ...unanswered]);
  for (let number = 0, done = 0; done < disturbance.times; number++) {
    const server = servers[number % servers.length];
    const phase = list[number % list.length];
    if (server === undefined || phase === undefined) break;
    await server.isReady;
    await delay((isKilling ? 400 : 20) * Math.random());
    const { proxy } = server;
    if (proxy === undefined) {
      const own = ownPhases[number % ownPhases.length] ?? 'at any moment';
      const { kills } = server;
      if (own === 'at any moment') await server.kill();
      else await die(server, own);
      // It may have lost its race, and have written nothing.
      if (await isSoon(() => server.kills > kills, 200)) done += count(cuts, own);
      continue;
    }
    server.isMortal = isKilling;
    proxy.cutNext({ ...phase, passed: 0, way: isKilling ? 'kill' : pick(waysOf(phase.moment)) });
    const countEnds = () => (isKilling ? server.kills : proxy.cuts.length);
    const before = countEnds();
    // There may be no such statement for a while.
    if (await isSoon(() => countEnds() > before, 1_000)) done += count(cuts, phase.phase);
    else proxy.cutNext(never);
  }
  await Promise.all(servers.map(({ isReady }) => isReady));
  return cuts;
}

async function isSoon(isSo: () => boolean, patience: number): Promise<boolean> {
  for (let waited = 0; waited < patience && !isSo(); waited += 5) await delay(5);
  return isSo();
}

/** Of a process without a proxy. */
const ownPhases = ['before COMMIT', 'COMMIT answered', 'at any moment', 'onWrite'] as const;

const never: Cut = { statement: 'SELECT', passed: Infinity, moment: 'sent', way: 'reset' };

function count(cuts: Map<string, number>, phase: string): number {
  cuts.set(phase, (cuts.get(phase) ?? 0) + 1);
  return 1;
}

const waysOf = (moment: Moment) =>
  moment === 'unanswered' ? (['reset', 'end'] as const) : (['reset', 'end', 'kill'] as const);

function readCode({ status, body }: Answer): string {
  if (status === 0) return 'none';
  try {
    return String((JSON.parse(body) as { code?: unknown }).code);
  } catch {
    return body.slice(0, 40);
  }
}

export function pick<T>(all: readonly T[]): T {
  return all[Math.floor(Math.random() * all.length)] as T;
}

/** For a message: the commonest first. */
export function listOf(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
}
