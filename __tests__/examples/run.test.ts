/** What `npm run example <name>` runs. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { runTypescript } from '../support/run-typescript';
import { startedServer } from './example-server';

test('where the port of the examples is taken, it says so in a sentence', async () => {
  const holder = createServer().listen(3000, '127.0.0.1');
  // Whoever has it already does as well.
  await Promise.race([once(holder, 'listening'), once(holder, 'error')]).catch(() => undefined);
  const run = join(__dirname, '../../examples/run.ts');
  const example = await startedServer(runTypescript(run, ['minimal'], { stdio: ['ignore', 'pipe', 'pipe'] }));
  expect(await example.ended).toBe(1);
  expect(example.printed()).toBe(
    'minimal: http://127.0.0.1:3000\n' +
      'Port 3000 is already in use. Stop the process that uses it, such as `npm start`, and try again.\n',
  );
  if (holder.listening) await once(holder.close(), 'close');
});
