/** The lock of prismaRows names the table as Prisma does: undocumented members of its client say how. */
import { prismaRows, type PrismaRowsOptions } from '../../lib/rows';

const nothing = () => Promise.resolve(null);

test.each<{ what: string; more: object; model: object; options?: PrismaRowsOptions; table: string }>([
  { what: 'as the model', more: {}, model: {}, table: '"Note"' },
  { what: '@@map', more: {}, model: { dbName: 'notes' }, table: '"notes"' },
  { what: '@@schema', more: {}, model: { dbName: 'notes', schema: 'app' }, table: '"app"."notes"' },
  {
    what: 'new PrismaPg({ … }, { schema })',
    more: { _engineConfig: { adapter: { options: { schema: 'tenant' } } } },
    model: { dbName: 'notes' },
    table: '"tenant"."notes"',
  },
  {
    what: 'the options table and schema',
    more: {},
    model: { dbName: 'notes', schema: 'app' },
    options: { table: 'own', schema: 'mine' },
    table: '"mine"."own"',
  },
])('$what: $table', async ({ more, model, options, table }) => {
  const sent: unknown[] = [];
  const note = {
    findFirst: nothing,
    update: nothing,
    create: nothing,
    delete: nothing,
    name: 'Note',
  };
  const prisma = {
    ...{ note, _activeProvider: 'postgresql', $executeRawUnsafe: nothing },
    _runtimeDataModel: { models: { Note: model } },
    $queryRawUnsafe: (...statement: unknown[]) => Promise.resolve(void sent.push(statement)),
    ...more,
  };
  await prismaRows(prisma, 'note' as never, options).lock?.({ slug: 'a' });
  expect(sent).toEqual([[`SELECT 1 FROM ${table} WHERE "slug" = $1 FOR NO KEY UPDATE`, 'a']]);
});
