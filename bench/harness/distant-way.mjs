import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout } from 'node:timers';

/** A way to a database on which what is sent to it takes so many milliseconds more. */
export async function distantWay(url, distance) {
  const { hostname, port } = new URL(url);
  const sockets = new Set();
  const server = createServer((near) => {
    const far = connect({ host: hostname, port }).setNoDelay();
    near.setNoDelay().on('data', (chunk) => setTimeout(() => far.write(chunk), distance));
    far.pipe(near);
    const end = () => [near, far].forEach((socket) => sockets.delete(socket) && socket.destroy());
    for (const socket of [near, far]) sockets.add(socket.on('error', end).on('close', end));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  through.host = `127.0.0.1:${server.address().port}`;
  return {
    url: through.href,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
