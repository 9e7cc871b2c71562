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

type Orm = OrmUnderTest['orm'];

interface Lookalike {
  readonly value: unknown;
  /** The path to the member that is refused, by ORM; where there is none, the value is stored as it is. */
  readonly refused?: Partial<Record<Orm, readonly string[]>>;
  /** The only place and database where it is refused. Default: all. */
  readonly where?: string;
  readonly database?: OrmUnderTest['database'];
}

const raw = '__prismaRawParameters__';
const parsed = (text: string): unknown => JSON.parse(text);

const lookalikes: readonly Lookalike[] = [
  // Prisma
  { value: { [raw]: true, values: { role: 'admin' } }, refused: { Prisma: [raw] } },
  { value: { [raw]: true, values: { $type: 'Param' } }, refused: { Prisma: [raw] } },
  { value: { [raw]: false, values: 1 }, refused: { Prisma: [raw] } },
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
  { value: { $type: '' }, refused: { Prisma: ['$type'] } },
  { value: { constructor: { name: 'A' }, a: [{ $type: 't' }] }, refused: { Prisma: ['a', '0', '$type'] } },
  { value: { constructor: { name: 'A' }, $type: 't' } },
  { value: { prisma__type: 'param', prisma__value: { name: '%1', type: 'String' } } },
  { value: { prisma__type: 'generatorCall', prisma__value: { name: 'now', args: [] } } },
  { value: { set: { role: 'admin' } } },
  { value: { push: [1] } },
  { value: { increment: 1 } },
  { value: { unset: true } },
  { value: { equals: 1, path: ['a'] } },
  { value: parsed('{"a":{"__proto__":{"role":"admin"}}}'), refused: { Prisma: ['a', '__proto__'] } },
  // MikroORM
  { value: { constructor: 'x' }, refused: { MikroORM: ['constructor'] } },
  { value: { constructor: { name: 5 } }, refused: { MikroORM: ['constructor'] } },
  { value: { constructor: { name: 'ObjectId' }, id: 1 } },
  { value: { constructor: null } },
  { value: { __entity: true, __meta: {}, __helper: {} } },
  { value: { __raw: true, sql: '1', params: [] } },
  // Drizzle
  ...['{"role":"admin"}', '[1]', '"a"', '1', ' null'].map((value) => ({
    value,
    ...{ refused: { Drizzle: [] }, where: 'as it is', database: 'PostgreSQL' as const },
  })),
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

const placed: readonly { where: string; path: readonly string[]; put: (value: unknown) => unknown }[] = [
  { where: 'as it is', path: [], put: (value) => value },
  { where: 'in an object', path: ['o'], put: (value) => ({ o: value }) },
  { where: 'in a list', path: ['0'], put: (value) => [value] },
  { where: 'deep', path: ['o', '1', 'b/c'], put: (value) => ({ o: [0, { 'b/c': value }] }) },
];

describeEachOrm((opened, about) => {
  const storeOf = (column: string, kind: 'json' | 'json[]') =>
    rowStore({
      ...opened().rows,
      ...({
        columns: { title: 'string', member: { kind, column } },
        key: 'slug',
        version: 'version',
      } as const),
    });
  const isPostgres = about.database === 'PostgreSQL';
  const lists = isPostgres && !['TypeORM', 'MikroORM'].includes(about.orm);
  const forms = [
    { kind: 'json', column: 'facts', wrap: (value: unknown) => value, path: [] },
    // Where the database has no lists they are JSON.
    ...(lists
      ? [{ kind: 'json[]', column: 'parts', wrap: (value: unknown) => [1, value], path: ['1'] } as const]
      : []),
  ] as const;

  test.each(forms)('$kind', async ({ kind, column, wrap, path }) => {
    const store = storeOf(column, kind);
    const slug = randomUUID();
    const made = await store.replace(slug, null, { title: 'a', member: wrap(1) });
    let version = made?.version ?? '';
    for (const { value, refused, ...only } of lookalikes) {
      for (const { where, path: inside, put } of placed) {
        const member = wrap(put(value)) as never;
        const isRefused =
          (only.where ?? where) === where && (only.database ?? about.database) === about.database;
        const to = isRefused ? refused?.[about.orm] : undefined;
        const writing = store.replace(slug, version, { title: 'a', member });
        const creating = store.replace(randomUUID(), null, { title: 'a', member });
        if (to === undefined) {
          const written = await writing;
          expect(written?.value).toEqual({ title: 'a', member });
          expect(await store.get(slug)).toEqual(written);
          expect((await creating)?.value).toEqual({ title: 'a', member });
          version = written?.version ?? '';
          continue;
        }
        const tokens = ['member', ...path, ...inside, ...to].map((token) => token.replace('/', '~1'));
        const refusal = {
          status: 422,
          problem: { errors: [expect.objectContaining({ pointer: `/${tokens.join('/')}` })] },
        };
        await expect(writing).rejects.toMatchObject(refusal);
        await expect(creating).rejects.toMatchObject(refusal);
        expect((await store.get(slug))?.version).toBe(version);
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
        await opened().rows.insert({ slug: `${slug}${column}`, title: 'a', version: 'v' }, ['slug']);
        for (const member of [{ set: ['x'] }, { set: 'x' }, { increment: 1 }, { push: 'x' }]) {
          const writing = store.replace(`${slug}${column}`, 'v', { title: 'a', member });
          await expect(writing).rejects.toMatchObject({ status: 422 });
        }
      }
    });
  }
});
