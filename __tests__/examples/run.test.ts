/** What `npm run example <name>` runs. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { runTypescript } from '../support/run-typescript';
import { listen } from '../support/serving';
import { freePort, startedServer } from './example-server';

const run = (parameters: readonly string[], env: Record<string, string> = {}) =>
  startedServer(
    runTypescript(join(__dirname, '../../examples/run.ts'), parameters, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );

test('it listens on PORT, and then prints its address', async () => {
  const port = await freePort();
  const example = await run(['minimal'], { PORT: String(port) });
  expect(example.address).toBe(`http://127.0.0.1:${port}`);
  const answer = await fetch(`${example.address}/notes/1`, { method: 'OPTIONS' });
  expect(answer.headers.get('Allow')).toBe('GET, HEAD, OPTIONS, PATCH');
  example.process.kill();
  await example.ended;
});

test('a port that is taken: it says so in a sentence', async () => {
  const holder = createServer();
  const port = await listen(holder);
  const example = await run(['minimal'], { PORT: String(port) });
  expect(await example.ended).toBe(1);
  expect(example.printed()).toBe(
    `Port ${port} is already in use. Stop the process that uses it, ` +
      `or choose another port: PORT=${port + 1} npm run example minimal\n`,
  );
  await once(holder.close(), 'close');
});

test.each([
  { parameters: [], says: /^Name an example: existing-app, listener, minimal, [^\n]+\n$/ },
  { parameters: ['minimum'], says: /^There is no example minimum: existing-app, [^\n]+\n$/ },
])('$parameters: the names', async ({ parameters, says }) => {
  const example = await run(parameters);
  expect(await example.ended).toBe(1);
  expect(example.printed()).toMatch(says);
});
