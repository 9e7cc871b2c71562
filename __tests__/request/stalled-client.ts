import { connect, type Socket } from 'node:net';

/** A client that sends a head and one byte. */
export function stalledAt(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const head = 'PATCH /notes/1 HTTP/1.1\r\nHost: a\r\nContent-Type: application/merge-patch+json\r\n';
  socket.write(`${head}Content-Length: 14\r\n\r\n{`);
  return socket;
}
