import supertest from 'supertest';
import { runExample, type RunningExample } from './running-example';

let example: RunningExample<unknown>;
let warn: jest.SpyInstance;
beforeAll(async () => {
  warn = jest.spyOn(console, 'warn').mockImplementation();
  example = await runExample(() => import('../../examples/only-cors'));
});
afterAll(() => example.close());

const preflight = (path: string, origin: string, method: string) =>
  supertest(example.address).options(path).set({ Origin: origin, 'Access-Control-Request-Method': method });

test.each([
  { path: '/products', origin: 'https://shop.example', methods: 'GET, HEAD, OPTIONS' },
  { path: '/products/1', origin: 'https://eu.partner.example', methods: 'GET, HEAD, OPTIONS, PUT' },
  { path: '/products/1', origin: 'http://localhost:5173', methods: 'GET, HEAD, OPTIONS, PUT' },
])('a preflight for $path from $origin is told $methods', async ({ path, origin, methods }) => {
  await preflight(path, origin, 'PUT')
    .expect(200)
    .expect('Access-Control-Allow-Origin', origin)
    .expect('Access-Control-Allow-Methods', methods)
    .expect('Access-Control-Allow-Headers', 'Content-Type, X-Request-Id');
});

test.each(['https://partner.example', 'https://shop.example.evil.example', 'null'])(
  'an origin that is not allowed, %s, is refused and reported',
  async (origin) => {
    const { headers } = await preflight('/products', origin, 'GET').expect(403);
    expect(headers).not.toHaveProperty('access-control-allow-methods');
    expect(warn).toHaveBeenLastCalledWith(`cors-origin-not-allowed: ${origin}`);
  },
);

test('the account has its own policy, with credentials and for one origin', async () => {
  await preflight('/account', 'https://shop.example', 'GET')
    .expect(200)
    .expect('Access-Control-Allow-Credentials', 'true');
  await preflight('/account', 'https://eu.partner.example', 'GET').expect(403);
  await supertest(example.address)
    .get('/account')
    .set({ Origin: 'https://shop.example', Cookie: 'session=1' })
    .expect(200, { signedIn: true })
    .expect('Access-Control-Allow-Credentials', 'true');
});

test('a page reads the total, and a 404; another origin is answered without a word of CORS', async () => {
  const api = supertest(example.address);
  await api
    .get('/products')
    .set('Origin', 'https://shop.example')
    .expect('X-Total-Count', '1')
    .expect('Access-Control-Expose-Headers', 'X-Total-Count');
  await api
    .get('/nowhere')
    .set('Origin', 'https://shop.example')
    .expect(404)
    .expect('Access-Control-Allow-Origin', 'https://shop.example');
  const { headers } = await api.get('/products').set('Origin', 'https://other.example').expect(200);
  expect(headers).not.toHaveProperty('access-control-allow-origin');
  expect(headers).toHaveProperty('vary', 'Origin');
});
