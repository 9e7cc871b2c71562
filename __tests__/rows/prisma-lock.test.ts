/**
 * The statements that prismaRows sends in a transaction. They depend on undocumented members of the client, which other clients may not
 * have.
 */
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

describe('a row in the transaction', () => {
  const model = {
    findFirst: () => ({ slug: 'a' }),
    update: nothing,
    create: nothing,
    delete: nothing,
    name: 'Note',
  };
  const sent: string[] = [];
  beforeEach(() => void sent.splice(0));
  const clientOf = (more: object, answer: (text: string) => unknown = () => []) => ({
    ...{ note: model, $executeRawUnsafe: nothing, _runtimeDataModel: { models: { Note: {} } } },
    $queryRawUnsafe: (text: string) => Promise.resolve((sent.push(text), answer(text))),
    ...more,
  });

  test('that the app has begun over MySQL is compared with the locked one, which a read at REPEATABLE READ can be older than', async () => {
    const answers = (text: string) => [{ slug: 'a', title: text.includes('FOR UPDATE') ? 'new' : 'old' }];
    const tx = clientOf({ _activeProvider: 'mysql' }, answers);
    const lock = async () => prismaRows(tx, 'note' as never).lock?.({ slug: 'a' });
    await expect(lock()).rejects.toThrow("Begin it with { isolationLevel: 'ReadCommitted' }");
    expect(sent).toEqual([
      'SELECT 1 FROM `Note` WHERE `slug` = ? FOR UPDATE',
      'SELECT * FROM `Note` WHERE `slug` = ? FOR UPDATE',
      'SELECT * FROM `Note` WHERE `slug` = ?',
    ]);
  });

  test('that the app has begun over MySQL at READ COMMITTED is the locked one', async () => {
    const tx = clientOf({ _activeProvider: 'mysql' }, () => [{ slug: 'a', title: 'new' }]);
    await expect(prismaRows(tx, 'note' as never).lock?.({ slug: 'a' })).resolves.toHaveLength(1);
  });

  test('over PostgreSQL is asked for once, if the first answer is that it was read there', async () => {
    const prisma = clientOf({ _activeProvider: 'postgresql', _extensions: {} }, () => [{ isInside: true }]);
    Object.assign(prisma, {
      $transaction: (act: (tx: object) => unknown) => act(clientOf({ ...prisma, $transaction: undefined })),
    });
    const rows = prismaRows(prisma, 'note' as never);
    for (let writes = 0; writes < 2; writes++) {
      await rows.transaction?.(async (inside) => {
        await inside.find({ slug: 'a' }, ['slug'], undefined, true);
      });
    }
    expect(sent.filter((text) => text.includes('pg_locks'))).toHaveLength(1);
  });

  test.each([
    {
      client: 'a client without extensions',
      _extensions: { getAllQueryCallbacks: () => [] },
      isAsked: false,
    },
    { client: 'a client with one', _extensions: { getAllQueryCallbacks: () => [() => 1] }, isAsked: true },
    { client: 'a client that does not reveal them', _extensions: {}, isAsked: true },
    { client: 'a client that hides them', _extensions: undefined, isAsked: true },
  ])(
    'of $client over PostgreSQL: the store asks whether it was read in it: $isAsked',
    async ({ _extensions, isAsked }) => {
      const prisma = clientOf({ _activeProvider: 'postgresql', _extensions });
      Object.assign(prisma, {
        $transaction: (act: (tx: object) => unknown) => act(clientOf({ ...prisma, $transaction: undefined })),
      });
      const reading = prismaRows(prisma, 'note' as never).transaction?.(async (rows) => {
        await rows.find({ slug: 'a' }, ['slug'], undefined, true);
      });
      const asked = expect(Promise.resolve(reading));
      await (isAsked
        ? asked.rejects.toThrow('was not carried out in the transaction')
        : asked.resolves.toBeUndefined());
      expect(sent.filter((text) => text.includes('pg_locks'))).toHaveLength(isAsked ? 1 : 0);
    },
  );
});
