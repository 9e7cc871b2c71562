/** What a client sent can come into a warning by what the app has thrown, and a warning is read on a terminal. */
import { thrownText, tellOnce, warnOnce } from '../../lib/config/app-callbacks';

const hostile = 'no \u009b31m such \u001b[2J note\u202e\nroot: logged in';
const printed = String.raw`no \u{9b}31m such \u{1b}[2J note\u{202e}\u{a}root: logged in`;

test.each([
  {
    what: 'an error of a callback',
    emit: () => {
      warnOnce('CODE', 'onPatched')(new Error(hostile));
    },
    said: `onPatched failed: ${printed}. Further failures are not reported.`,
  },
  {
    what: 'text of a warning',
    emit: () => {
      tellOnce('CODE', (name: string) => `A request for ${name}.`)(hostile);
    },
    said: `A request for ${printed}.`,
  },
])('$what: without the control characters of a terminal', ({ emit, said }) => {
  const warnings = jest.spyOn(process, 'emitWarning').mockImplementation();
  emit();
  expect(warnings.mock.calls).toEqual([[said, { code: 'CODE' }]]);
  warnings.mockRestore();
});

describe('what is quoted of an error', () => {
  const error = (message: string, members: object = {}) => Object.assign(new Error(message), members);
  const secret = 'x - y, hidden';

  test.each<{ readonly what: string; readonly thrown: unknown; readonly quoted: string }>([
    {
      what: 'Drizzle',
      thrown: error(`Failed query: update "notes" set "a" = $1\nparams: ${secret}`, {
        ...{ query: 'update "notes" set "a" = $1', params: [secret] },
        cause: error('Connection terminated unexpectedly'),
      }),
      quoted: 'Connection terminated unexpectedly',
    },
    {
      what: 'Drizzle, without a cause',
      thrown: error(`Failed query: update "notes" set "a" = $1\nparams: ${secret}`, { query: 'update' }),
      quoted: 'Failed query: update "notes" set "a" = $1',
    },
    {
      what: 'what has only its cause',
      thrown: error(`Failed query: update … params: ${secret}`, { cause: error('read ECONNRESET') }),
      quoted: 'read ECONNRESET',
    },
    {
      what: 'Knex over MySQL, and MikroORM',
      thrown: error(`update \`notes\` set \`a\` = '${secret}' where \`id\` = 1 - read ECONNRESET`),
      quoted: 'read ECONNRESET',
    },
    { what: 'a COMMIT of Knex', thrown: error('COMMIT; - Query read timeout'), quoted: 'Query read timeout' },
    {
      what: 'an INSERT',
      thrown: error(`insert into "notes" ("a") values ('${secret}') - read ECONNRESET`),
      quoted: 'read ECONNRESET',
    },
    {
      what: 'Prisma',
      thrown: error(
        `\nInvalid \`prisma.note.update()\` invocation:\n\n{\n  data: { a: "${secret}" }\n}\n\nTimed out`,
      ),
      quoted: 'Timed out',
    },
    {
      what: 'Sequelize',
      thrown: error('outer', { sql: `UPDATE notes SET a = '${secret}'`, parent: error('read ECONNRESET') }),
      quoted: 'read ECONNRESET',
    },
    {
      what: 'an error of the app, with a cause',
      thrown: error('The audit failed', { cause: error('read ECONNRESET') }),
      quoted: 'The audit failed',
    },
    {
      what: 'a sentence that begins like SQL',
      thrown: error('Update of the audit failed - see the log'),
      quoted: 'Update of the audit failed - see the log',
    },
    { what: 'a long text', thrown: error('x'.repeat(1000)), quoted: `${'x'.repeat(300)}…` },
    { what: 'a long string', thrown: 'x'.repeat(1000), quoted: `${'x'.repeat(300)}…` },
  ])('$what', ({ thrown, quoted }) => {
    expect(thrownText(thrown)).toBe(quoted);
  });

  test.each(["update notes set a = '", "insert into notes values ('", 'Failed query: '])(
    'however long it is: %s',
    (start) => {
      const began = performance.now();
      const text = thrownText(error(`${start}${' set from as '.repeat(100_000)}`));
      expect(text.length).toBeLessThan(310);
      expect(performance.now() - began).toBeLessThan(200);
    },
  );

  test('an error that is its own cause is quoted', () => {
    const circular = error('failed', { sql: 'x' });
    expect(thrownText(Object.assign(circular, { cause: circular }))).toBe('failed');
  });
});
