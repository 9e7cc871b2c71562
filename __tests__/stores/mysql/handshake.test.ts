/** A server that ends each connection during the handshake: nothing was sent, so the write was surely not made. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import express from 'express';
import { createPool, type Pool } from 'mysql2/promise';
import supertest from 'supertest';
import { mergePatch, resource, type ResourceStore } from '../../../lib';
import { rowStore, tableRows, tableStore } from '../../../lib/rows';
import { MysqlStore } from '../../../lib/stores/mysql';

const server = createServer((socket) => socket.end());
let pool: Pool;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  pool = createPool({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
});
afterAll(async () => {
  await pool.end();
  server.close();
});

const row = { slug: '1', title: 'a', version: 'v1' };
const columns = { title: 'string' } as const;
const declared = { columns, key: 'slug', version: 'version' } as const;
/** What was read over another connection. */
const find = () => row;
const state = { value: { title: 'a' }, version: 'v1' };
const overMysqlStore = (): ResourceStore => {
  const store = new MysqlStore(pool, { table: 'notes' });
  return {
    ...({ keepsOutcomes: true } as object),
    get: () => Promise.resolve(state),
    replace: (...args) => store.replace(...args),
    delete: (...args) => store.delete(...args),
  };
};

const stores: readonly { readonly what: string; readonly open: () => ResourceStore }[] = [
  { what: 'MysqlStore', open: overMysqlStore },
  {
    what: 'tableRows',
    open: () => rowStore({ ...tableRows(pool, { table: 'notes' }), ...declared, find }) as never,
  },
  {
    what: 'tableStore',
    open: () => tableStore(pool, { ...declared, table: 'notes', find } as never) as never,
  },
];

describe.each(stores)('$what', ({ open }) => {
  test.each([
    { method: 'patch', headers: {} },
    { method: 'patch', headers: { 'Idempotency-Key': '"1"' } },
    { method: 'put', headers: {} },
    { method: 'delete', headers: {} },
  ] as const)('$method with $headers goes to Express as it is', async ({ method, headers }) => {
    const app = express().set('env', 'test');
    const note = resource(open(), [mergePatch()], { key: 'id' });
    app.route('/:id').put(note.put).patch(note.patch).delete(note.delete);
    const errors: unknown[] = [];
    const answerFaults: express.ErrorRequestHandler = (error, _req, res, next) => {
      if (res.headersSent) next(error);
      errors.push(error);
      res.status(500).json({});
    };
    app.use(answerFaults);
    const sending = supertest(app)[method]('/1').set(headers);
    const type = method === 'put' ? 'application/json' : 'application/merge-patch+json';
    const answer = await (method === 'delete' ? sending : sending.type(type).send('{"title":"b"}'));
    expect([answer.status, answer.body, errors]).toEqual([
      500,
      {},
      [expect.objectContaining({ code: 'PROTOCOL_CONNECTION_LOST' })],
    ]);
  });
});
