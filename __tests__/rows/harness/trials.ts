/** Single situations, each of which returns what is wrong in it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Init, Server } from './cluster';
import type { EnginePath } from './engine-path';
import { isSuccess } from './history';
import { insertNote, type PlainDatabase, quote, readAudits, readBytes, readRows } from './plain-database';
import { append, targetOf } from './run-history';

export interface Trial {
  readonly path: EnginePath;
  readonly database: PlainDatabase;
  readonly servers: readonly Server[];
  readonly variant: string;
}

const newSlug = () => randomUUID().slice(0, 13);

/** Appends a mark of its own. */
function patch(
  { servers, variant }: Trial,
  slug: string,
  headers: Init['headers'] = {},
  server = servers[0],
): Promise<Answer> {
  const mark = newSlug();
  return sendTo(server, targetOf(variant, slug), {
    method: 'PATCH',
    body: append(mark),
    headers: { 'Content-Type': 'application/json-patch+json', 'X-Mark': mark, ...headers },
  });
}

function sendTo(server: Server | undefined, target: string, init: Init): Promise<Answer> {
  if (server === undefined) throw new Error('There is no such process.');
  return server.send(target, init);
}

/** While a write is held in its transaction, who else waits for it? */
export async function holdWrite(trial: Trial): Promise<readonly string[]> {
  const { database, servers, variant } = trial;
  const [held, other, third, created, inserted] = [newSlug(), newSlug(), newSlug(), newSlug(), newSlug()];
  for (const slug of [held, other, third]) await insertNote(database, slug);
  // The pool of each process has a connection, and the server has compiled what it needs.
  for (const server of servers) await server.send(targetOf(variant, other));
  const faults: string[] = [];
  let isHeld = true;
  const holding = patch(trial, held, { 'X-Hold': '2000' }).finally(() => (isHeld = false));
  await delay(600);
  if (!isHeld) throw new Error(`The write was not held: ${(await holding).body}`);

  const watch = async (what: string, act: () => Promise<unknown>, mayWait = false) => {
    const begun = performance.now();
    const result = await act().catch((error: unknown) => error);
    // Whoever waits for it has to wait for 1400 ms, and is there before its answer.
    if (performance.now() - begun > 1_000 && !mayWait) faults.push(`${what} waits for the write`);
    const { status, count } = Object(result) as { status?: number; count?: number };
    if (result instanceof Error) faults.push(`${what}: ${result.message}`);
    if ((status !== undefined && !isSuccess(status)) || count === 0)
      faults.push(`${what}: ${JSON.stringify(result)}`);
  };
  const put = { 'Content-Type': 'application/json', 'If-None-Match': '*', 'X-Mark': newSlug() };
  const content = JSON.stringify({ title: 'a', facts: { marks: [] }, count: 0 });
  const insertComment = `INSERT INTO comments (slug) VALUES (${quote(held)})`;
  const insert = `INSERT INTO notes (slug, title) VALUES (${quote(inserted)}, 'a')`;
  // There, a foreign key waits for any write of the parent, and keeps the gap beside it from the inserts of others.
  const isInnodb = database.name === 'MariaDB';
  const update = (slug: string) => `UPDATE notes SET age = 1 WHERE slug = ${quote(slug)}`;
  const comment = () => watch('an insert of a child row', () => database.send(insertComment), isInnodb);
  await Promise.all([
    ...(isInnodb ? [] : [comment()]),
    watch("the app's insert", () => database.send(insert)),
    watch("the app's update of another row", () => database.send(update(other))),
    watch("the app's read of the row", async () => {
      await database.send(`SELECT id FROM notes WHERE slug = ${quote(held)}`);
    }),
    watch('a GET', () => sendTo(servers.at(-1), targetOf(variant, held), {})),
    watch('a create in the same process', () =>
      sendTo(servers[0], targetOf(variant, created), { method: 'PUT', body: content, headers: put }),
    ),
    watch('a create in another process', () =>
      sendTo(servers.at(-1), targetOf(variant, `${created}-2`), {
        method: 'PUT',
        body: content,
        headers: put,
      }),
    ),
    watch('a PATCH of another row in the same process', () => patch(trial, other)),
    watch('a PATCH of another row in another process', () => patch(trial, third, {}, servers.at(-1))),
  ]);
  if (!isHeld) faults.push('The write was not held for long enough.');
  await Promise.all([
    watch("the app's update of the same row", () => database.send(update(held)), true),
    ...(isInnodb ? [comment()] : []),
  ]);
  const { status, body } = await holding;
  if (status !== 204) faults.push(`the held write: ${status} ${body}`);
  const { rows } = await database.send(`SELECT age FROM notes WHERE slug = ${quote(held)}`);
  if (Number(rows[0]?.['age']) !== 1) faults.push("the app's update of the same row is lost");
  return faults;
}

/** The app's own statements on the same handle, while writes of the store are refused in their transactions. */
export async function writeOnSameHandle(trial: Trial): Promise<readonly string[]> {
  const { database, servers, path, variant } = trial;
  const [refused, own] = [newSlug(), newSlug()];
  for (const slug of [refused, own]) await insertNote(database, slug);
  await patch(trial, refused);
  const faults: string[] = [];
  const hold = path.isSync === true && variant === 'honest' ? {} : { 'X-Hold': '40' };
  let isOver = false;
  const refusing = async () => {
    while (!isOver) {
      const { status, body } = await patch(trial, refused, { 'X-Refuse': '409', ...hold });
      if (status !== 409) faults.push(`the refused write: ${status} ${body}`);
    }
  };
  const refusals = [refusing(), refusing()];
  for (let age = 1; age <= 20; age++) {
    const { status, body } = await sendTo(servers[0], `/own/${own}/${age}`, { method: 'POST' });
    if (status !== 204) faults.push(`the app's own write: ${status} ${body}`);
    const { rows } = await database.send(`SELECT age FROM notes WHERE slug = ${quote(own)}`);
    if (Number(rows[0]?.['age']) !== age)
      faults.push(`the app's own write has returned, and is not committed: ${age}`);
    await delay(10 * Math.random());
  }
  isOver = true;
  await Promise.all(refusals);
  return faults;
}

/** Ten writes hold the ten connections of a pool, and the app's `onWrite` waits for an eleventh. */
export async function exhaustPool(trial: Trial): Promise<readonly string[]> {
  const { database, servers } = trial;
  const slugs = Array.from({ length: 10 }, newSlug);
  for (const slug of slugs) await insertNote(database, slug);
  const faults: string[] = [];
  // Each has a connection before the first one wants another.
  const answers = await Promise.all(
    slugs.map((slug) => patch(trial, slug, { 'X-Hold': '700', 'X-Pool': 'yes' })),
  );
  const statuses = answers.map(({ status }) => status);
  if (!statuses.includes(503)) faults.push(`no write was given up: ${statuses.join()}`);
  if (!answers.every(({ status }) => status === 503 || status === 204))
    faults.push(`other answers: ${answers.map(({ status, body }) => `${status} ${body}`).join()}`);
  const [after] = slugs;
  const { status, body } = await sendTo(servers[0], `/own/${after}`, {});
  if (status !== 204) faults.push(`the pool does not work again: ${status} ${body}`);
  await database.quiet();
  const rows = await readRows(database, slugs);
  const audits = await readAudits(database, slugs);
  for (const [index, slug] of slugs.entries()) {
    const marks = rows.get(slug)?.marks.length;
    const noted = audits.filter((one) => one.slug === slug).length;
    const isRight = statuses[index] === 204 ? marks === 1 : marks === 0;
    if (!isRight || noted !== marks)
      faults.push(`${statuses[index]}, and ${String(marks)} marks with ${noted} audits`);
  }
  const again = await patch(trial, after ?? '');
  if (again.status !== 204) faults.push(`a write after it: ${again.status} ${again.body}`);
  return faults;
}

interface Refused {
  readonly what: string;
  readonly init: Init;
  readonly status: number;
}

const json = { 'Content-Type': 'application/json' };
const jsonPatch = { 'Content-Type': 'application/json-patch+json' };
const operations = (...list: readonly object[]) => JSON.stringify(list);
const setTitle = (value: unknown) => operations({ op: 'replace', path: '/title', value });
const whole = (members: object) =>
  JSON.stringify({ title: 'b', body: null, facts: { marks: [] }, count: 0, ...members });
const stale = '"stale"';

const refusals: readonly Refused[] = [
  ...(['PATCH', 'PUT', 'DELETE'] as const).map((method): Refused => {
    const body = { PATCH: setTitle('b'), PUT: whole({}), DELETE: '' }[method];
    const headers = { ...(method === 'PATCH' ? jsonPatch : json), 'If-Match': stale };
    return { what: `${method} with a stale If-Match`, status: 412, init: { method, body, headers } };
  }),
  {
    what: 'PUT of a new row, which is there',
    init: { method: 'PUT', body: whole({}), headers: { ...json, 'If-None-Match': '*' } },
    status: 412,
  },
  {
    what: 'a test that fails, after an operation that does not',
    init: {
      method: 'PATCH',
      body: operations(
        { op: 'replace', path: '/title', value: 'b' },
        { op: 'test', path: '/title', value: 'c' },
      ),
      headers: jsonPatch,
    },
    status: 409,
  },
  ...([5, null] as const).map((value): Refused => {
    const init = { method: 'PATCH', body: setTitle(value), headers: jsonPatch };
    return { what: `a title of ${String(value)}`, init, status: 422 };
  }),
  {
    what: 'an unknown member',
    init: { method: 'PUT', body: whole({ secret: 'seen' }), headers: json },
    status: 422,
  },
  { what: 'no JSON', init: { method: 'PATCH', body: '[{', headers: jsonPatch }, status: 400 },
  {
    what: 'another media type',
    init: { method: 'PATCH', body: 'a', headers: { 'Content-Type': 'text/plain' } },
    status: 415,
  },
  ...(['PATCH', 'PUT', 'DELETE'] as const).flatMap((method) =>
    ([409, 500] as const).map((status): Refused => {
      const body = { PATCH: setTitle('b'), PUT: whole({}), DELETE: '' }[method];
      const headers = {
        ...(method === 'PATCH' ? jsonPatch : json),
        'X-Refuse': String(status),
        'X-Mark': 'never',
      };
      return { what: `${method}, when onWrite throws`, status, init: { method, body, headers } };
    }),
  ),
  {
    what: 'a change that changes nothing',
    init: { method: 'PATCH', body: setTitle('a'), headers: jsonPatch },
    status: 204,
  },
];

/** Each request that is refused leaves every byte of the row as it was. */
export async function refuse({ database, servers, variant }: Trial): Promise<readonly string[]> {
  const faults: string[] = [];
  const slug = newSlug();
  await insertNote(database, slug);
  const before = await readBytes(database, slug);
  for (const { what, init, status } of refusals) {
    const answer = await sendTo(servers[0], targetOf(variant, slug), init);
    if (answer.status !== status) faults.push(`${what}: ${answer.status} ${answer.body}`);
    if ((await readBytes(database, slug)) !== before) faults.push(`${what}: the row has changed`);
  }
  const missing = newSlug();
  const headers = { ...json, 'X-Refuse': '409', 'X-Mark': 'never', 'If-None-Match': '*' };
  const create = await sendTo(servers[0], targetOf(variant, missing), {
    method: 'PUT',
    body: whole({}),
    headers,
  });
  if (create.status !== 409) faults.push(`a create that onWrite refuses: ${create.status} ${create.body}`);
  if ((await readBytes(database, missing)) !== undefined) faults.push('a create that onWrite refuses: a row');
  if ((await readAudits(database, [slug, missing])).length > 0) faults.push('audits of what was refused');
  return faults;
}

interface Hook {
  readonly what: string;
  readonly on: 'UPDATE' | 'INSERT' | 'DELETE';
  /** What a trigger does, by the engine: where the engine cannot, there is none. */
  readonly does: Readonly<Partial<Record<PlainDatabase['name'], string>>>;
  /** Whether the constraint is checked by the COMMIT. */
  readonly isDeferred?: boolean;
  /** The title that the row has then, if the write is accepted; undefined if it is refused. */
  readonly becomes?: string;
}

const sqliteSet = (set: string) => `UPDATE notes SET ${set} WHERE id = NEW.id;`;
const raise = {
  PostgreSQL: "RAISE EXCEPTION 'no';",
  MariaDB: "SIGNAL SQLSTATE '45000';",
  SQLite: "SELECT RAISE(ABORT, 'no');",
};
const drop = { PostgreSQL: 'RETURN NULL;', SQLite: 'SELECT RAISE(IGNORE);' };

const hooks: readonly Hook[] = [
  {
    ...{ what: 'changes the column', on: 'UPDATE', becomes: 'CHANGED' },
    does: {
      ...{ PostgreSQL: "NEW.title := 'CHANGED'; RETURN NEW;", MariaDB: "SET NEW.title = 'CHANGED';" },
      SQLite: sqliteSet("title = 'CHANGED'"),
    },
  },
  {
    ...{ what: 'changes another column', on: 'UPDATE', becomes: 'hook' },
    does: {
      ...{ PostgreSQL: "NEW.body := 'changed'; RETURN NEW;", MariaDB: "SET NEW.body = 'changed';" },
      SQLite: sqliteSet("body = 'changed'"),
    },
  },
  {
    ...{ what: 'makes a value that cannot be shown', on: 'UPDATE' },
    does: { PostgreSQL: "NEW.ratio := 'NaN'; RETURN NEW;", SQLite: sqliteSet("ratio = 'none'") },
  },
  { what: 'drops the write', on: 'UPDATE', does: drop },
  { what: 'raises an error', on: 'UPDATE', does: raise },
  {
    what: 'raises an error at the COMMIT',
    on: 'UPDATE',
    does: { PostgreSQL: raise.PostgreSQL },
    isDeferred: true,
  },
  { what: 'drops the write', on: 'INSERT', does: drop },
  { what: 'raises an error', on: 'INSERT', does: raise },
  {
    what: 'raises an error at the COMMIT',
    on: 'INSERT',
    does: { PostgreSQL: raise.PostgreSQL },
    isDeferred: true,
  },
  { what: 'drops the write', on: 'DELETE', does: drop },
  { what: 'raises an error', on: 'DELETE', does: raise },
  {
    what: 'raises an error at the COMMIT',
    on: 'DELETE',
    does: { PostgreSQL: raise.PostgreSQL },
    isDeferred: true,
  },
];

function sqlOf({ name }: PlainDatabase, { on, does, what, isDeferred }: Hook): string | undefined {
  const body = does[name];
  if (body === undefined) return undefined;
  // In SQLite a row is changed after its UPDATE.
  const isAfter = isDeferred === true || (name === 'SQLite' && body.startsWith('UPDATE'));
  const time = isAfter ? 'AFTER' : 'BEFORE';
  if (name !== 'PostgreSQL') {
    return `CREATE TRIGGER hook ${time} ${on} ON notes FOR EACH ROW ${name === 'MariaDB' ? '' : `WHEN ${on === 'UPDATE' ? "NEW.title = 'hook'" : 'true'}`} BEGIN ${body} END`;
  }
  const kind = isDeferred === true ? 'CONSTRAINT TRIGGER' : 'TRIGGER';
  const deferred = isDeferred === true ? 'DEFERRABLE INITIALLY DEFERRED' : '';
  return `CREATE OR REPLACE FUNCTION hook() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} ${what.startsWith('raises') ? 'RETURN NULL;' : ''} END $$;
    CREATE ${kind} hook ${time} ${on} ON notes ${deferred} FOR EACH ROW EXECUTE FUNCTION hook()`;
}

/** Triggers that change, drop or refuse a write: nothing but what was answered is there. */
export async function meetHooks(trial: Trial): Promise<readonly string[]> {
  const { database, servers, variant } = trial;
  const faults: string[] = [];
  for (const hook of hooks) {
    const sql = sqlOf(database, hook);
    if (sql === undefined) continue;
    const slug = newSlug();
    if (hook.on !== 'INSERT') await insertNote(database, slug);
    const before = await readBytes(database, slug);
    const target = targetOf(variant, slug);
    const headers = { ...(hook.on === 'UPDATE' ? jsonPatch : json), 'X-Mark': newSlug() };
    const init = {
      UPDATE: { method: 'PATCH', body: setTitle('hook'), headers },
      INSERT: { method: 'PUT', body: whole({}), headers: { ...headers, 'If-None-Match': '*' } },
      DELETE: { method: 'DELETE', headers },
    }[hook.on];
    await database.send(sql);
    const answer = await sendTo(servers[0], target, init);
    await database.send(`DROP TRIGGER hook${database.name === 'PostgreSQL' ? ' ON notes' : ''}`);
    const about = `a trigger that ${hook.what}, on ${hook.on}: ${answer.status} ${answer.body}`;
    const audits = await readAudits(database, [slug]);
    if (hook.becomes === undefined) {
      if (answer.status < 400) faults.push(about);
      if ((await readBytes(database, slug)) !== before) faults.push(`${about}, and the row has changed`);
      if (audits.length > 0) faults.push(`${about}, and there is an audit`);
      continue;
    }
    const { status, etag, body } = await sendTo(servers.at(-1), target, {});
    const title = status === 200 ? String((JSON.parse(body) as { title?: unknown }).title) : body;
    if (answer.status !== 204 || title !== hook.becomes || audits.length !== 1)
      faults.push(`${about}, the title ${title}, ${audits.length} audits`);
    if (answer.etag !== etag) faults.push(`${about}: the tag ${String(answer.etag)} is not that of GET`);
  }
  return faults;
}
