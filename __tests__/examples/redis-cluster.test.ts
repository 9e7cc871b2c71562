import { Redis, type Cluster } from 'ioredis';
import supertest from 'supertest';
import { describeRedis, sharedRedisCluster, type SharedEngine } from '../support/engines';
import { runExample, type RunningExample } from './running-example';

test('a cluster that cannot be reached: 500 in time, and its error is told by its message alone', async () => {
  const said = jest.spyOn(console, 'error').mockReturnValue();
  // Nothing listens there, and no test can be given that port.
  process.env['REDIS_NODES'] = 'redis://127.0.0.1:1';
  const unreached = await runExample(() => import('../../examples/redis-cluster'));
  await supertest(unreached.address).get('/notes/1').expect(500);
  expect(said).toHaveBeenCalledWith('Failed to refresh slots cache.');
  unreached.exported.cluster.disconnect();
  await unreached.close();
  said.mockRestore();
  jest.resetModules();
});

describeRedis('over three nodes', () => {
  let engine: SharedEngine;
  let example: RunningExample<{ cluster: Cluster }>;
  beforeAll(async () => {
    engine = await sharedRedisCluster();
    process.env['REDIS_NODES'] = engine.urls.join(',');
    example = await runExample(() => import('../../examples/redis-cluster'));
  });
  afterAll(async () => {
    delete process.env['REDIS_NODES'];
    await example.close();
    await example.exported.cluster.quit();
    await engine.close();
  });

  const patch = (id: string, title: string, fields: Record<string, string> = {}) =>
    supertest(example.address)
      .patch(`/notes/${id}`)
      .set({ 'Content-Type': 'application/merge-patch+json', ...fields })
      .send(JSON.stringify({ title }));

  test('the first request, at once after the start, is answered', async () => {
    await supertest(example.address).get('/notes/first').expect(404);
  });

  test('PATCH creates, changes under If-Match, and refuses the tag that was', async () => {
    const api = supertest(example.address);
    const created = await patch('1', 'Buy milk').expect(201);
    const tag = { 'If-Match': created.get('ETag') ?? '' };
    await patch('1', 'Buy oat milk', tag).expect(204);
    await patch('1', 'Buy wine', tag).expect(412);
    await api.get('/notes/1').expect(200, { title: 'Buy oat milk' });
    await api.options('/notes/1').expect('Allow', 'DELETE, GET, HEAD, OPTIONS, PATCH');
    await api.delete('/notes/1').expect(204);
    await api.delete('/notes/1').expect(404);
  });

  test('the notes spread over the nodes', async () => {
    const ids = Array.from({ length: 30 }, (_, id) => `spread-${id}`);
    const answers = await Promise.all(ids.map((id) => patch(id, id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const held = await Promise.all(
      engine.urls.map(async (url) => {
        const node = new Redis(url);
        const keys = await node.keys('notes:spread-*');
        await node.quit();
        return keys.length;
      }),
    );
    expect(held.reduce((sum, keys) => sum + keys)).toBe(30);
    expect(Math.min(...held)).toBeGreaterThan(0);
  });
});
