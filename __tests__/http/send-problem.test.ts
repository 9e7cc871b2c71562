import { connect as connectHttp2, constants, createServer as createHttp2Server } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { ProblemError } from '../../lib/http/problem';
import { sendProblem } from '../../lib/http/send-problem';
import { serving, listen } from '../support/serving';

const tooLarge = new ProblemError(413, 'limit-bytes', 'Send a smaller patch.', {
  headers: { 'X-Why': 'size' },
});
const document = {
  status: 413,
  title: 'Content Too Large',
  detail: 'Send a smaller patch.',
  code: 'limit-bytes',
};

/** Writes in pieces until it is told to stop, as a client that does not look at the answer before it has sent all. */
async function upload(socket: Socket, bytes: number): Promise<void> {
  const piece = Buffer.alloc(65_536, 'x');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (let sent = 0; sent < bytes && socket.writable; sent += piece.length) {
    if (!socket.write(piece))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  }
}

describe('RFC 9457: a refusal as a problem document', () => {
  test('status, fields and content', async () => {
    await serving(
      (_req, res) => {
        sendProblem(res, tooLarge);
      },
      async (_server, port) => {
        const answer = await fetch(`http://127.0.0.1:${port}/`);
        expect(answer.status).toBe(413);
        expect(answer.headers.get('content-type')).toBe('application/problem+json');
        expect(answer.headers.get('x-why')).toBe('size');
        expect(await answer.json()).toEqual(document);
      },
    );
  });

  test('HEAD gets the fields and no content', async () => {
    await serving(
      (_req, res) => {
        sendProblem(res, tooLarge);
      },
      async (_server, port) => {
        const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' });
        expect([answer.status, answer.headers.get('content-type')]).toEqual([
          413,
          'application/problem+json',
        ]);
        expect(await answer.text()).toBe('');
      },
    );
  });

  test.each([204, 205, 304])('%d has no content', async (status) => {
    await serving(
      (_req, res) => {
        sendProblem(res, new ProblemError(status, 'of-your-app', 'No news.', { headers: { ETag: '"1"' } }));
      },
      async (_server, port) => {
        const answer = await fetch(`http://127.0.0.1:${port}/`);
        expect([answer.status, answer.headers.get('etag'), answer.headers.get('content-type')]).toEqual([
          status,
          '"1"',
          null,
        ]);
        expect(await answer.text()).toBe('');
      },
    );
  });
});

describe('RFC 9112 9.6: the answer to a client that is still sending', () => {
  test.each(['close', 'keep-alive'])('reaches it, Connection: %s', async (connection) => {
    await serving(
      (_req, res) => {
        sendProblem(res, tooLarge);
      },
      async (_server, port) => {
        const socket = connect(port, '127.0.0.1');
        const bytes = 4_194_304;
        socket.write(
          `PATCH / HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\nContent-Length: ${bytes}\r\n\r\n`,
        );
        await upload(socket, bytes);
        socket.end();
        expect(await text(socket)).toContain('"code":"limit-bytes"');
      },
    );
  });

  test('reaches it, of unknown length', async () => {
    await serving(
      (_req, res) => {
        sendProblem(res, tooLarge);
      },
      async (_server, port) => {
        const socket = connect(port, '127.0.0.1');
        const bytes = 4_194_304;
        const head = 'PATCH / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
        socket.write(`${head}${bytes.toString(16)}\r\n`);
        await upload(socket, bytes);
        socket.end('\r\n0\r\n\r\n');
        expect(await text(socket)).toContain('"code":"limit-bytes"');
      },
    );
  });

  test('but no more than so much is read: the connection is given up', async () => {
    await serving(
      (_req, res) => {
        sendProblem(res, tooLarge);
      },
      async (_server, port) => {
        const socket = connect(port, '127.0.0.1');
        let closed = false;
        socket.on('error', () => undefined).on('close', () => (closed = true));
        socket.resume();
        socket.write('PATCH / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n');
        await upload(socket, 200_000_000);
        expect(closed).toBe(true);
      },
    );
  });

  test('over HTTP/2, of unknown length: reaches it, and what it sends is read to the end', async () => {
    const server = createHttp2Server((_req, res) => {
      sendProblem(res as never, tooLarge);
    });
    const session = connectHttp2(`http://127.0.0.1:${await listen(server)}`);
    try {
      const uploading = session.request({ ':method': 'PATCH' });
      const aborted = jest.fn();
      uploading.on('aborted', aborted).end(Buffer.alloc(4_194_304, 'x'));
      expect(await text(uploading)).toContain('"code":"limit-bytes"');
      expect(aborted).not.toHaveBeenCalled();
      expect(uploading.writableFinished).toBe(true);
    } finally {
      session.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test.each([
    { what: 'with its length', length: { 'content-length': '1000000000' } },
    { what: 'of unknown length', length: {} },
  ])('over HTTP/2, $what: given up alone, others are answered, RFC 9113 8.1', async ({ length }) => {
    const server = createHttp2Server((req, res) => {
      if (req.method === 'GET') res.end('others');
      else sendProblem(res as never, tooLarge);
    });
    const session = connectHttp2(`http://127.0.0.1:${await listen(server)}`);
    try {
      const uploading = session.request({ ':method': 'PATCH', ...length });
      const piece = Buffer.alloc(65_536, 'x');
      const send = (): void => {
        while (!uploading.destroyed && uploading.write(piece));
      };
      uploading.on('drain', send).on('error', () => undefined);
      let refused = '';
      uploading.setEncoding('utf8').on('data', (part) => (refused += String(part)));
      // Node's own client does not close a stream with content that it cannot send any more.
      const given = new Promise((resolve) => uploading.once('aborted', resolve));
      send();
      await given;
      expect(refused).toContain('"code":"limit-bytes"');
      expect(uploading.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
      expect(await text(session.request({ ':path': '/others' }))).toBe('others');
    } finally {
      session.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
