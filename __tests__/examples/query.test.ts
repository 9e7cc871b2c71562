import { resourceClient } from '../../lib/client';
import { runExample, type RunningExample } from './running-example';

let example: RunningExample<unknown>;
beforeAll(async () => {
  example = await runExample(() => import('../../examples/query'));
});
afterAll(() => example.close());

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
