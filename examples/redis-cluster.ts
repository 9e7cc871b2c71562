/** Notes in a Redis Cluster: REDIS_NODES lists some of its nodes, such as `redis://10.0.0.1,redis://10.0.0.2`. */
import express from 'express';
import { Cluster } from 'ioredis';
import { jsonPatch, mergePatch, methodNotAllowed, patchOptions, resource } from 'patch-options';
import { RedisStore } from 'patch-options/redis';

interface Note {
  readonly title: string;
}

export const cluster = new Cluster((process.env.REDIS_NODES ?? 'redis://127.0.0.1').split(','), {
  // RedisStore refuses clients that resend a write after a broken connection: it may have been carried out already.
  retryDelayOnFailover: 0,
  redisOptions: { autoResendUnfulfilledCommands: false },
});
cluster.on('error', ({ message }: Error) => {
  console.error(message);
});

// Each note is one hash on one node, written by one script there, so notes spread over the nodes without {hash tags}.
// While the cluster is unreachable, requests wait up to commandTimeout.
const notes = new RedisStore<Note>(cluster, { prefix: 'notes:', commandTimeout: 2_000 });

const app = express();
app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
const note = resource(notes, [jsonPatch(), mergePatch()], {
  key: 'id',
  create: () => ({ title: '' }),
});
app.route('/notes/:id').get(note.get).patch(note.patch).delete(note.delete);
app.use(methodNotAllowed());

app.listen(3000, '127.0.0.1');
