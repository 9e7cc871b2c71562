/** The block of docs/security.md about CASL, run as it stands there. */
import * as casl from '@casl/ability';
import * as extra from '@casl/ability/extra';
import express from 'express';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import request from 'supertest';
import ts from 'typescript';
import * as patchOptions from '../../lib';
import { blocksOf } from '../support/doc-blocks';

const page = readFileSync(join(__dirname, '../../docs/security.md'), 'utf8');

async function notesApp() {
  const app = express();
  const notes = new patchOptions.MemoryStore();
  await notes.replace('1', null, { title: 'a', tags: ['home'] });
  const code = blocksOf(page, 'ts').find((block) => block.includes('@casl/ability')) ?? '';
  const { outputText } = ts.transpileModule(code.replace(/^import .*$/gm, ''), {
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  });
  const around = { ...casl, ...extra, ...patchOptions, app, notes };
  Reflect.apply(compileFunction(outputText, Object.keys(around)), undefined, Object.values(around));
  return { app, notes };
}

const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const before = { title: 'a', tags: ['home'] };

test.each([
  {
    user: 'reader',
    type: mergePatch,
    body: { tags: ['x'] },
    status: 204,
    after: { title: 'a', tags: ['x'] },
  },
  { user: 'reader', type: mergePatch, body: { title: 'b' }, status: 403 },
  { user: 'reader', type: jsonPatch, body: [{ op: 'move', from: '/tags', path: '/title' }], status: 403 },
  {
    ...{ user: 'reader', type: jsonPatch, status: 403 },
    body: [{ op: 'replace', path: '', value: { title: 'b', tags: ['home'] } }],
  },
  { user: 'editor', type: mergePatch, body: { title: 'b' }, status: 204, after: { ...before, title: 'b' } },
  { user: 'editor', type: mergePatch, body: { owner: 'me' }, status: 403 },
])('docs/security.md: $user sends $body: $status', async ({ user, type, body, status, after = before }) => {
  const { app, notes } = await notesApp();
  const headers = { 'X-User': user, 'Content-Type': type };
  await request(app).patch('/notes/1').set(headers).send(JSON.stringify(body)).expect(status);
  expect((await notes.get('1'))?.value).toEqual(after);
});

test.each([
  { user: 'reader', status: 403 },
  { user: 'editor', status: 201 },
])('docs/security.md: $user creates a note: $status', async ({ user, status }) => {
  const { app } = await notesApp();
  await request(app).put('/notes/2').set('X-User', user).send(before).expect(status);
});
