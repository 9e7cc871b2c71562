import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo, type Server as AnyServer } from 'node:net';
import { text } from 'node:stream/consumers';

/** Runs an app on a free port of 127.0.0.1 for as long as it is used. */
export async function serving<R>(
  app: RequestListener,
  use: (server: Server, port: number) => Promise<R>,
): Promise<R> {
  const server = createServer(app);
  // Clients of a test that a busy machine holds up find their connections open yet.
  server.keepAliveTimeout = 120_000;
  try {
    return await use(server, await listen(server));
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Lets a server of any protocol listen. @returns its port, a free one of 127.0.0.1 */
export async function listen(server: AnyServer): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return portOf(server);
}

export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (!isAddressInfo(address)) throw new Error('The server listens on no port');
  return address.port;
}

function isAddressInfo(address: ReturnType<Server['address']>): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

/** What a server sends, to the byte, but for `Date`, before it closes the connection. */
export async function answerBytes(
  port: number,
  method: string,
  target: string,
  fields: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<string> {
  const lines = Object.entries({ host: 'a.example', connection: 'close', ...fields }).flatMap(
    ([name, value]) => [value].flat().map((line) => `${name}: ${line}\r\n`),
  );
  const socket = connect(port, '127.0.0.1');
  socket.end(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return (await text(socket)).replace(/^Date: .*\r\n/m, '');
}
