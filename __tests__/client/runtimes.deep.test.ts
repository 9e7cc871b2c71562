/** The client under other programs than Node. */
import { describeUnder, resultsUnder } from './describe-scenarios';
import { expected, resentByRuntime } from './runtime-scenarios';

describeUnder('deno', (program) => {
  test('all scenarios; it needs no permission but that for the network', async () => {
    expect(await resultsUnder(program, ['run', '--no-prompt', '--allow-net=127.0.0.1'])).toEqual({
      ...expected,
      'an answer lost, without one': resentByRuntime,
    });
  });
});

describeUnder('bun', (program) => {
  test('all scenarios', async () => {
    expect(await resultsUnder(program, ['run'])).toEqual(expected);
  });
});
