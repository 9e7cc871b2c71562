/** docs/orms/other.md: the functions that it shows keep the contract of a store, and the app answers. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@libsql/client';
import type { Express } from 'express';
import request from 'supertest';
import type { ResourceStore } from '../../lib';
import * as patchOptions from '../../lib';
import * as rows from '../../lib/rows';
import { storeConformance, type TextCarrier } from '../../lib/testing';
import { modulesOf } from '../support/doc-blocks';
import { evaluate } from '../support/page-modules';
import { testSomeCases } from '../support/test-cases';

const requireHere = createRequire(__filename);
const page = readFileSync(join(__dirname, '../../docs/orms/other.md'), 'utf8');
const text = modulesOf(page).get('app.ts') ?? '';

const folder = mkdtempSync(join(tmpdir(), 'patch-options-libsql-'));
const url = `file:${join(folder, 'notes.db')}`;
const own: Readonly<Record<string, unknown>> = { 'patch-options': patchOptions, 'patch-options/rows': rows };

let client: Client;
let app: Express;
let notes: ResourceStore<{ title: string; body: string | null }>;
beforeAll(async () => {
  client = createClient({ url });
  await client.execute('CREATE TABLE notes (slug text PRIMARY KEY, title text NOT NULL, body text)');
  process.env['OTHER_ORM_URL'] = url;
  const code = text.replace('env.DATABASE_URL', 'env.OTHER_ORM_URL');
  const shown = evaluate(`${code}\nexport { notes };`, {}, (name) => own[name] ?? requireHere(name));
  app = shown['app'] as Express;
  notes = shown['notes'] as typeof notes;
});
afterAll(() => {
  client.close();
  rmSync(folder, { recursive: true });
});

const carrier: TextCarrier<{ title: string; body: string | null }> = {
  wrap: (body) => ({ title: 'A note', body }),
  unwrap: ({ body }) => body ?? '',
};
testSomeCases(
  storeConformance(() => ({ open: () => notes }), { carrier, versions: false, outcomes: false }),
  0,
);

test('the app changes a row, and an update of the app makes the tag stale', async () => {
  await client.execute(`INSERT INTO notes VALUES ('milk', 'Buy milk', NULL)`);
  const shown = await request(app).get('/notes/milk').expect(200, { title: 'Buy milk', body: null });
  const patch = (body: object) =>
    request(app)
      .patch('/notes/milk')
      .set('If-Match', shown.get('ETag') ?? '')
      .send(body);
  await client.execute(`UPDATE notes SET body = 'two' WHERE slug = 'milk'`);
  await patch({ title: 'lost' }).expect(412);
  await request(app).patch('/notes/milk').send({ title: 'Buy oat milk' }).expect(200);
  await request(app).get('/notes/milk').expect({ title: 'Buy oat milk', body: 'two' });
});
