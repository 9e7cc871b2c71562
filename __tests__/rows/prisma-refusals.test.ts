/** Values that Prisma refuses itself, without a code: a problem for the client. */
import { prismaRows, type Row, rowStore } from '../../lib/rows';
import { change, create } from '../support/written';

class PrismaClientValidationError extends Error {
  override readonly name = 'PrismaClientValidationError';
}

const types = {
  slug: 'String',
  title: 'String',
  state: 'State',
  due: 'DateTime',
  made: 'Decimal',
  noted: 'String',
  ratio: 'Float',
  ratios: 'Float',
  extra: 'Json',
};
const fields = Object.fromEntries(Object.entries(types).map(([name, typeName]) => [name, { typeName }]));
const row = { slug: 'milk', title: 'a', state: 'draft', due: null, made: null, noted: null };

const clientOf = (note: object) => {
  const client = { note, $queryRawUnsafe: () => [1], $executeRawUnsafe: () => undefined };
  return { ...client, $transaction: (act: (tx: object) => unknown) => act({ ...client }) };
};

function storeThatThrows() {
  const fail = () => Promise.reject(new PrismaClientValidationError('Invalid value for argument `state`.'));
  const model = { findFirst: () => ({ ...row }), update: fail, create: fail, delete: fail, fields };
  return rowStore({
    ...prismaRows(clientOf(model) as never, 'note'),
    columns: { title: 'string', state: 'string', due: 'date?', made: 'date?', noted: 'date?' },
    key: 'slug',
  });
}

const shown = { title: 'a', state: 'draft', due: null, made: null, noted: null };
const noon = '2026-11-22T12:00:00.000Z';

test.each<{ changes: Row; pointer?: string }>([
  { changes: { state: 'x', due: noon } },
  { changes: { state: 'x' }, pointer: '/state' },
])('$changes: 422 with the pointer $pointer', async ({ changes, pointer }) => {
  const writing = change(storeThatThrows(), 'milk', { ...shown, ...changes });
  await expect(writing).rejects.toMatchObject({
    status: 422,
    problem: {
      errors: [{ detail: expect.any(String) as unknown, ...(pointer !== undefined && { pointer }) }],
    },
  });
  const creating = create(storeThatThrows(), 'new', { ...shown, ...changes });
  await expect(creating).rejects.toMatchObject({ status: 422 });
});

test('the form of a date is that of the type in the schema', async () => {
  const sent: Row[] = [];
  const update = ({ data }: { data: Row }) => (sent.push(data), { count: 1 });
  const model = {
    findFirst: () => ({ ...row, ...sent.at(-1) }),
    update: update,
    create: update,
    delete: update,
    fields,
  };
  const store = rowStore({
    ...prismaRows(clientOf(model) as never, 'note'),
    columns: { due: 'date?', noted: 'date?', title: { kind: 'string', readOnly: true } },
    key: 'slug',
  });
  await change(store, 'milk', { due: noon, noted: noon, title: 'a' });
  expect(sent).toMatchObject([{ due: new Date(noon), noted: noon }]);
});
