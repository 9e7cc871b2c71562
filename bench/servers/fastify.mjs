import cors from '@fastify/cors';
import fastify from 'fastify';
import { allowedHeaders, exposedHeaders, maxAge, methods, origin } from './cors-policy.mjs';

export async function recited({ groups }) {
  const app = fastify();
  await app.register(cors, { origin, methods, allowedHeaders, exposedHeaders, maxAge });
  for (let i = 0; i < groups; i++) {
    await app.register(addGroup, { prefix: `/group${i}` });
  }
  await app.ready();
  return app.server;
}

async function addGroup(app) {
  const note = async () => ({ title: 'A note' });
  app.get('/', note).post('/', note);
  app.get('/:id', note).put('/:id', note).patch('/:id', note).delete('/:id', note);
}
