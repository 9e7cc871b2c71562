import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { PatchRequest } from '../../lib/http/middleware';
import { ClientConnection, AnswerNotNeeded } from '../../lib/patch/client-connection';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { listen } from '../support/serving';

/** The response to a request whose client can leave. */
async function exchange(): Promise<{
  req: PatchRequest;
  res: ServerResponse;
  leave: () => Promise<void>;
  end: () => Promise<void>;
}> {
  const server = createServer();
  const socket = connect(await listen(server), '127.0.0.1').on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  const [req, res] = (await once(server, 'request')) as [PatchRequest, ServerResponse];
  const closed = once(res, 'close');
  const over = async (): Promise<void> => {
    await closed;
    socket.destroy();
    server.close();
  };
  return {
    req,
    res,
    leave: () => {
      socket.destroy();
      return over();
    },
    end: () => {
      res.end();
      return over();
    },
  };
}

describe('the client of one request', () => {
  test('has not gone while the answer is awaited, nor when it was sent', async () => {
    const { req, res, end } = await exchange();
    const client = new ClientConnection(req, res);
    const { signal } = client;
    client.assertAnswerNeeded();
    await end();
    expect(client.isGone).toBe(false);
    expect(signal.aborted).toBe(false);
  });

  test('has gone when the connection ended before the answer: its signal is aborted, also one that is made later', async () => {
    const { req, res, leave } = await exchange();
    const [early, late] = [new ClientConnection(req, res), new ClientConnection(req, res)];
    const { signal } = early;
    await leave();
    const reason = expect.any(AnswerNotNeeded);
    expect(signal).toMatchObject({ aborted: true, reason });
    expect(late.signal).toMatchObject({ aborted: true, reason });
    expect(() => {
      late.assertAnswerNeeded();
    }).toThrow(AnswerNotNeeded);
  });

  test('had gone before it was asked', async () => {
    const { req, res, leave } = await exchange();
    await leave();
    expect(new ClientConnection(req, res).isGone).toBe(true);
  });

  test('awaits nothing more when another middleware has answered', async () => {
    const { req, res, end } = await exchange();
    const client = new ClientConnection(req, res);
    await end();
    expect(() => {
      client.assertAnswerNeeded();
    }).toThrow('answered by another middleware');
  });
});

describe('the context that a store is given', () => {
  test('has one signal, also where it is handed on', async () => {
    const { req, res, leave } = await exchange();
    const client = new ClientConnection(req, res);
    const context = client.context({ maxBytes: 5 });
    const handedOn = { ...context };
    expect(Object.keys(handedOn).sort()).toEqual(['maxBytes', 'request', 'signal']);
    expect([handedOn.request === req, handedOn.signal === client.signal]).toEqual([true, true]);
    expect(context.signal).toBe(client.signal);
    await leave();
    expect(handedOn.signal.aborted).toBe(true);
  });

  test('a store that asks without a signal writes nothing for a client that has gone', async () => {
    const { req, res, leave } = await exchange();
    const context = new ClientConnection(req, res).context({});
    const store = new MemoryStore();
    const { version = '' } = (await store.replace('key', null, 1, context)) ?? {};
    await leave();
    await expect(store.replace('key', version, 2, context)).rejects.toThrow(AnswerNotNeeded);
    expect(await store.get('key')).toMatchObject({ value: 1, version });
  });
});
