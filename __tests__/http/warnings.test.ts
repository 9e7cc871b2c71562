/** What a client sent can come into a warning by what the app has thrown, and a warning is read on a terminal. */
import { tellOnce, warnOnce } from '../../lib/config/app-callbacks';

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
