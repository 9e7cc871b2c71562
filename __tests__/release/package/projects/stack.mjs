/** Shows the stack of an error that an app's own function throws: `node stack.mjs`. */
import { request } from 'node:http';
import express from 'express';
import { MemoryStore, mergePatch, patchHandler } from 'patch-options';

function checkNote() {
  throw new Error('a fault');
}

const app = express();
app.patch('/', patchHandler(new MemoryStore(), [mergePatch()], { create: true, validate: checkNote }));
app.use((error, _req, _res, next) => {
  console.log(error.stack);
  next();
});
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  const sent = request({ host: '127.0.0.1', port, method: 'PATCH', headers, agent: false }).end('{}');
  sent.once('response', () => server.close());
});
