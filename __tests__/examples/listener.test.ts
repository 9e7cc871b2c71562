import supertest from 'supertest';
import { runExample, type RunningExample } from './running-example';

let example: RunningExample<unknown>;
beforeAll(async () => {
  example = await runExample(() => import('../../examples/listener'));
});
afterAll(() => example.close());

const origin = { Origin: 'https://app.example' };

test('OPTIONS and preflights do not reach Express; all else does, and a page can read it', async () => {
  const api = supertest(example.address);
  const asked = await api
    .options('/counters/visits')
    .expect(200)
    .expect('Allow', 'GET, HEAD, OPTIONS, PATCH');
  expect(asked.headers).not.toHaveProperty('x-reached');
  const read = await api.get('/counters/visits').set(origin).expect(200, { count: 0 });
  expect(read.headers).toMatchObject({
    'x-reached': 'Express',
    'access-control-allow-origin': 'https://app.example',
  });
  await api.delete('/counters/visits').expect(405).expect('Allow', 'GET, HEAD, OPTIONS, PATCH');
  await api.options('/nowhere').expect(404).expect('X-Reached', 'Express');
});

test('beside a load of preflights every PATCH is made, once', async () => {
  const url = `${example.address}/counters/visits`;
  const preflight = { method: 'OPTIONS', headers: { ...origin, 'Access-Control-Request-Method': 'PATCH' } };
  const count = async () => ((await (await fetch(url)).json()) as { count: number }).count;

  /** Read, count up, and again where somebody else has counted in between. */
  const countUp = async (): Promise<number> => {
    for (let tries = 1; ; tries++) {
      const read = await fetch(url, { headers: origin });
      const { count } = (await read.json()) as { count: number };
      const patch = await fetch(url, {
        method: 'PATCH',
        headers: {
          ...origin,
          'Content-Type': 'application/json-patch+json',
          'If-Match': read.headers.get('ETag') ?? '',
        },
        body: JSON.stringify([{ op: 'replace', path: '/count', value: count + 1 }]),
      });
      if (patch.status === 204) return tries;
      expect(patch.status).toBe(412);
    }
  };
  const load = Array.from({ length: 200 }, async () => {
    const { status, headers } = await fetch(url, preflight);
    return `${status} ${headers.get('Access-Control-Allow-Methods')}`;
  });
  const before = await count();
  await Promise.all(Array.from({ length: 4 }, countUp));
  expect(await count()).toBe(before + 4);
  expect(new Set(await Promise.all(load))).toEqual(new Set(['200 GET, HEAD, OPTIONS, PATCH']));
});
