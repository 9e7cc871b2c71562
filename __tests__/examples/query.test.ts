import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { resourceClient } from '../../lib/client';
import { runExample, type RunningExample } from './running-example';

const run = promisify(execFile);

let example: RunningExample<unknown>;
beforeAll(async () => {
  example = await runExample(() => import('../../examples/query'));
});
afterAll(() => example.close());

test('the exchange in docs/query.md is what curl prints', async () => {
  const page = readFileSync(join(__dirname, '../../docs/query.md'), 'utf8');
  const [, command = '', answer = ''] = /^```console\n\$ (.*)\n([^]*?)^```$/m.exec(page) ?? [];
  const { stdout } = await run('bash', ['-c', command.replace('http://127.0.0.1:3000', example.address)]);
  const printed = stdout
    .replaceAll('\r', '')
    .replace(/^(?:X-Powered-By|Date|Connection|Keep-Alive): .*\n/gm, '');
  expect(printed.trim()).toBe(answer.trim());
});

test('the client asks a query, and knows what the resource takes', async () => {
  const api = resourceClient(example.address);
  expect(await api.query('/notes', { tags: ['home'] })).toEqual([
    { id: '2', title: 'Buy nails', tags: ['shop', 'home'] },
  ]);
  expect(await api.query('/notes', { tags: ['shop'], limit: 1 })).toHaveLength(1);
  expect(await api.options('/notes')).toEqual({
    allow: ['OPTIONS', 'QUERY'],
    acceptPatch: [],
    acceptQuery: ['application/json'],
  });
});

test('what the schema refuses is a refusal with pointers', async () => {
  const api = resourceClient(example.address);
  await expect(api.query('/notes', { tags: ['home'], limit: 1_000 })).rejects.toMatchObject({
    status: 422,
    code: 'invalid-query',
  });
});
