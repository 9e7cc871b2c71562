import supertest from 'supertest';
import { runExample, type RunningExample } from './running-example';

let example: RunningExample<unknown>;
beforeAll(async () => {
  example = await runExample(() => import('../../examples/validation'));
});
afterAll(() => example.close());

async function newTask() {
  const api = supertest(example.address);
  const created = await api.post('/tasks').send({ title: ' Paint ', steps: [] }).expect(201);
  return { api, path: created.get('Location') ?? '', task: created.body as { id: string } };
}

test('POST stores what the schema returns, and refuses what it finds wrong', async () => {
  const { api, task } = await newTask();
  expect(task).toEqual({ id: task.id, title: 'Paint', done: false, steps: [] });
  await api.post('/tasks').send({ title: 'Paint' }).expect(422);
});

test('PATCH stores what the schema returns, trimmed', async () => {
  const { api, path, task } = await newTask();
  await api
    .patch(path)
    .type('application/merge-patch+json')
    .send('{"title":" Paint the door ","done":true,"due":"2026-05-01"}')
    .expect(200, { ...task, title: 'Paint the door', done: true, due: '2026-05-01' });
});

test.each([
  {
    what: 'a title that is only space',
    patch: '{"title":" "}',
    pointer: '/title',
    detail: 'A task has a title.',
  },
  { what: 'a member that is misspelt', patch: '{"stepz":[]}', pointer: '', detail: /stepz/ },
  {
    what: 'a member of a member',
    patch: '{"steps":[{"text":"Sand","minutes":-1}]}',
    pointer: '/steps/0/minutes',
    detail: /.+/,
  },
  {
    what: 'what two members say together',
    patch: '{"done":true}',
    pointer: '/due',
    detail: 'What is done was due.',
  },
  {
    what: 'what a schema cannot see: the change of an id',
    patch: '{"id":"x"}',
    pointer: '/id',
    detail: /.+/,
  },
])('PATCH is refused for $what', async ({ patch, pointer, detail }) => {
  const { api, path, task } = await newTask();
  const refused = await api.patch(path).type('application/merge-patch+json').send(patch).expect(422);
  const { errors, ...problem } = refused.body as { errors?: { pointer: string; detail: string }[] };
  expect(errors ?? [problem]).toEqual([
    expect.objectContaining({ pointer, detail: expect.stringMatching(detail) }),
  ]);
  const present = await api.patch(path).type('application/merge-patch+json').send('{}');
  expect(present.body).toEqual(task);
});
