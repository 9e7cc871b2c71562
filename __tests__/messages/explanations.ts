/** One question for each way in which a browser keeps a page from an answer, and the one in which it does not. */
import express from 'express';
import { corsPreflight, type CorsOptions, type CorsQuestion } from '../../lib';

const app = express();
app.patch('/notes/:id', () => undefined);
app.all('/anything', () => undefined);

const origin = 'https://app.example';
const ofCredentials: CorsOptions = { origin, credentials: true };
const rows: readonly (readonly [CorsOptions, Partial<CorsQuestion>])[] = [
  [{}, {}],
  [{}, { method: 'TRACE' }],
  [{ origin }, { origin: 'https://other.example' }],
  [{ origin }, { origin: 'https://other.example', method: 'GET' }],
  [{ origin }, { origin: `${origin}, ${origin}` }],
  [{ origin }, { origin: `https://${'a'.repeat(1_024)}` }],
  [{ origin }, { origin: 'ä' }],
  [{ origin: () => Promise.reject(new Error('out of order')) }, {}],
  [{ origin: () => new Promise(() => undefined), originTimeout: 1 }, {}],
  [{}, { credentials: true }],
  [{ origin }, { credentials: true }],
  [{}, { path: '/absent' }],
  [{}, { method: 'patch' }],
  [{}, { method: 'DELETE' }],
  [{}, { method: 'PURGE', path: '/anything' }],
  [{ methods: 'GET' }, {}],
  [{}, { headers: 'x-request-id' }],
  [{ allowedHeaders: '*' }, { headers: 'authorization' }],
  [ofCredentials, { headers: 'x-request-id', credentials: true }],
  [{ allowedHeaders: 'requested' }, { headers: 'x y' }],
  [{ allowedHeaders: 'requested' }, { headers: 'x'.repeat(5_000) }],
  [{}, { headers: Array.from({ length: 1_000 }, (_, i) => `x-${i}`).join(',') }],
];

export function explanations(): Promise<string[]> {
  return Promise.all(
    rows.map(async ([options, question]) => {
      const asked = { origin, method: 'PATCH', path: '/notes/1', root: app, ...question };
      const { code, step, reason } = await corsPreflight(options).explain(asked);
      return `${code}: ${reason}${step === undefined ? '' : ` (${step})`}`;
    }),
  );
}
