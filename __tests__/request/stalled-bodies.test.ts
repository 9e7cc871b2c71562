/** A hundred clients that send a head and one byte of the body hold next to nothing, whatever is stored. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import express from 'express';
import { mergePatch } from '../../lib/parsers/merge-patch';
import { patchHandler } from '../../lib/patch/patch-handler';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { serving } from '../support/serving';
import { stalledAt } from './stalled-client';

const clients = 100;

test('the store is not read before the body is there', async () => {
  const store = new MemoryStore();
  await store.replace('1', null, { text: 'x'.repeat(1_000) });
  const get = jest.spyOn(store, 'get');
  const app = express();
  app.patch('/notes/:id', patchHandler(store, [mergePatch()], { key: (req) => req.params.id }));
  await serving(app, async (server, port) => {
    let begun = 0;
    const all = new Promise<void>((resolve) => {
      server.on('request', () => {
        if (++begun === clients) resolve();
      });
    });
    const sockets = Array.from({ length: clients }, () => stalledAt(port));
    await all;
    await new Promise((resolve) => setImmediate(resolve));
    expect(get).not.toHaveBeenCalled();

    const [first] = sockets;
    first?.write('"text":"new"}');
    const [answer] = (await once(first as Socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 204 /);
    expect(get).toHaveBeenCalledTimes(1);
    for (const socket of sockets) socket.destroy();
  });
});
