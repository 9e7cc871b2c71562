/** A hundred clients that keep the last byte of the body hold next to nothing, whatever is stored. */
import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import express from 'express';
import { mergePatch } from '../../lib/formats/merge-patch';
import { patchHandler } from '../../lib/patch/patch-handler';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { serving } from '../support/serving';
import { bodies, finish, stalledAt, type Coding } from './stalled-client';

const clients = 100;

let decoders = 0;
const hook = createHook({
  init(_id, type) {
    if (type === 'ZLIB') decoders++;
  },
});
beforeAll(() => hook.enable());
afterAll(() => hook.disable());

test.each(Object.keys(bodies) as Coding[])(
  '%s: before the body is there, the store is not read, and nothing is decoded',
  async (coding) => {
    const store = new MemoryStore();
    await store.replace('1', null, { text: 'x'.repeat(1_000) });
    const get = jest.spyOn(store, 'get');
    const app = express();
    app.patch('/notes/:id', patchHandler(store, [mergePatch()], { key: (req) => req.params.id }));
    await serving(app, async (server, port) => {
      decoders = 0;
      const allStalled = new Promise<void>((resolve) => {
        let stalled = 0;
        server.on('request', (req) => {
          // The head and what follows it can arrive in two pieces.
          let bytes = 0;
          req.on('data', (piece: Buffer) => {
            bytes += piece.length;
            if (bytes === bodies[coding].length - 1 && ++stalled === clients) resolve();
          });
        });
      });
      const sockets = Array.from({ length: clients }, () => stalledAt(port, coding));
      await allStalled;
      await new Promise((resolve) => setImmediate(resolve));
      expect(get).not.toHaveBeenCalled();
      expect(decoders).toBe(0);

      const [first] = sockets;
      finish(first, coding);
      const [answer] = (await once(first as Socket, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 204 /);
      expect(get).toHaveBeenCalledTimes(1);
      expect(decoders).toBe(coding === 'identity' ? 0 : 1);
      for (const socket of sockets) socket.destroy();
    });
  },
);
