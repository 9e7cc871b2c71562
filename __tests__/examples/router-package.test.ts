import supertest from 'supertest';
import { runExample, type RunningExample } from './running-example';

let example: RunningExample<unknown>;
beforeAll(async () => {
  example = await runExample(() => import('../../examples/router-package'));
});
afterAll(() => example.close());

test('OPTIONS, a preflight and 405 name the methods of the routes', async () => {
  const api = supertest(example.address);
  await api
    .options('/notes/1')
    .expect(200)
    .expect('Allow', 'GET, HEAD, OPTIONS, PATCH')
    .expect('Accept-Patch', 'application/json-patch+json');
  await api
    .options('/notes/1')
    .set({ Origin: 'https://app.example', 'Access-Control-Request-Method': 'PATCH' })
    .expect(200)
    .expect('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS, PATCH');
  await api.delete('/notes/1').expect(405).expect('Allow', 'GET, HEAD, OPTIONS, PATCH');
});

test('GET, PATCH under its tag, and 412 for the old one', async () => {
  const api = supertest(example.address);
  const note = await api.get('/notes/1').expect(200, { title: 'Buy milk' });
  const patch = (title: string) =>
    api
      .patch('/notes/1')
      .set({ 'If-Match': note.get('ETag') ?? '', 'Content-Type': 'application/json-patch+json' })
      .send(JSON.stringify([{ op: 'replace', path: '/title', value: title }]));
  await patch('Buy oat milk').expect(204);
  await patch('Buy wine').expect(412);
  await api.get('/notes/1').expect({ title: 'Buy oat milk' });
});

test('what is not there: 404 by the handler, by PATCH, and by no route at all', async () => {
  const api = supertest(example.address);
  const missing = await api.get('/notes/2').expect(404);
  expect(missing.body).toMatchObject({ code: 'no-such-note' });
  await api.patch('/notes/2').type('application/json-patch+json').send('[]').expect(404);
  await api.get('/nowhere').expect(404);
  await api.options('/nowhere').expect(404);
  await api.get('/notes/%').expect(500);
});
