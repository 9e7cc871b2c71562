/** The block of docs/security.md about owners, run as it stands there. */
import express, { type RequestHandler } from 'express';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import * as patchOptions from '../../lib';
import { blocksOf } from '../support/doc-blocks';
import { evaluate } from '../support/page-modules';

interface List {
  readonly owner: string;
  readonly items: readonly string[];
}

const page = readFileSync(join(__dirname, '../../docs/security.md'), 'utf8');
const block = blocksOf(page, 'ts').find((code) => code.includes('userIdOf')) ?? '';
const authenticate: RequestHandler = (req, res, next) => {
  if (req.get('X-User') === undefined) res.sendStatus(401);
  else next();
};
const userIdOf = (req: patchOptions.PatchRequest) => req.get('X-User');
const app = express();
const { lists } = evaluate(
  `${block}\nexport { lists };`,
  { ...patchOptions, app, authenticate, userIdOf },
  () => undefined,
) as { readonly lists: patchOptions.MemoryStore<List> };
const ada = { owner: 'ada', items: ['milk'] };
beforeEach(async () => {
  await lists.replace('1', (await lists.get('1'))?.version ?? null, ada);
});

const send = (method: 'get' | 'patch' | 'delete', user: string, id = '1') => {
  const { [method]: begin } = request(app);
  return begin(`/lists/${id}`).set({ 'X-User': user, 'Content-Type': 'application/merge-patch+json' });
};

test('the owner reads and changes the list, but not whose it is', async () => {
  await send('get', 'ada').expect(200, ada);
  await send('patch', 'ada').send('{"items":["tea"]}').expect(204);
  const refused = await send('patch', 'ada').send('{"owner":"ben"}').expect(422);
  expect(refused.body).toMatchObject({ code: 'read-only', pointer: '/owner' });
  expect((await lists.get('1'))?.value).toEqual({ ...ada, items: ['tea'] });
  await send('delete', 'ada').expect(204);
});

test.each(['get', 'patch', 'delete'] as const)(
  '%s of anybody else: 403, as for what is not there',
  async (method) => {
    const theirs = await send(method, 'ben').send(method === 'patch' ? '{"items":[]}' : undefined);
    const missing = await send(method, 'ben', '2').send(method === 'patch' ? '{"items":[]}' : undefined);
    expect([theirs.status, missing.status]).toEqual([403, 403]);
    expect(theirs.body).toEqual(missing.body);
    expect((await lists.get('1'))?.value).toEqual(ada);
  },
);
