/** The recipe of docs/rows.md for soft deletes runs, over PostgreSQL and as it is shown. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import { Pool } from 'pg';
import request from 'supertest';
import { jsonPatch, mergePatch, resource, type ResourceStore } from '../../lib';
import * as rows from '../../lib/rows';
import { blocksOf } from '../support/doc-blocks';
import { sharedPostgres } from '../support/engines';
import { evaluate } from '../support/page-modules';

const page = readFileSync(join(__dirname, '../../docs/rows.md'), 'utf8');
const [, section = ''] = page.split('\n## Soft deletes\n');
const [recipe = ''] = blocksOf(section, 'ts');
const [index = ''] = section.match(/CREATE UNIQUE INDEX [^`]+/) ?? [];

test('a deleted invoice is not found, and stays in the table', async () => {
  const { urls, close } = await sharedPostgres();
  const pool = new Pool({ connectionString: urls[0] });
  await pool.query(`
    CREATE TABLE invoices (id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, number text NOT NULL,
      total numeric(8, 2) NOT NULL, last_sent_at timestamp, deleted_at timestamptz);
    ${index};
    INSERT INTO invoices (number, total, last_sent_at) VALUES ('7', 12.5, '2026-11-22 10:00:00')`);
  const modules: Readonly<Record<string, unknown>> = {
    'node:crypto': { randomUUID },
    pg: { Pool: jest.fn(() => pool) },
    'patch-options/rows': rows,
  };
  const { invoices } = evaluate(`${recipe}\nexport { invoices };`, {}, (name) => modules[name]) as {
    invoices: ResourceStore<object> & Required<Pick<ResourceStore, 'delete'>>;
  };
  const app = express();
  const invoice = resource(invoices, [jsonPatch(), mergePatch()], { key: 'number', create: true });
  app.route('/:number').get(invoice.get).put(invoice.put).patch(invoice.patch).delete(invoice.delete);
  const server = request(app);
  const send = (body: object) => server.patch('/7').type('application/merge-patch+json').send(body);

  const { body } = await server.get('/7').expect(200);
  expect(body).toEqual({ number: '7', total: '12.50', lastSentAt: '2026-11-22T10:00:00.000Z' });
  await send({ lastSentAt: '2026-11-23T10:00:00Z' }).expect(204);
  await server.delete('/7').expect(204);
  await server.get('/7').expect(404);
  await send({ total: '0.00' }).set('If-Match', '*').expect(412);
  await server.delete('/7').expect(404);
  await server.put('/7').send({ total: '1.00', lastSentAt: null }).expect(201);

  const { rows: kept } = await pool.query(
    'SELECT total, last_sent_at::text, deleted_at IS NULL AS "isThere" FROM invoices ORDER BY id',
  );
  expect(kept).toEqual([
    { total: '12.50', last_sent_at: '2026-11-23 10:00:00', isThere: false },
    { total: '1.00', last_sent_at: null, isThere: true },
  ]);
  await pool.end();
  await close();
});
