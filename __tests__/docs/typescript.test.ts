/** The first block of docs/typescript.md, run as it stands there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import type { Express } from 'express';
import request from 'supertest';
import * as patchOptions from '../../lib';
import { blocksOf } from '../support/doc-blocks';
import { evaluate } from '../support/page-modules';

const page = readFileSync(join(__dirname, '../../docs/typescript.md'), 'utf8');
const requireHere = createRequire(__filename);
const logged: string[] = [];

async function notesApp(): Promise<Express> {
  const block = `${blocksOf(page, 'ts')[0] ?? ''}\nexport { app, notes };`;
  const { app, notes } = evaluate(block, { console: { log: (text: string) => logged.push(text) } }, (name) =>
    name === 'patch-options' ? patchOptions : requireHere(name),
  ) as { app: Express; notes: patchOptions.MemoryStore };
  await notes.replace('1', null, { title: 'a', owner: 'ann' });
  return app;
}

test.each([
  { user: undefined, patch: { title: 'b' }, status: 401 },
  { user: 'bob', patch: { title: 'b' }, status: 403 },
  { user: 'ann', patch: { title: 'b' }, status: 204 },
  { user: 'ann', patch: { owner: 'bob' }, status: 403 },
  { user: 'root', patch: { owner: 'bob' }, status: 204 },
])('docs/typescript.md: $user sends $patch: $status', async ({ user, patch, status }) => {
  const sent = request(await notesApp())
    .patch('/notes/1')
    .type('application/merge-patch+json')
    .send(patch);
  await (user === undefined ? sent : sent.set('X-User', user)).expect(status);
  if (status === 204) expect(logged.at(-1)).toBe(`${user} has changed 1`);
});
