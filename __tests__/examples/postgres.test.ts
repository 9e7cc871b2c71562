import { once } from 'node:events';
import supertest from 'supertest';
import type { Pool } from 'pg';
import { sharedPostgres, type SharedEngine } from '../support/engines';
import { runExample, type RunningExample } from './running-example';

let engine: SharedEngine;
let example: RunningExample<{ pool: Pool }>;
const given = process.env['DATABASE_URL'];
beforeAll(async () => {
  engine = await sharedPostgres();
  process.env['DATABASE_URL'] = engine.urls[0];
  example = await runExample(() => import('../../examples/postgres'));
});
afterAll(async () => {
  if (given === undefined) delete process.env['DATABASE_URL'];
  await example.close();
  await example.exported.pool.query('DROP TABLE postgres_notes');
  await example.exported.pool.end();
  await engine.close();
});

const patch = (title: string, fields: Record<string, string> = {}) =>
  supertest(example.address)
    .patch('/notes/1')
    .set({ 'Content-Type': 'application/merge-patch+json', ...fields })
    .send(JSON.stringify({ title }));

test('PATCH creates, changes under If-Match, and refuses the tag that was', async () => {
  const api = supertest(example.address);
  const created = await patch('Buy milk').expect(201);
  const tag = { 'If-Match': created.get('ETag') ?? '' };
  await patch('Buy oat milk', tag).expect(204);
  await patch('Buy wine', tag).expect(412);
  await api.get('/notes/1').expect(200, { title: 'Buy oat milk' });
  await api.get('/notes').expect(200, [{ key: '1', value: { title: 'Buy oat milk' } }]);
  await api.get('/notes/2').expect(404);
  await api.delete('/notes/1').expect(405).expect('Allow', 'GET, HEAD, OPTIONS, PATCH');
});

test('what another process has written since is neither lost nor overwritten', async () => {
  await patch('Remembered');
  const { pool } = example.exported;
  const { headers } = await supertest(example.address).get('/notes/1');
  await pool.query(
    `UPDATE postgres_notes SET value = '{"title":"By hand","by":"hand"}', version = 'by hand'`,
  );
  await patch('Stale', { 'If-Match': String(headers['etag']) }).expect(412);
  await patch('Fresh').expect(204);
  await supertest(example.address).get('/notes/1').expect({ title: 'Fresh', by: 'hand' });
});

test('an idle connection that breaks is told by its message, not by what its error holds', async () => {
  const said = jest.spyOn(console, 'error').mockReturnValue();
  const { pool } = example.exported;
  const [idle, other] = [await pool.connect(), await pool.connect()];
  const { rows } = await idle.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const broken = once(pool, 'error');
  idle.release();
  await other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  await broken;
  other.release();
  // Once of the pool, and once of the connection.
  const message = expect.stringContaining('terminat') as unknown;
  expect(said.mock.calls).toEqual([[message], [message]]);
  said.mockRestore();
});
