/** What clients cannot see tells them nothing: two tables that differ in it give the same answers, headers and entity tags. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import express from 'express';
import supertest from 'supertest';
import { jsonPatch, mergePatch, resource } from '../../lib';
import { tableStore } from '../../lib/rows';
import { sampled } from '../support/deep-scale';
import { listen } from '../support/serving';
import { describeOver, type TestDatabase, testEngines } from './databases';

const columns = {
  title: 'string',
  n: 'integer?',
  secret: 'string?',
  pin: { kind: 'string?', writeOnly: true },
} as const;

interface World {
  readonly secret: string | null;
  readonly pin: string | null;
  readonly unlisted: string | null;
  readonly outcomes: string | null;
}

const outcome = JSON.stringify([['other', 'scope', 4_102_444_800, '{"fingerprint":"x","status":204}']]);
const base: World = { secret: 'A', pin: 'A', unlisted: 'A', outcomes: null };
const others: readonly { readonly what: string; readonly other: Partial<World> }[] = [
  { what: 'a member that the handler hides', other: { secret: 'B' } },
  { what: 'one that is NULL', other: { secret: null } },
  { what: 'a write-only member', other: { pin: 'B' } },
  { what: 'a write-only member that is NULL', other: { pin: null } },
  { what: 'a column that is not listed', other: { unlisted: 'B' } },
  { what: 'all of them', other: { secret: 'B', pin: 'B', unlisted: 'B' } },
];

interface Sent {
  readonly method: 'get' | 'head' | 'patch' | 'put' | 'delete';
  readonly type?: string;
  readonly body?: unknown;
  /** The headers, from the tag of GET. */
  readonly headers?: (tag: string) => Record<string, string>;
}

const merge = 'application/merge-patch+json';
const json = 'application/json-patch+json';
const ifMatch = (tag: string) => ({ 'If-Match': tag });
const requests: readonly Sent[] = [
  { method: 'get' },
  { method: 'head' },
  { method: 'get', headers: (tag) => ({ 'If-None-Match': tag }) },
  { method: 'patch', type: merge, body: { title: 'y' }, headers: ifMatch },
  { method: 'patch', type: merge, body: { title: 'y' }, headers: () => ({ 'If-Match': '"another"' }) },
  {
    method: 'patch',
    type: merge,
    body: { title: 'y' },
    headers: () => ({ Prefer: 'return=representation' }),
  },
  { method: 'patch', type: merge, body: {} },
  { method: 'patch', type: merge, body: { title: null } },
  ...['A', 'B', null].flatMap((guess): Sent[] => [
    { method: 'patch', type: merge, body: { secret: guess } },
    {
      method: 'patch',
      type: merge,
      body: { pin: guess },
      headers: () => ({ Prefer: 'return=representation' }),
    },
    { method: 'patch', type: json, body: [{ op: 'test', path: '/secret', value: guess }] },
    { method: 'patch', type: json, body: [{ op: 'test', path: '/pin', value: guess }] },
    { method: 'put', body: { title: 'y', n: 1, secret: guess } },
    { method: 'put', body: { title: 'y', n: 1, pin: guess } },
  ]),
  ...['secret', 'pin', 'unlisted'].flatMap((name): Sent[] => [
    { method: 'patch', type: json, body: [{ op: 'copy', from: `/${name}`, path: '/title' }] },
    { method: 'patch', type: json, body: [{ op: 'move', from: `/${name}`, path: '/title' }] },
    { method: 'patch', type: json, body: [{ op: 'remove', path: `/${name}` }] },
    { method: 'patch', type: json, body: [{ op: 'replace', path: `/${name}/deep`, value: 1 }] },
  ]),
  { method: 'patch', type: json, body: [{ op: 'test', path: '', value: { title: 'x', n: 1 } }] },
  { method: 'patch', type: json, body: [{ op: 'test', path: '', value: { title: 'x', n: 1, secret: 'A' } }] },
  { method: 'patch', type: merge, body: { n: 7 }, headers: () => ({ 'Idempotency-Key': '"k"' }) },
  { method: 'put', body: { title: 'y', n: 1 }, headers: ifMatch },
  { method: 'put', body: { title: 'x', n: 1 } },
  { method: 'put', body: { title: 'y', n: 1 }, headers: () => ({ 'If-None-Match': '*' }) },
  { method: 'delete', headers: () => ({ 'If-Match': '"another"' }) },
  { method: 'delete', headers: ifMatch },
];

type Served = ReturnType<typeof supertest>;

const withoutDate = ({ headers }: supertest.Response) => ({
  ...(headers as Record<string, string>),
  date: '',
});

describeOver(testEngines, 'what clients cannot see', ({ dialect, open }) => {
  const text = dialect === 'mysql' ? 'varchar(400)' : 'text';
  let database: TestDatabase;
  const servers: Server[] = [];
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  const quoted = (value: string | null) => (value === null ? 'NULL' : `'${value}'`);
  const insert = (table: string, { secret, pin, unlisted, outcomes }: World) =>
    database.sql(
      `INSERT INTO ${table} VALUES ('a', 'x', 1, ${[secret, pin, unlisted, outcomes].map(quoted).join(', ')})`,
    );
  const createTable = async () => {
    const table = `world_${randomUUID().slice(0, 8)}`;
    await database.sql(`CREATE TABLE ${table} (slug ${text} PRIMARY KEY, title ${text} NOT NULL, n integer,
      secret ${text}, pin ${text}, unlisted ${text}, outcomes ${text})`);
    return table;
  };
  const serve = async (table: string, authorize?: () => Promise<boolean>) => {
    const store = tableStore(database.db, { table, columns, key: 'slug', outcomes: 'outcomes' });
    const note = resource(store, [mergePatch(), jsonPatch()], {
      ...{ key: 'slug', hidden: ['/secret'], idempotency: 'optional' },
      ...(authorize && { authorize }),
    });
    const app = express();
    app.route('/:slug').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
    const server = createServer(app);
    servers.push(server);
    await listen(server);
    return supertest(server);
  };
  /** An answer, and what GET gives after it. */
  const exchange = async (server: Served, { method, type = 'application/json', body, headers }: Sent) => {
    const seen = (answer: supertest.Response) => {
      return { status: answer.status, headers: withoutDate(answer), text: answer.text };
    };
    const first = await server.get('/a');
    const sending = server[method]('/a').set(headers?.(String(first.headers['etag'])) ?? {});
    const answer = await (body === undefined
      ? sending
      : sending.set('Content-Type', type).send(JSON.stringify(body)));
    const repeat = method === 'patch' || method === 'put' ? await server.get('/a') : undefined;
    return [seen(first), seen(answer), repeat && seen(repeat)];
  };

  /** After each change each request for one of the kinds of difference, over each engine, and for all of them together over SQLite. */
  const tried = (what: string, index: number) =>
    dialect === 'sqlite' && what === 'all of them' ? requests : sampled(requests, others.length, index);
  test.each(others.map((each, index) => ({ ...each, index })))(
    '$what: the same answers, headers and tags',
    async ({ what, other: differing, index }) => {
      const [one, two] = [await createTable(), await createTable()];
      const [first, second] = [await serve(one), await serve(two)];
      for (const sent of tried(what, index)) {
        for (const [table, world] of [
          [one, base],
          [two, { ...base, ...differing }],
        ] as const) {
          await database.sql(`DELETE FROM ${table}`);
          await insert(table, world);
        }
        const [answer, other] = [await exchange(first, sent), await exchange(second, sent)];
        expect([sent, other]).toEqual([sent, answer]);
      }
    },
  );

  test('outcomes of others are not in the tag', async () => {
    const [one, two] = [await createTable(), await createTable()];
    await insert(one, base);
    await insert(two, { ...base, outcomes: outcome });
    const get = { method: 'get' } as const;
    const [first, second] = [await exchange(await serve(one), get), await exchange(await serve(two), get)];
    expect(second).toEqual(first);
  });

  test('answers differ where what clients see does, so that the comparison can fail', async () => {
    const [one, two] = [await createTable(), await createTable()];
    await insert(one, base);
    await insert(two, base);
    await database.sql(`UPDATE ${two} SET n = 2`);
    const [first, second] = [
      await exchange(await serve(one), { method: 'head' }),
      await exchange(await serve(two), { method: 'head' }),
    ];
    expect(second).not.toEqual(first);
  });

  test.each([
    { what: 'a hidden member', column: 'secret', judged: 2 },
    { what: 'a write-only member', column: 'pin', judged: 2 },
    { what: 'a column that is not listed', column: 'unlisted', judged: 1 },
  ])(
    '$what that another writes meanwhile: judged $judged times, kept, and not visible',
    async ({ column, judged }) => {
      const answers: unknown[] = [];
      for (const isChanged of [false, true]) {
        const table = await createTable();
        await insert(table, base);
        let times = 0;
        const server = await serve(table, async () => {
          times += 1;
          if (isChanged && times === 1) await database.sql(`UPDATE ${table} SET ${column} = 'of another'`);
          return true;
        });
        const first = await server.get('/a');
        const answer = await server
          .patch('/a')
          .set({
            'Content-Type': merge,
            Prefer: 'return=representation',
            'If-Match': String(first.headers['etag']),
          })
          .send('{"title":"y"}');
        answers.push([answer.status, withoutDate(answer), answer.text]);
        expect(times).toBe(isChanged ? judged : 1);
        const [row] = await database.sql(`SELECT title, ${column} AS it FROM ${table}`);
        expect({ ...row }).toEqual({ title: 'y', it: isChanged ? 'of another' : 'A' });
      }
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[0]).toEqual([
        200,
        expect.objectContaining({ etag: expect.any(String) as unknown }),
        '{"title":"y","n":1}',
      ]);
    },
  );
});
