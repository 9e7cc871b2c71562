/** The lock of prismaRows names the table as Prisma does: undocumented members of its client say how. */
import { prismaRows } from '../../lib/rows';

const nothing = () => Promise.resolve(null);

test.each([
  { what: 'as the model', more: {}, model: {}, table: '"Note"' },
  { what: '@@map', more: {}, model: { dbName: 'notes' }, table: '"notes"' },
  { what: '@@schema', more: {}, model: { dbName: 'notes', schema: 'app' }, table: '"app"."notes"' },
  {
    what: 'new PrismaPg({ … }, { schema })',
    more: { _engineConfig: { adapter: { options: { schema: 'tenant' } } } },
    model: { dbName: 'notes' },
    table: '"tenant"."notes"',
  },
])('$what: $table', async ({ more, model, table }) => {
  const sent: unknown[] = [];
  const note = {
    findFirst: nothing,
    updateMany: nothing,
    create: nothing,
    deleteMany: nothing,
    name: 'Note',
  };
  const prisma = {
    ...{ note, _activeProvider: 'postgresql', $executeRawUnsafe: nothing },
    _runtimeDataModel: { models: { Note: model } },
    $queryRawUnsafe: (...statement: unknown[]) => Promise.resolve(void sent.push(statement)),
    ...more,
  };
  await prismaRows(prisma, 'note' as never).lock?.({ slug: 'a' });
  expect(sent).toEqual([[`SELECT 1 FROM ${table} WHERE "slug" = $1 FOR NO KEY UPDATE`, 'a']]);
});
