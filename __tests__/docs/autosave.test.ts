/** docs/client.md: a form that saves while the person types is not in conflict with itself, and loses nothing of others. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import express from 'express';
import { change, jsonPatch, MemoryStore, resource } from '../../lib';
import { resourceClient } from '../../lib/client';
import { blocksOf } from '../support/doc-blocks';
import { PageModules } from '../support/page-modules';
import { listen } from '../support/serving';

interface Note {
  title: string;
  body: string;
}

const page = readFileSync(join(__dirname, '../../docs/client.md'), 'utf8');
const section = page.split('\n### Saving while the person types\n')[1]?.split('\n### ')[0] ?? '';
const [code = ''] = blocksOf(section, 'ts');

const notes = new MemoryStore<Note>();
let server: Server;
let base: string;
beforeAll(async () => {
  const note = resource(notes, [jsonPatch()], { key: 'id' });
  const app = express();
  app.route('/notes/:id').get(note.get).patch(note.patch);
  server = createServer(app);
  base = `http://127.0.0.1:${await listen(server)}`;
});
beforeEach(async () => {
  await notes.delete('1');
  await notes.replace('1', null, { title: '', body: '' });
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const openForm = async (fetch = globalThis.fetch) => {
  const api = resourceClient<Note>(base, { fetch });
  const autosaves: ((mine: Note) => Promise<void>)[] = [];
  const text = new Map([['form', `${code}\nautosaves.push(autosave);`]]);
  await new PageModules(text, () => undefined, { api, autosaves }).run('form');
  const [autosave] = autosaves;
  if (autosave === undefined) throw new Error('The page has no autosave.');
  return autosave;
};

test('every letter is saved, and a change of somebody else stays', async () => {
  const autosave = await openForm();
  const typed = 'Buy milk'.split('').map((_, i, all) => all.slice(0, i + 1).join(''));
  const saves = typed.map((title) => autosave({ title, body: '' }));
  await change(notes, '1', (note) => void (note.body = 'by somebody else'));
  await Promise.all(saves);
  expect((await notes.get('1'))?.value).toEqual({ title: 'Buy milk', body: 'by somebody else' });
});

test('what a failed save has not sent, the next one does', async () => {
  let calls = 0;
  const autosave = await openForm((...request) => {
    calls++;
    return calls === 2 ? Promise.reject(new TypeError('The network is down.')) : fetch(...request);
  });
  const first = autosave({ title: 'a', body: '' });
  const second = autosave({ title: 'a', body: 'b' });
  await Promise.allSettled([first, second]);
  expect((await notes.get('1'))?.value).toEqual({ title: 'a', body: 'b' });
});
