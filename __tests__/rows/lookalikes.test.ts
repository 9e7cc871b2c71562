/** Values that an ORM would not store, or read, as they were checked: refused before the ORM is called. */
import { mikroormRows, prismaRows, type Row, rowStore } from '../../lib/rows';
import { fc } from '../support/properties';
import { change, create } from '../support/written';

const calls: unknown[] = [];
beforeEach(() => {
  calls.length = 0;
  stored = { ...found };
});

let stored: Row = {};
const found = { slug: 'milk', facts: {}, parts: [], tags: [] };
const types = { slug: 'String', facts: 'Json', parts: 'Json', tags: 'String' };
const fields = Object.fromEntries(Object.entries(types).map(([name, typeName]) => [name, { typeName }]));
const model = {
  findFirst: () => ({ ...stored }),
  update: (call: { data: Row }) => {
    calls.push(call);
    stored = { ...stored, ...call.data };
    return { count: 1 };
  },
  create: (call: object) => (calls.push(call), found),
  delete: () => ({ count: 1 }),
};
const prismaClient = (note: object) => {
  const client = { note, $queryRawUnsafe: () => [1], $executeRawUnsafe: () => undefined };
  return { ...client, $transaction: (act: (tx: object) => unknown) => act({ ...client }) };
};
const entityManager = {
  fork: () => {
    const entity = { ...stored };
    return {
      findOne: () => Promise.resolve(entity),
      flush: () => {
        calls.push(entity);
        stored = { ...entity };
        return Promise.resolve();
      },
      transactional: (act: (em: object) => unknown) => act({ ...entityManager }),
    };
  },
  execute: () => Promise.resolve([1]),
  upsertMany: () => undefined,
  getTransactionContext: () => undefined,
  getMetadata: () => ({ className: 'Note', tableName: 'note', properties: fields }),
};
const rowsOf = {
  Prisma: () => prismaRows(prismaClient({ ...model, fields }) as never, 'note'),
  'Prisma that is mocked': () => prismaRows(prismaClient(model) as never, 'note'),
  MikroORM: () => mikroormRows(entityManager, 'Note'),
};
const storeOver = (orm: keyof typeof rowsOf, facts: Row) =>
  rowStore({ ...rowsOf[orm](), columns: { facts: { kind: 'json', ...facts } }, key: 'slug' });

const raw = '__prismaRawParameters__';
const parsed = (text: string): unknown => JSON.parse(text);

test.each<{ orm: keyof typeof rowsOf; facts: unknown; pointer: string; options?: Row }>([
  { orm: 'Prisma', facts: { [raw]: true, values: { role: 'admin' } }, pointer: `/facts/${raw}` },
  { orm: 'Prisma', facts: { [raw]: false }, pointer: `/facts/${raw}` },
  { orm: 'Prisma', facts: [{ 'a/b~': [{ [raw]: true }] }], pointer: `/facts/0/a~1b~0/0/${raw}` },
  { orm: 'Prisma', facts: parsed('{"a":{"__proto__":1}}'), pointer: '/facts/a/__proto__' },
  { orm: 'Prisma', facts: { a: { $type: '' } }, pointer: '/facts/a/$type' },
  { orm: 'Prisma', facts: { constructor: 1, a: [{ b: { $type: 't' } }] }, pointer: '/facts/a/0/b/$type' },
  {
    orm: 'Prisma',
    facts: [1, { [raw]: true }],
    pointer: `/facts/1/${raw}`,
    options: { kind: 'json[]', column: 'parts' },
  },
  { orm: 'Prisma that is mocked', facts: { [raw]: true }, pointer: `/facts/${raw}` },
  { orm: 'MikroORM', facts: { constructor: 'x' }, pointer: '/facts/constructor' },
  { orm: 'MikroORM', facts: { a: [{ constructor: [] }] }, pointer: '/facts/a/0/constructor' },
  { orm: 'MikroORM', facts: { constructor: { name: 1 } }, pointer: '/facts/constructor' },
])('$orm: $facts', async ({ orm, facts, pointer, options = {} }) => {
  const store = storeOver(orm, options);
  const refusal = { status: 422, code: 'invalid-result', problem: { errors: [{ pointer }] } };
  await expect(change(store, 'milk', { facts })).rejects.toMatchObject(refusal);
  await expect(create(store, 'new', { facts })).rejects.toMatchObject(refusal);
  expect(calls).toEqual([]);
});

test.each<{ orm: keyof typeof rowsOf; facts: unknown }>([
  { orm: 'Prisma', facts: { $type: 'app.example', a: { $type: 'b' } } },
  { orm: 'Prisma', facts: { constructor: 'x', $type: 't' } },
  { orm: 'Prisma', facts: { set: { a: 1 }, push: 1, increment: 1 } },
  { orm: 'Prisma', facts: raw },
  { orm: 'Prisma that is mocked', facts: { set: 1 } },
  { orm: 'MikroORM', facts: { [raw]: true } },
])('$orm is given $facts as it is', async ({ orm, facts }) => {
  await change(storeOver(orm, {}), 'milk', { facts });
  const [call] = calls;
  expect(call).toEqual(
    orm === 'MikroORM'
      ? expect.objectContaining({ facts })
      : expect.objectContaining({ data: expect.objectContaining({ facts }) as unknown }),
  );
});

test('wherever it is in JSON, Prisma is never given one of its raw parameters', async () => {
  const names = fc.constantFrom('a', 'values', '$type', 'constructor', raw);
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(1, true, 'x', null),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(names, tie('json'), { maxKeys: 3 }),
    ),
  }));
  const store = storeOver('Prisma', {});
  await fc.assert(
    fc.asyncProperty(json, async (facts) => {
      fc.pre(facts !== null && JSON.stringify(facts) !== '{}');
      calls.length = 0;
      stored = { ...found };
      const isRefused = await change(store, 'milk', { facts }).then(
        () => false,
        (error: unknown) => (error as { status?: number }).status === 422,
      );
      const holds = JSON.stringify(facts).includes(`"${raw}":`);
      expect(isRefused || !holds).toBe(true);
      expect(calls).toHaveLength(isRefused ? 0 : 1);
    }),
  );
});
