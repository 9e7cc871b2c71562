import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { runExample, type RunningExample } from './running-example';

const source = readFileSync(join(__dirname, '../../examples/sub-apps.ts'), 'utf8');
/** What the example says of itself: `// OPTIONS /orders/7   Allow: GET, HEAD, OPTIONS, POST` */
const said = [...source.matchAll(/^\/\/ OPTIONS (\S+) +Allow: (.+)$/gm)].map(([, path = '', allow = '']) => ({
  path,
  allow,
}));

let example: RunningExample<unknown>;
beforeAll(async () => {
  example = await runExample(() => import('../../examples/sub-apps'));
});
afterAll(() => example.close());

test.each(said)('OPTIONS $path says Allow: $allow, and so does 405', async ({ path, allow }) => {
  await supertest(example.address).options(path).expect(200).expect('Allow', allow);
  await supertest(example.address).patch(path).expect(405).expect('Allow', allow);
});

test('every method that is named is answered, by whichever app has it', async () => {
  const api = supertest(example.address);
  await api.get('/orders/7').expect(200, { method: 'GET', path: '/orders/7' });
  await api.post('/orders/7').expect(200, { method: 'POST', path: '/orders/7' });
  await api.delete('/orders/7/items/2').expect(200);
  await api.get('/reports/2026').expect(200).expect('X-Audited', 'yes');
  await api.get('/files/sub-apps.ts').expect(200);
});

test('where nothing is: 404', async () => {
  await supertest(example.address).options('/customers').expect(404);
  await supertest(example.address).delete('/customers').expect(404);
});
