/** Many clients change one resource at once: each overtakes others, and none is left behind. */
import express from 'express';
import { setTimeout as delay } from 'node:timers/promises';
import { resourceClient } from '../../lib/client';
import { jsonPatch } from '../../lib/patch/formats/json-patch';
import { resource } from '../../lib/patch/resource/resource';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { times } from '../support/deep-scale';
import { serving } from '../support/serving';

test.each(['minimal', 'representation'] as const)(
  'clients that are fifty milliseconds away all succeed (conflict: %s)',
  async (conflict) => {
    const store = new MemoryStore<{ count: number }>();
    await store.replace('1', null, { count: 0 });
    const counter = resource(store, [jsonPatch()], { key: 'id', conflict });
    const app = express().get('/counters/:id', counter.get).patch('/counters/:id', counter.patch);
    const farAway = async (...args: Parameters<typeof fetch>) => {
      await delay(20 + Math.random() * 10);
      const response = await fetch(...args);
      await delay(20 + Math.random() * 10);
      return response;
    };
    await serving(app, async (_server, port) => {
      const writes = Array.from({ length: times(16, 40) }, async () => {
        const client = resourceClient<{ count: number }>(`http://127.0.0.1:${port}`, { fetch: farAway });
        return client.change('/counters/1', (draft) => {
          draft.count++;
        });
      });
      const counts = (await Promise.all(writes)).map(({ value }) => value.count);
      expect(counts.sort((one, other) => one - other)).toEqual(writes.map((_, i) => i + 1));
    });
  },
);
