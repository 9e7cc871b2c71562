/** Values that Prisma refuses itself, without a code: a problem for the client, unless the app is mistaken. */
import { prismaRows, type Row, rowStore } from '../../lib/rows';

class PrismaClientValidationError extends Error {
  override readonly name = 'PrismaClientValidationError';
}

const types = {
  slug: 'String',
  version: 'String',
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
const row = { slug: 'milk', version: 'v1', title: 'a', state: 'draft', due: null, made: null, noted: null };

/** Throws what ends in that way, as Prisma does after it has shown what it was called with. */
function storeThatThrows(end: string) {
  const fail = () => {
    const shown =
      'Invalid `prisma.note.updateMany()` invocation:\n\n{\n  data: {\n    state: "nope"\n  }\n}\n\n';
    throw new PrismaClientValidationError(`${shown}${end}`);
  };
  const model = { findFirst: () => ({ ...row }), updateMany: fail, create: fail, deleteMany: fail, fields };
  return rowStore({
    ...prismaRows(model as never),
    columns: { title: 'string', state: 'string', due: 'date?', made: 'date?', noted: 'date?' },
    key: 'slug',
    version: 'version',
  });
}

const shown = { title: 'a', state: 'draft', due: null, made: null, noted: null };
const noon = '2026-11-22T12:00:00.000Z';

test.each<{ end: string; changes?: Row; pointer?: string }>([
  { end: 'Invalid value for argument `state`. Expected State.', pointer: '/state' },
  {
    end: 'Argument `state`: Invalid value provided. Expected State or Null, provided Int.',
    pointer: '/state',
  },
  { end: '\u001b[1mArgument `\u001b[1mstate\u001b[22m` must not be null.\u001b[22m', pointer: '/state' },
  {
    end: 'Invalid value for argument `due`: premature end of input. Expected ISO-8601 DateTime.',
    pointer: '/due',
  },
  { end: 'Unable to fit value 1e30into a 64-bit signed integer for field `due`', pointer: '/due' },
  // The argument is no column: the member is told only if it was the only one that was changed.
  { end: 'Invalid value for argument `set`. Expected State.' },
  { end: 'Invalid value for argument `set`. Expected State.', changes: { state: 'x' }, pointer: '/state' },
])('$end: $pointer', async ({ end, changes = { state: 'x', due: noon }, pointer }) => {
  const writing = storeThatThrows(end).replace('milk', 'v1', { ...shown, ...changes });
  await expect(writing).rejects.toMatchObject({
    status: 422,
    problem: {
      errors: [{ detail: expect.any(String) as unknown, ...(pointer !== undefined && { pointer }) }],
    },
  });
  const creating = storeThatThrows(end).replace('new', null, { ...shown, ...changes });
  await expect(creating).rejects.toMatchObject({ status: 422 });
});

test.each([
  'Unknown argument `nope`. Available options are marked with ?.',
  'Argument `title` is missing.',
  'Unknown field `nope` for select statement on model `Note`.',
  'Invalid value for argument `version`. Expected String.',
  'Argument `slug`: Invalid value provided. Expected StringFilter or String, provided Int.',
  'Invalid value for argument `state`. Expected State.\nUnknown argument `nope`.',
])('%s is a mistake of the app', async (end) => {
  const writing = storeThatThrows(end).replace('milk', 'v1', { ...shown, state: 'x' });
  await expect(writing).rejects.toBeInstanceOf(PrismaClientValidationError);
});

test('a Date for a column of another type is a mistake of the app, which names the option', async () => {
  const end = 'Argument `made`: Invalid value provided. Expected Decimal or Null, provided DateTime.';
  const writing = storeThatThrows(end).replace('milk', 'v1', { ...shown, made: noon });
  await expect(writing).rejects.toThrow("{ kind: 'date', as: 'iso' }");
});

test('the form of a date is that of the type in the schema', async () => {
  const sent: Row[] = [];
  const update = ({ data }: { data: Row }) => ({ count: sent.push(data) });
  const model = {
    findFirst: () => ({ ...row }),
    updateMany: update,
    create: update,
    deleteMany: update,
    fields,
  };
  const store = rowStore({
    ...prismaRows(model as never),
    columns: { due: 'date?', noted: 'date?', title: { kind: 'string', readOnly: true } },
    key: 'slug',
    version: 'version',
  });
  await store.replace('milk', 'v1', { due: noon, noted: noon, title: 'a' });
  expect(sent).toMatchObject([{ due: new Date(noon), noted: noon }]);
});
