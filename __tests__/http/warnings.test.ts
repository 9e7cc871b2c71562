/** What a client sent can come into a warning by what the app has thrown, and a warning is read on a terminal. */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describeFailure, warnOnce } from '../../lib/config/process-warning';
import { nameThrown } from '../../lib/config/inspect';
import { refusalNotifier } from '../../lib/http/refusal';

const hostile = 'no \u009b31m such \u001b[2J note\u202e\nroot: logged in';
const printed = String.raw`no \u{9b}31m such \u{1b}[2J note\u{202e}\u{a}root: logged in`;

test.each([
  {
    what: 'an error of a callback',
    emit: () => {
      warnOnce(
        'PATCH_OPTIONS_ROOT',
        describeFailure('onPatched'),
      )(Object.assign(new Error(), { name: hostile }));
    },
    said: `onPatched failed with ${printed}. Further failures are not reported.`,
  },
  {
    what: 'text of a warning',
    emit: () => {
      warnOnce('PATCH_OPTIONS_ROOT', (name: string) => `A request for ${name}.`)(hostile);
    },
    said: `A request for ${printed}.`,
  },
  {
    what: 'an error of onRefused, at the first refusal alone',
    emit: async () => {
      const onRefused = jest.fn(() => {
        throw Object.assign(new Error(), { name: hostile });
      });
      const notify = refusalNotifier(onRefused, 'corsPreflight()');
      const refusal = { code: 'own', status: 403, detail: 'No.', req: new IncomingMessage(new Socket()) };
      for (let i = 0; i < 2; i++) notify(refusal);
      await setImmediate();
      expect(onRefused.mock.calls).toEqual([[refusal], [refusal]]);
      refusalNotifier(undefined, 'corsPreflight()')(refusal);
    },
    code: 'PATCH_OPTIONS_ON_REFUSED',
    said: `onRefused of corsPreflight() failed with ${printed}. Further failures are not reported.`,
  },
])(
  '$what: without the control characters of a terminal',
  async ({ emit, code = 'PATCH_OPTIONS_ROOT', said }) => {
    const warnings = jest.spyOn(process, 'emitWarning').mockImplementation();
    await emit();
    expect(warnings.mock.calls).toEqual([[said, { code }]]);
    warnings.mockRestore();
  },
);

describe('what is said of what was thrown', () => {
  const error = (message: string, members: object = {}) => Object.assign(new Error(message), members);
  const secret = 'a password';

  test.each<{ readonly what: string; readonly thrown: unknown; readonly said: string }>([
    { what: 'an error', thrown: new TypeError(secret), said: 'TypeError' },
    { what: 'with a code', thrown: error(secret, { code: '23505' }), said: 'Error (code 23505)' },
    { what: 'with a number', thrown: error(secret, { code: 5 }), said: 'Error (code 5)' },
    {
      what: 'an error of an ORM, whose message has the values',
      thrown: error(`Failed query: update … params: ${secret}`, { name: 'DrizzleQueryError' }),
      said: 'DrizzleQueryError',
    },
    { what: 'a text', thrown: secret, said: 'a value of the type string' },
    { what: 'null', thrown: null, said: 'null' },
    { what: 'a long name', thrown: error('', { name: 'x'.repeat(1000) }), said: `${'x'.repeat(100)}…` },
  ])('$what: $said', ({ thrown, said }) => {
    expect(nameThrown(thrown)).toBe(said);
  });
});
