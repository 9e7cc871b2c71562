import type mongoose from 'mongoose';
import type { SharedEngine } from '../support/engines';
import { sharedMongodb } from '../support/mongodb';

/** Models over a database of its own, which `init` opens and `close` drops. */
export function connectModels({ createConnection }: Pick<typeof mongoose, 'createConnection'>) {
  const connection = createConnection();
  let engine: SharedEngine | undefined;
  return {
    model: connection.model.bind(connection) as typeof connection.model,
    connection: {
      /** SecantusDB hangs where two commands create one collection at once. */
      async init() {
        engine = await sharedMongodb();
        await connection.openUri(engine.urls[0]);
        for (const model of Object.values(connection.models)) {
          await model.createCollection();
          await model.init();
        }
        return connection;
      },
      async close() {
        await connection.close();
        await engine?.close();
      },
    },
  };
}
