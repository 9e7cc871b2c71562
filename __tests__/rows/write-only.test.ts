/** A column that clients can set, and never see. */
import express from 'express';
import request from 'supertest';
import { mergePatch, resource } from '../../lib';
import { tableStore } from '../../lib/rows';
import { mistakesOf } from '../support/mistakes-of';
import { DatabaseSync } from '../support/sqlite';

function openUsers() {
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE TABLE users (name TEXT PRIMARY KEY, mail TEXT, hash TEXT NOT NULL);
    INSERT INTO users VALUES ('ann', 'ann@a.example', 'old-hash')`);
  const columns = { mail: 'string?', password: { kind: 'string', column: 'hash', writeOnly: true } } as const;
  const store = tableStore(db, { table: 'users', columns, key: 'name' });
  const user = resource(store, [mergePatch({ json: true })], {
    key: 'name',
    respond: 'representation',
    create: true,
  });
  const app = express().get('/:name', user.get).patch('/:name', user.patch).put('/:name', user.put);
  return { app, readHash: (name = 'ann') => db.prepare('SELECT hash FROM users WHERE name = ?').all(name) };
}

test.each([
  { title: 'set', method: 'patch', body: { password: 'new' }, hash: 'new' },
  { title: 'not set', method: 'patch', body: { mail: null }, hash: 'old-hash' },
  { title: 'null, which does not remove it', method: 'patch', body: { password: null }, hash: 'old-hash' },
  { title: 'set by a PUT', method: 'put', body: { mail: null, password: 'new' }, hash: 'new' },
  { title: 'not set by a PUT', method: 'put', body: { mail: null }, hash: 'old-hash' },
] as const)('$title', async ({ method, body, hash }) => {
  const { app, readHash } = openUsers();
  const answer = await request(app)[method]('/ann').send(body);
  expect([answer.status, Object.keys(answer.body as object)]).toEqual([200, ['mail']]);
  expect(readHash()).toEqual([{ hash }]);
  expect((await request(app).get('/ann')).text).not.toMatch(/hash|new|password/);
});

test('what the column does not take is told, without what is stored', async () => {
  const { app } = openUsers();
  const answer = await request(app).patch('/ann').send({ password: 5 });
  expect(answer.body).toMatchObject({ status: 422, errors: [{ pointer: '/password' }] });
  expect(answer.text).not.toContain('old-hash');
});

test('a row is created with it, and not without it where the column must not be NULL', async () => {
  const { app, readHash } = openUsers();
  expect((await request(app).put('/ben').send({ mail: null })).status).toBe(422);
  const created = await request(app).put('/ben').send({ mail: null, password: 'x' });
  expect([created.status, created.body, readHash('ben')]).toEqual([201, { mail: null }, [{ hash: 'x' }]]);
});

test('readOnly beside it is a mistake', () => {
  const columns = { password: { kind: 'string', writeOnly: true, readOnly: true } } as const;
  const make = () => tableStore(new DatabaseSync(':memory:'), { table: 'users', columns, key: 'name' });
  expect(mistakesOf(make)).toMatchObject([{ option: 'columns.password.writeOnly', code: 'option-conflict' }]);
});
