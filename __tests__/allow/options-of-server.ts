import { once } from 'node:events';
import { request, type IncomingMessage, type RequestListener } from 'node:http';
import { serving } from '../support/serving';

/** The answer to `OPTIONS *`, or for another target that no client for URLs can send. */
export async function optionsOfServer(listener: RequestListener, path = '*'): Promise<IncomingMessage> {
  return serving(listener, async (_server, port) => {
    const sent = request({ host: '127.0.0.1', port, method: 'OPTIONS', path }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response;
  });
}
