import { once } from 'node:events';
import { connect } from 'node:net';
import { ownHost } from '../../../examples/notes/own-host';
import { serving } from '../../support/serving';

/** The status of a request whose head this is, by a socket of its own; PORT stands for the server's. */
async function statusOf(port: number, head: string): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `${head.replaceAll('PORT', String(port)).replaceAll('\n', '\r\n')}\r\nConnection: close\r\n\r\n`,
  );
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Number(Buffer.concat(chunks).toString().split(' ')[1]);
}

test.each<{ readonly title: string; readonly head: string; readonly status: number }>([
  { title: 'its address', head: 'GET / HTTP/1.1\nHost: 127.0.0.1:PORT', status: 200 },
  { title: 'its name', head: 'GET / HTTP/1.1\nHost: localhost:PORT', status: 200 },
  { title: 'its name in other letters', head: 'GET / HTTP/1.1\nHost: LocalHost:PORT', status: 200 },
  { title: 'OPTIONS of the server', head: 'OPTIONS * HTTP/1.1\nHost: localhost:PORT', status: 200 },
  {
    title: 'absolute form',
    head: 'GET http://localhost:PORT/a?b HTTP/1.1\nHost: localhost:PORT',
    status: 200,
  },
  {
    title: 'absolute form without a path',
    head: 'GET HTTP://127.0.0.1:PORT HTTP/1.1\nHost: 127.0.0.1:PORT',
    status: 200,
  },

  { title: 'another name', head: 'GET / HTTP/1.1\nHost: rebound.example:PORT', status: 421 },
  { title: 'another name, PATCH', head: 'PATCH / HTTP/1.1\nHost: rebound.example:PORT', status: 421 },
  { title: 'a name that begins alike', head: 'GET / HTTP/1.1\nHost: localhost.example:PORT', status: 421 },
  { title: 'a name that ends alike', head: 'GET / HTTP/1.1\nHost: evil.localhost:PORT', status: 421 },
  {
    title: 'its name with a user',
    head: 'GET / HTTP/1.1\nHost: localhost:PORT@rebound.example',
    status: 421,
  },
  { title: 'another port', head: 'GET / HTTP/1.1\nHost: localhost:1', status: 421 },
  { title: 'no port', head: 'GET / HTTP/1.1\nHost: localhost', status: 421 },
  { title: 'an empty Host', head: 'GET / HTTP/1.1\nHost:', status: 421 },
  { title: 'no Host, in HTTP/1.0', head: 'GET / HTTP/1.0\nAccept: */*', status: 421 },
  { title: 'no Host, in HTTP/1.1', head: 'GET / HTTP/1.1\nAccept: */*', status: 400 },
  {
    title: 'two Hosts',
    head: 'GET / HTTP/1.1\nHost: localhost:PORT\nHost: rebound.example:PORT',
    status: 421,
  },
  {
    title: 'absolute form of another name',
    head: 'GET http://rebound.example:PORT/ HTTP/1.1\nHost: localhost:PORT',
    status: 421,
  },
  {
    title: 'absolute form, and Host another name',
    head: 'GET http://localhost:PORT/ HTTP/1.1\nHost: rebound.example:PORT',
    status: 421,
  },
  {
    title: 'absolute form with a user',
    head: 'GET http://localhost:PORT@rebound.example/ HTTP/1.1\nHost: localhost:PORT',
    status: 421,
  },
  {
    title: 'absolute form of another scheme',
    head: 'GET https://localhost:PORT/ HTTP/1.1\nHost: localhost:PORT',
    status: 421,
  },
])('$title: $status', async ({ head, status }) => {
  const served: string[] = [];
  const listener = ownHost(['127.0.0.1', 'localhost'], ({ url = '' }, res) => {
    served.push(url);
    res.end();
  });
  await serving(listener, async (_server, port) => {
    expect(await statusOf(port, head)).toBe(status);
    expect(served).toHaveLength(status === 200 ? 1 : 0);
  });
});
