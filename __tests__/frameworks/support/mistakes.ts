/** Apps that lack a line of docs/frameworks.md. */
import { http, type HttpFunction } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import { createMcpExpressApp } from '@modelcontextprotocol/express';
import { createRequestHandler } from '@react-router/express';
import express, { type Express } from 'express';
import { onRequest } from 'firebase-functions/https';
import type { Server } from 'node:http';
import next from 'next';
import { join } from 'node:path';
import { methodNotAllowed, patchOptions } from 'patch-options';
import { createServer } from 'vite';
import { buildSite } from '../recipes/next';
import { build } from '../recipes/react-router';

const origin = 'https://app.example';

function withNote(app: Express): Express {
  app.patch('/notes/:id', (req, res) => void res.json({ id: req.params.id }));
  return app.use(methodNotAllowed());
}

/** Behind Next, which answers everything. */
export async function behindNext(port: number): Promise<Server> {
  const site = next(buildSite());
  const handle = site.getRequestHandler();
  await site.prepare();
  const app = express().use((req, res) => handle(req, res));
  return withNote(app.use(patchOptions({ cors: { origin } }))).listen(port);
}

/** With Vite's own cors in front. */
export async function withCorsOfVite(port: number): Promise<Server> {
  const root = join(__dirname, 'vite-app');
  const vite = await createServer({ root, appType: 'custom', server: { middlewareMode: true } });
  const cors = { origin: 'http://localhost:5173', credentials: true };
  const server = withNote(express().use(vite.middlewares).use(patchOptions({ cors }))).listen(port);
  return server.once('close', () => void vite.close());
}

/** React Router without unseen. */
export function withoutUnseen(port: number): Server {
  const app = express().use(patchOptions({ cors: { origin } }));
  return app.use(createRequestHandler({ build })).listen(port);
}

/** Firebase with its own cors. */
export function withCorsOfFirebase(port: number): Server {
  const app = withNote(express().use(patchOptions({ cors: { origin } })));
  http('api', onRequest({ cors: 'https://site.example' }, app) as HttpFunction);
  return getTestServer('api').listen(port);
}

/** An app for MCP without allowedOrigins. */
export function withoutAllowedOrigins(port: number): Server {
  return withNote(createMcpExpressApp().use(patchOptions({ cors: { origin } }))).listen(port);
}

/** A client of MCP sends the id of its session. */
export function withoutAllowedHeaders(port: number): Server {
  return withNote(express().use(patchOptions({ cors: { origin } }))).listen(port);
}

/** better-auth sends cookies. */
export const withoutCredentials = withoutAllowedHeaders;
