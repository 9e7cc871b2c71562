import { once } from 'node:events';
import { Server } from 'node:http';
import { portOf } from '../support/serving';

/** An example that listens. */
export interface RunningExample<M> {
  readonly address: string;
  /** What it exports. */
  readonly exported: M;
  close(): Promise<void>;
}

/**
 * Runs an example just as it stands, but on a free port of 127.0.0.1 in place of the one that it names.
 *
 * @param load - imports it
 */
export async function runExample<M>(load: () => Promise<M>): Promise<RunningExample<M>> {
  let start: (server: Server) => void;
  const starting = new Promise<Server>((resolve) => (start = resolve));
  const listen = jest.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    start(this);
    return this;
  });
  const exported = await load();
  const server = await starting;
  listen.mockRestore();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    address: `http://127.0.0.1:${portOf(server)}`,
    exported,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
