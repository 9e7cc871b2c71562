/** A client of Prisma whose connection to PostgreSQL is not in UTC reads other instants than the database has. */
import type * as Rows from '../../lib/rows';

const [winter, summer] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-07-01T00:00:00Z')];
const later = (date: Date, hours: number) => new Date(date.getTime() + hours * 3_600_000);
const berlin = [{ 0: later(winter, 1), 1: later(summer, 2), zone: 'Europe/Berlin' }];

interface Client {
  readonly answer: () => unknown;
  readonly provider?: string;
  /** The types of the columns. */
  readonly types?: Readonly<Record<string, string>>;
}

/** A model of a client, and of a transaction of it, with what the database is asked. */
function clientOf({ answer, provider = 'postgresql', types = { due: 'DateTime' } }: Client) {
  const asked: string[] = [];
  const root = {};
  const fields = Object.fromEntries(
    Object.entries({ slug: 'String', version: 'String', title: 'String', ...types }).map(
      ([name, typeName]) => [name, { typeName }],
    ),
  );
  const openModel = () => ({
    ...{ findFirst: () => ({ slug: 'a', version: 'v', title: 'a', due: null }), fields },
    ...{ updateMany: () => ({ count: 1 }), create: () => ({}), deleteMany: () => ({ count: 1 }) },
    $parent: {
      ...{ _originalClient: root, _activeProvider: provider },
      $queryRawUnsafe: async (text: string) => {
        asked.push(text);
        return Promise.resolve(answer());
      },
    },
  });
  return { asked, openModel };
}

/** Each test has a process of its own, as to what it has been warned of. */
let rows: typeof Rows;
let warned: jest.SpyInstance;
beforeEach(async () => {
  await jest.isolateModulesAsync(async () => {
    rows = await import('../../lib/rows');
  });
  warned = jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => {
  warned.mockRestore();
});

const get = async ({ openModel }: ReturnType<typeof clientOf>, columns: object) =>
  rows
    .rowStore({
      ...rows.prismaRows(openModel() as never),
      ...{ columns: columns as { title: 'string' }, key: 'slug', version: 'version' },
    })
    .get('a');
const withDue = { title: 'string', due: 'date?' };

test('it is asked once, with its transactions, and warned of', async () => {
  const client = clientOf({ answer: () => berlin });
  for (let i = 0; i < 3; i++) expect(await get(client, withDue)).toMatchObject({ version: 'v' });
  await get(clientOf({ answer: () => berlin }), withDue);
  expect(client.asked).toEqual([
    expect.stringMatching(/to_timestamp\(1767225600\).*to_timestamp\(1782864000\)/),
  ]);
  expect(warned.mock.calls).toEqual([
    [
      expect.stringMatching(/timestamptz as another instant, because .* is Europe\/Berlin, .*TimeZone%3DUTC/),
      { code: 'PATCH_OPTIONS_TIME_ZONE' },
    ],
  ]);
});

test('a zone whose clocks are those of UTC in winter is one of them', async () => {
  await get(clientOf({ answer: () => [{ 0: winter, 1: later(summer, 1), zone: 'Europe/London' }] }), withDue);
  expect(warned).toHaveBeenCalledTimes(1);
});

test.each<{ what: string; client: Partial<Client>; columns?: object }>([
  { what: 'in UTC', client: { answer: () => [{ 0: winter, 1: summer, zone: 'Etc/UTC' }] } },
  { what: 'that is lost', client: { answer: () => Promise.reject(new Error('lost')) } },
  { what: 'that answers with text', client: { answer: () => [{ 0: 'a', 1: 'b', zone: 'Europe/Berlin' }] } },
  { what: 'that answers nothing', client: { answer: () => [] } },
])('there is no warning of a connection $what', async ({ client }) => {
  const opened = clientOf({ answer: () => berlin, ...client });
  expect(await get(opened, withDue)).toMatchObject({ version: 'v' });
  expect(opened.asked).toHaveLength(1);
  expect(warned).not.toHaveBeenCalled();
});

test.each<{ what: string; client: Partial<Client>; columns?: object }>([
  { what: 'another database', client: { provider: 'mysql' } },
  { what: 'columns without a time', client: {}, columns: { title: 'string' } },
  { what: 'a date as text', client: { types: { due: 'String' } } },
])('nothing is asked for $what', async ({ client, columns = withDue }) => {
  const opened = clientOf({ answer: () => berlin, ...client });
  await get(opened, columns);
  expect([opened.asked, warned.mock.calls]).toEqual([[], []]);
});
