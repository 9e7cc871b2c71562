/**
 * Members by which ORMs recognise objects of their own, in JSON of clients. What is stored is what was checked; what would not be
 * stored as it is gets 422 with the pointer of the member, and nothing is written.
 */
import { randomUUID } from 'node:crypto';
import express from 'express';
import supertest from 'supertest';
import { mergePatch, resource } from '../../lib';
import { rowStore } from '../../lib/rows';
import { describeEachOrm } from './support/each-orm';
import type { OrmUnderTest } from './support/orm';
import { write } from './support/written';

type Orm = OrmUnderTest['orm'];

interface Lookalike {
  readonly value: unknown;
  /** The ORMs that refuse it. */
  readonly refusedBy?: readonly Orm[];
  /** Those of them that only change it in an UPDATE. */
  readonly createdBy?: readonly Orm[];
}

const raw = '__prismaRawParameters__';
const parsed = (text: string): unknown => JSON.parse(text);

const lookalikes: readonly Lookalike[] = [
  // Prisma
  { value: { [raw]: true, values: { role: 'admin' } }, refusedBy: ['Prisma'] },
  { value: { [raw]: true, values: { $type: 'Param' } }, refusedBy: ['Prisma'] },
  { value: { [raw]: false, values: 1 }, refusedBy: ['Prisma'] },
  ...[
    'Param',
    'FieldRef',
    'DateTime',
    'BigInt',
    'Decimal',
    'Bytes',
    'Json',
    'Enum',
    'Raw',
    'com.example',
  ].map(($type) => ({ value: { $type, value: { _ref: 'secret', name: 'x' } } })),
  { value: { $type: 1 } },
  { value: { $type: null } },
  { value: { $type: '' }, refusedBy: ['Prisma'] },
  { value: { constructor: { name: 'A' }, a: [{ $type: 't' }] }, refusedBy: ['Prisma', 'MikroORM'] },
  { value: { constructor: { name: 'A' }, $type: 't' }, refusedBy: ['MikroORM'] },
  { value: { prisma__type: 'param', prisma__value: { name: '%1', type: 'String' } } },
  { value: { prisma__type: 'generatorCall', prisma__value: { name: 'now', args: [] } } },
  { value: { set: { role: 'admin' } } },
  { value: { push: [1] } },
  { value: { increment: 1 } },
  { value: { unset: true } },
  { value: { equals: 1, path: ['a'] } },
  {
    value: parsed('{"a":{"__proto__":{"role":"admin"}}}'),
    ...{ refusedBy: ['Prisma', 'TypeORM'], createdBy: ['TypeORM'] },
  },
  // MikroORM
  { value: { constructor: 'x' }, refusedBy: ['MikroORM'] },
  { value: { constructor: { name: 5 } }, refusedBy: ['MikroORM'] },
  { value: { constructor: { name: 'ObjectId' }, id: 1 }, refusedBy: ['MikroORM'] },
  { value: { constructor: null }, refusedBy: ['MikroORM'] },
  { value: { __entity: true, __meta: {}, __helper: {} } },
  { value: { __raw: true, sql: '1', params: [] } },
  // Drizzle
  ...['{"role":"admin"}', '[1]', '"a"', '1', ' null'].map((value) => ({ value })),
  // TypeORM, Sequelize, Drizzle, Knex, Kysely and the drivers
  { value: { '@instanceof': 'FindOperator', _type: 'raw', _value: '1' } },
  { value: { val: 'now()' } },
  { value: { fn: 'now', args: [] } },
  { value: { col: 'secret', $col: 'secret' } },
  { value: { $eq: 1, $or: [], $raw: '1' } },
  { value: { queryChunks: [], getSQL: 'x', shouldInlineParams: true } },
  { value: { isRawInstance: true, toSQL: 'x', sql: '1', bindings: [] } },
  { value: { toOperationNode: 'x', kind: 'RawNode', sqlFragments: ['1'], parameters: [] } },
  { value: { toPostgres: 'x', toSqlString: 'x', toJSON: 'x', toString: 'x', then: 'x' } },
  { value: { type: 'Buffer', data: [1] } },
  { value: { d: [1], e: 0, s: 1, toFixed: 'x' } },
];

const placed: readonly { where: string; put: (value: unknown) => unknown }[] = [
  { where: 'as it is', put: (value) => value },
  { where: 'in an object', put: (value) => ({ o: value }) },
  { where: 'in a list', put: (value) => [value] },
  { where: 'deep', put: (value) => ({ o: [0, { 'b/c': value }] }) },
];

describeEachOrm((opened, about) => {
  const storeOf = (column: string, kind: 'json' | 'json[]') =>
    rowStore({
      ...opened().rows,
      ...({
        columns: { title: 'string', member: { kind, column } },
        key: 'slug',
      } as const),
    });
  const isPostgres = about.database === 'PostgreSQL';
  const inTable = async (column: string, slug: string): Promise<unknown> => {
    const json = column === 'parts' ? `to_jsonb(${column})` : column;
    const text = { PostgreSQL: `${json}::text`, MariaDB: `CAST(${column} AS char)`, SQLite: column };
    const [row] = await opened().sql(
      `SELECT ${text[about.database]} AS text FROM notes WHERE slug = '${slug}'`,
    );
    return JSON.parse(String(row?.['text']));
  };
  const lists = isPostgres && !['TypeORM', 'MikroORM'].includes(about.orm);
  const forms = [
    { kind: 'json', column: 'facts', wrap: (value: unknown) => value },
    // Where the database has no lists they are JSON.
    ...(lists ? [{ kind: 'json[]', column: 'parts', wrap: (value: unknown) => [1, value] } as const] : []),
  ] as const;

  test.each(forms)('$kind', async ({ kind, column, wrap }) => {
    const store = storeOf(column, kind);
    const slug = randomUUID();
    let current = await write(store, slug, null, { title: 'a', member: wrap(1) });
    for (const { value, refusedBy = [], createdBy = [] } of lookalikes) {
      for (const { where, put } of placed) {
        const member = wrap(put(value)) as never;
        // Drizzle parses it a second time.
        const isParsed =
          about.orm === 'Drizzle' && isPostgres && where === 'as it is' && typeof value === 'string';
        const isRefused = refusedBy.includes(about.orm) || isParsed;
        const writing = write(store, slug, current, { title: 'a', member });
        if (!isRefused) {
          current = await writing;
          expect(current.value).toEqual({ title: 'a', member });
          expect(await store.get(slug)).toEqual(current);
          expect(await inTable(column, slug)).toEqual(member);
          const other = await write(store, randomUUID(), null, { title: 'a', member });
          expect(other.value).toEqual(current.value);
          continue;
        }
        const pointer = expect.stringMatching(/^\/member\b/) as unknown;
        const refusal = { status: 422, problem: { errors: [expect.objectContaining({ pointer })] } };
        await expect(writing).rejects.toMatchObject(refusal);
        expect(await store.get(slug)).toEqual(current);
        const creating = write(store, randomUUID(), null, { title: 'a', member });
        if (createdBy.includes(about.orm)) expect((await creating).value).toEqual({ title: 'a', member });
        else await expect(creating).rejects.toMatchObject(refusal);
      }
    }
    const secrets = await opened().sql(`SELECT DISTINCT secret FROM notes`);
    expect(secrets).toEqual([{ secret: 'hidden' }]);
  });

  test('what is read-only in a Json column is not written by a look-alike', async () => {
    const store = storeOf('facts', 'json');
    const slug = randomUUID();
    await store.replace(slug, null, { title: 'a', member: { role: 'user' } });
    const app = express();
    const note = resource(store, [mergePatch()], {
      key: (req) => req.params['slug'],
      readOnly: ['/member/role'],
    });
    app.patch('/:slug', note.patch);
    const sent = { member: { role: null, [raw]: true, values: { role: 'admin' } } };
    const patch = (body: object) =>
      supertest(app)
        .patch(`/${slug}`)
        .set('Content-Type', 'application/merge-patch+json')
        .send(JSON.stringify(body));
    expect((await patch(sent)).status).toBe(422);
    const kept = await patch({ member: { [raw]: true, values: { role: 'admin' } } });
    expect(kept.status).toBe(about.orm === 'Prisma' ? 422 : 204);
    expect((await store.get(slug))?.value.member).toMatchObject({ role: 'user' });
  });

  if (about.orm === 'Prisma') {
    test('in a column that is not Json, an object is no operation', async () => {
      const slug = randomUUID();
      for (const column of isPostgres ? ['body', 'age', 'tags'] : ['body', 'age']) {
        const store = storeOf(column, 'json');
        await opened().rows.insert({ slug: `${slug}${column}`, title: 'a' });
        const row = async () =>
          (await opened().sql(`SELECT * FROM notes WHERE slug = '${slug}${column}'`))[0];
        const before = await row();
        const current = await store.get(`${slug}${column}`);
        for (const member of [{ set: ['x'] }, { set: 'x' }, { increment: 1 }, { push: 'x' }]) {
          await expect(write(store, `${slug}${column}`, current, { title: 'a', member })).rejects.toThrow();
          expect(await row()).toEqual(before);
        }
      }
    });
  }
});
