import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import express from 'express';
import { entityTag } from '../../lib/http/entity-tag';
import { jsonPatch } from '../../lib/patch/formats/json-patch';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import { patchHandler } from '../../lib/patch/patch-handler';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { scaled } from '../support/deep-scale';
import { serving } from '../support/serving';

type Counters = Record<string, number>;

const clients = 64;
const resources = 50;
const patches = scaled(100_000);

/** One exchange; the content, where there is any, as JSON. */
function exchange(
  target: { port: number; agent: Agent; key: string },
  method: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<{ status: number; tag: string; content: unknown }> {
  return new Promise((resolve, reject) => {
    const { port, agent, key } = target;
    const sent = request(
      { host: '127.0.0.1', port, agent, method, path: `/counters/${key}`, headers },
      (answer) => {
        const { statusCode: status = 0, headers: fields } = answer;
        if (status === 204) {
          answer.resume();
          answer.once('end', () => {
            resolve({ status, tag: fields.etag ?? '', content: undefined });
          });
        } else {
          json(answer).then((content) => {
            resolve({ status, tag: fields.etag ?? '', content });
          }, reject);
        }
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

test(`${patches} patches of ${clients} clients on ${resources} resources: what is stored is what was acknowledged`, async () => {
  const store = new MemoryStore<Counters>();
  const keys = Array.from({ length: resources }, (_, index) => `r${index}`);
  for (const key of keys) await store.replace(key, null, { shared: 0 });
  const acknowledged = new Map<string, Counters>(keys.map((key) => [key, { shared: 0 }]));

  const app = express();
  app.get('/counters/:id', async (req, res) => {
    const stored = await store.get(req.params.id);
    if (stored === undefined) res.sendStatus(404);
    else res.set('ETag', entityTag(stored)).json(stored.value);
  });
  app.patch(
    '/counters/:id',
    patchHandler(store, [jsonPatch(), mergePatch()], { key: (req) => req.params.id }),
  );

  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  let left = patches;
  let refused = 0;
  await serving(app, async (_server, port) => {
    /** Sets a member of its own, without a precondition; every other time counts the shared one up, by If-Match. */
    async function client(name: string): Promise<void> {
      for (let turn = 1; left-- > 0; turn++) {
        const key = keys[Math.floor(Math.random() * keys.length)] ?? '';
        const target = { port, agent, key };
        const counters = acknowledged.get(key) ?? {};
        if (turn % 2 === 0) {
          const type = { 'Content-Type': 'application/merge-patch+json' };
          const { status } = await exchange(target, 'PATCH', type, JSON.stringify({ [name]: turn }));
          expect(status).toBe(204);
          counters[name] = turn;
        } else {
          const read = await exchange(target, 'GET');
          const shared = (read.content as Counters).shared ?? NaN;
          const type = { 'Content-Type': 'application/json-patch+json', 'If-Match': read.tag };
          const patch = [{ op: 'replace', path: '/shared', value: shared + 1 }];
          const { status } = await exchange(target, 'PATCH', type, JSON.stringify(patch));
          expect([204, 412]).toContain(status);
          if (status === 204) counters.shared = (counters.shared ?? NaN) + 1;
          else refused++;
        }
      }
    }
    await Promise.all(Array.from({ length: clients }, (_, index) => client(`client${index}`)));
  });
  agent.destroy();

  for (const key of keys) expect([key, (await store.get(key))?.value]).toEqual([key, acknowledged.get(key)]);
  console.log(`${patches} patches sent, ${refused} of them refused by 412, none lost`);
});
