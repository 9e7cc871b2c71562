import { connect, type Socket } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';

const megabyte = `{"text":"${'x'.repeat(1_000_000)}"}`;
const { BROTLI_OPERATION_FLUSH, BROTLI_PARAM_LGWIN } = constants;
const window = { [BROTLI_PARAM_LGWIN]: 24 };
/** All of it can be decoded before the last byte, an empty last block (RFC 7932 9.2). */
const brotli = Buffer.concat([
  brotliCompressSync(megabyte, { finishFlush: BROTLI_OPERATION_FLUSH, params: window }),
  Buffer.of(0b11),
]);

/** The body of a request, by its content coding: a small one, or a megabyte in some hundred bytes or fewer. */
export const bodies = {
  identity: Buffer.from('{"text":"new"}'),
  gzip: gzipSync(megabyte),
  'x-gzip': gzipSync(megabyte),
  deflate: deflateSync(megabyte),
  br: brotli,
} as const;

export type Coding = keyof typeof bodies;

/** A client that sends all of a body but its last byte. */
export function stalledAt(port: number, coding: Coding = 'identity'): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const head = 'PATCH /notes/1 HTTP/1.1\r\nHost: a\r\nContent-Type: application/merge-patch+json\r\n';
  const body = bodies[coding];
  socket.write(`${head}Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`);
  socket.write(body.subarray(0, -1));
  return socket;
}

/** Sends the last byte. */
export function finish(socket: Socket | undefined, coding: Coding): void {
  socket?.write(bodies[coding].subarray(-1));
}
