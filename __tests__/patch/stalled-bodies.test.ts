/** A hundred clients that keep the last byte of the body hold next to nothing, whatever is stored. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import express from 'express';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import { patchHandler } from '../../lib/patch/patch-handler';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { serving } from '../support/serving';
import { finish, stalledAt } from './stalled-client';

const clients = 100;

test('before the body is there, the store is not read', async () => {
  const store = new MemoryStore();
  await store.replace('1', null, { text: 'x'.repeat(1_000) });
  const get = jest.spyOn(store, 'get');
  const app = express();
  app.patch('/notes/:id', patchHandler(store, [mergePatch()], { key: (req) => req.params.id }));
  await serving(app, async (server, port) => {
    const allStalled = new Promise<void>((resolve) => {
      let stalled = 0;
      server.on('request', (req) => {
        req.once('data', () => {
          if (++stalled === clients) resolve();
        });
      });
    });
    const sockets = Array.from({ length: clients }, () => stalledAt(port));
    await allStalled;
    await new Promise((resolve) => setImmediate(resolve));
    expect(get).not.toHaveBeenCalled();

    const [first] = sockets;
    finish(first);
    const [answer] = (await once(first as Socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 204 /);
    expect(get).toHaveBeenCalledTimes(1);
    for (const socket of sockets) socket.destroy();
  });
});
