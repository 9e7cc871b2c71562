import { connect, type Socket } from 'node:net';

const body = '{"text":"new"}';

/** A client that sends all of a body but its last byte. */
export function stalledAt(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const head = 'PATCH /notes/1 HTTP/1.1\r\nHost: a\r\nContent-Type: application/merge-patch+json\r\n';
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`);
  return socket;
}

/** Sends the last byte. */
export function finish(socket: Socket | undefined): void {
  socket?.write(body.slice(-1));
}
