import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The answer to `OPTIONS *`, or for another target that no client for URLs can send. */
export async function optionsOfServer(listener: RequestListener, path = '*'): Promise<IncomingMessage> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const sent = request({ host: '127.0.0.1', port, method: 'OPTIONS', path }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response;
  } finally {
    server.close();
  }
}
