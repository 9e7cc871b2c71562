import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Runs an app on a free port of 127.0.0.1 for as long as it is used. */
export async function serving<R>(
  app: RequestListener,
  use: (server: Server, port: number) => Promise<R>,
): Promise<R> {
  const server = createServer(app);
  // Clients of a test that a busy machine holds up find their connections open yet.
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(server, portOf(server));
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (!isAddressInfo(address)) throw new Error('The server listens on no port');
  return address.port;
}

function isAddressInfo(address: ReturnType<Server['address']>): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
