/** One entity tag stands for one body: what two clients with different roles are shown, and what their tags are good for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Express } from 'express';
import request from 'supertest';
import * as patchOptions from '../../../lib';
import {
  ConfigurationError,
  entityTag,
  MemoryStore,
  mergePatch,
  type PatchRequest,
  resource,
  type ResourceOptions,
} from '../../../lib';
import { blocksOf } from '../../support/doc-blocks';
import { evaluate } from '../../support/page-modules';

interface Salary {
  name: string;
  amount: number;
}

const isStaff = (req: PatchRequest) => req.get('X-Role') === 'staff';
const byRole: ResourceOptions<Salary> = {
  key: 'id',
  conflict: 'representation',
  idempotency: 'optional',
  represent: ({ name, amount }, req) => (isStaff(req) ? { name, amount } : { name }),
  entityTag: ({ version }, req) => entityTag({ version: isStaff(req) ? `${version} staff` : version }),
};

async function createApp(options: ResourceOptions<Salary>): Promise<Express> {
  const store = new MemoryStore<Salary>();
  await store.replace('1', null, { name: 'Ada', amount: 1 });
  const salary = resource(store, [mergePatch()], options);
  const app = express();
  app.use((_req, res, next) => {
    res.vary('X-Role');
    next();
  });
  app.get('/salaries/:id', salary.get);
  app.put('/salaries/:id', salary.put);
  app.patch('/salaries/:id', salary.patch);
  app.delete('/salaries/:id', salary.delete);
  return app;
}

const [staff, guest] = ['staff', 'guest'];
const bodies = { staff: { name: 'Ada', amount: 1 }, guest: { name: 'Ada' } } as const;
const path = '/salaries/1';

let app: Express;
beforeEach(async () => {
  app = await createApp(byRole);
});

const read = (role: string, tag = '') => request(app).get(path).set('X-Role', role).set('If-None-Match', tag);
const tagFor = async (role: string) => (await read(role)).get('ETag') ?? '';
const patch = (role: string, tag: string) =>
  request(app)
    .patch(path)
    .type('application/merge-patch+json')
    .set({ 'X-Role': role, 'If-Match': tag, Prefer: 'return=representation' })
    .send({ name: 'Eve' });

test.each([
  { role: staff, other: guest, body: bodies.staff },
  { role: guest, other: staff, body: bodies.guest },
] as const)('RFC 9110 8.8.3: the tag of $role is not the one of $other', async ({ role, other, body }) => {
  const [own, others] = [await tagFor(role), await tagFor(other)];
  expect(own).not.toBe(others);
  await read(role).expect(200, body).expect('Vary', 'X-Role');
  await read(role, own).expect(304).expect('ETag', own).expect('Vary', 'X-Role');
  await read(role, others).expect(200, body).expect('ETag', own);

  const refused = await patch(role, others).expect(412).expect('ETag', own).expect('Vary', 'X-Role');
  expect(refused.body).toMatchObject({ code: 'precondition-failed', current: body });
  await request(app).delete(path).set({ 'X-Role': role, 'If-Match': others }).expect(412);
  const changed = await patch(role, own).expect(200, { ...body, name: 'Eve' });
  expect(changed.get('ETag')).toBe(await tagFor(role));
  await patch(role, own).expect(412);
  await read(other, others).expect(200);
});

test('RFC 9110 9.3.4: PUT answers with the tag of what this client now sees', async () => {
  const put = (role: string, body: object) =>
    request(app).put(path).set('X-Role', role).type('application/json').send(JSON.stringify(body));
  const byStaff = await put(staff, { name: 'Eve', amount: 2 }).expect(204);
  expect(byStaff.get('ETag')).toBe(await tagFor(staff));
  const byGuest = await put(guest, { name: 'Eve', amount: 3 }).expect(204);
  expect(byGuest.get('ETag')).toBeUndefined();
});

test('a repeat gets the tag of the client who made the change, also when the resource has changed again', async () => {
  const send = (key: string, body: object) =>
    request(app)
      .patch(path)
      .type('application/merge-patch+json')
      .set({ 'X-Role': staff, 'Idempotency-Key': `"${key}"` })
      .send(body);
  const first = await send('once', { amount: 2 }).expect(204);
  expect(first.get('ETag')).toBe(await tagFor(staff));
  await send('twice', { amount: 3 }).expect(204);
  const repeat = await send('once', { amount: 2 }).expect(204);
  expect(repeat.get('ETag')).toBe(first.get('ETag'));
});

test('without entityTag, a represent that reads the request is a mistake', () => {
  const create = () => createApp({ represent: ({ name }, req) => ({ name, role: req.get('X-Role') }) });
  return expect(create()).rejects.toThrow(
    expect.objectContaining({
      constructor: ConfigurationError,
      mistakes: [expect.objectContaining({ option: 'represent', code: 'option-dependency' })],
    }),
  );
});

test('a represent of the value alone needs no entityTag', async () => {
  app = await createApp({ key: 'id', represent: ({ name }) => ({ name }) });
  await read(guest).expect(200, { name: 'Ada' });
});

test('docs/resource.md, run as it stands there', async () => {
  const page = readFileSync(join(__dirname, '../../../docs/resource.md'), 'utf8');
  const block = blocksOf(page, 'ts').find((text) => text.includes('const isStaff')) ?? '';
  const accounts = new MemoryStore();
  await accounts.replace('1', null, { name: 'Ada', balance: 1 });
  app = express();
  evaluate(
    block.replace('const accounts = new MemoryStore<Account>();', ''),
    { ...patchOptions, app, accounts },
    () => ({}),
  );
  const get = (role: string) => request(app).get('/accounts/1').set('X-Role', role).expect('Vary', 'X-Role');
  const byStaff = await get('staff').expect(200, { name: 'Ada', balance: 1 });
  const tag = byStaff.get('ETag') ?? '';
  await get('').set('If-None-Match', tag).expect(200, { name: 'Ada' });
  await get('staff').set('If-None-Match', tag).expect(304);
});
