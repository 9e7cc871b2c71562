/** docs/adopting.md: each app, before and after, gets the same requests. */
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Express } from 'express';
import type { Pool } from 'pg';
import request from 'supertest';
import * as patchOptions from '../../lib';
import * as rows from '../../lib/rows';
import { type RunningExample, runExample } from '../examples/running-example';
import { blocksOf } from '../support/doc-blocks';
import { openPostgresPool } from '../support/engines';
import { evaluate } from '../support/page-modules';

const blocks = blocksOf(readFileSync(join(__dirname, '../../docs/adopting.md'), 'utf8'), 'ts');
const [corsBefore = '', corsAfter = '', ...overTables] = blocks;
const requireHere = createRequire(__filename);
const versions = ['before', 'after'] as const;

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await openPostgresPool());
  await pool.query(`
    CREATE TABLE hives (id integer PRIMARY KEY, name text NOT NULL, queen text, notes text);
    CREATE TABLE members (id integer PRIMARY KEY, name text NOT NULL, voice text NOT NULL, password text NOT NULL)`);
});
afterAll(() => close());
beforeEach(async () => {
  await pool.query(`
    TRUNCATE hives, members;
    INSERT INTO hives VALUES (1, 'Old oak', NULL, 'calm');
    INSERT INTO members VALUES (1, 'Ann', 'alto', 'a hash')`);
});

/** What a block requires. `new` gives the object that the function returns. */
const load = (name: string): unknown =>
  ({ pg: { Pool: jest.fn(() => pool) }, 'patch-options': patchOptions, 'patch-options/rows': rows })[name] ??
  requireHere(name);

describe('CORS with two origins and cookies', () => {
  const ask = async (block: string, origin: string, method: string, headers: string) => {
    const app = evaluate(`${block}\nexport { app };`, {}, load)['app'] as Express;
    app.route('/tools/:id').get(express.text()).patch(express.text());
    return request(app).options('/tools/1').set({
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': headers,
    });
  };

  test.each(['https://tools.example', 'https://counter.tools.example'])('%s can PATCH', async (origin) => {
    const sent = ['content-type', 'if-match', 'x-counter'];
    for (const block of [corsBefore, corsAfter]) {
      const { headers, ok } = await ask(block, origin, 'PATCH', sent.join());
      expect([
        ok,
        headers['access-control-allow-origin'],
        headers['access-control-allow-credentials'],
      ]).toEqual([true, origin, 'true']);
      expect(headers['access-control-allow-methods']).toContain('PATCH');
      const allowed = (headers['access-control-allow-headers'] ?? '').toLowerCase();
      expect(sent.filter((name) => !allowed.includes(name))).toEqual([]);
    }
  });

  test('another origin cannot', async () => {
    for (const block of [corsBefore, corsAfter]) {
      const { headers } = await ask(block, 'https://other.example', 'PATCH', 'content-type');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('only the version after leaves out what the path does not have', async () => {
    const listed = async (block: string) =>
      (await ask(block, 'https://tools.example', 'DELETE', '')).headers['access-control-allow-methods'];
    expect(await listed(corsBefore)).toContain('DELETE');
    expect(await listed(corsAfter)).toBe('GET, HEAD, OPTIONS, PATCH');
  });
});

/** An app over a table, and what its clients do. */
interface Case {
  readonly path: string;
  readonly method: 'patch' | 'put';
  /** Bodies, by the path to which they are sent. */
  readonly writes: readonly (readonly [path: string, body: object])[];
  /** The members of the form that two people change. */
  readonly form: readonly [string, string];
}

const cases: readonly (Case & { readonly title: string; readonly blocks: readonly string[] })[] = [
  {
    title: 'PATCH on a table',
    blocks: overTables.slice(0, 2),
    path: '/hives/1',
    method: 'patch',
    writes: [
      ['/hives/1', { notes: 'swarming' }],
      ['/hives/1', { queen: 'Ada', ignored: true }],
      ['/hives/1', { queen: null }],
      ['/hives/1', { ignored: true }],
      ['/hives/9', { name: 'New' }],
    ],
    form: ['name', 'notes'],
  },
  {
    title: 'PUT that changes only what it names',
    blocks: overTables.slice(2),
    path: '/members/1',
    method: 'put',
    writes: [
      ['/members/1', { voice: 'tenor' }],
      ['/members/1', { name: 'Bea', password: 'secret' }],
      ['/members/1', { id: 7, voice: 'bass', other: 1 }],
      ['/members/9', { name: 'New' }],
    ],
    form: ['name', 'voice'],
  },
];

describe.each(cases)('$title', ({ blocks: [before = '', after = ''], path, method, writes, form }) => {
  const start = (version: (typeof versions)[number]): Promise<RunningExample<unknown>> =>
    runExample(() => {
      evaluate(version === 'before' ? before : after, {}, load);
      return Promise.resolve();
    });
  let running: Record<(typeof versions)[number], RunningExample<unknown>>;
  beforeAll(async () => {
    running = { before: await start('before'), after: await start('after') };
  });
  afterAll(async () => {
    await Promise.all(versions.map((version) => running[version].close()));
  });
  const server = (version: (typeof versions)[number]) => request(running[version].address);
  const readTables = async () => {
    const tables = await pool.query('SELECT * FROM hives LEFT JOIN members ON TRUE');
    return tables.rows;
  };

  test.each(writes)(`${method} %s %j: the same answer, the same row`, async (to, body) => {
    const seen = [];
    for (const version of versions) {
      const answer = await server(version)[method](to).send(body);
      seen.push([answer.status, answer.text, await readTables(), (await server(version).get(to)).text]);
      await pool.query(`UPDATE hives SET name = 'Old oak', queen = NULL, notes = 'calm'`);
      await pool.query(`UPDATE members SET name = 'Ann', voice = 'alto', password = 'a hash'`);
    }
    expect(seen[1]).toEqual(seen[0]);
  });

  test('at most fifteen lines more than it removes', () => {
    const [old, next] = [before, after].map((block) => new Set(block.split('\n').map((line) => line.trim())));
    const added = [...(next ?? [])].filter((line) => !old?.has(line));
    const removed = [...(old ?? [])].filter((line) => !next?.has(line));
    expect(added.length - removed.length).toBeLessThanOrEqual(15);
  });

  test('an empty document changes nothing', async () => {
    const answer = await server('after')[method](path).send({});
    expect(answer.ok).toBe(true);
    expect(await readTables()).toMatchObject([{ notes: 'calm', voice: 'alto', password: 'a hash' }]);
  });

  test.each([
    { version: 'before', statuses: [true, true], lost: true },
    { version: 'after', statuses: [true, false], lost: false },
  ] as const)(
    'two people save the same form, $version: lost is $lost',
    async ({ version, statuses, lost }) => {
      const shown = await server(version).get(path).expect(200);
      const save = (member: string) => {
        const sending = server(version)[method](path);
        sending.set('If-Match', shown.get('ETag') ?? '');
        return sending.send({ ...(shown.body as object), [member]: 'changed' });
      };
      const [first, second] = [await save(form[0]), await save(form[1])];
      expect([first.ok, second.ok]).toEqual(statuses);
      if (!lost) expect(second.status).toBe(412);
      const { body } = await server(version).get(path).expect(200);
      expect((body as Record<string, unknown>)[form[0]] === 'changed').toBe(!lost);
    },
  );
});
