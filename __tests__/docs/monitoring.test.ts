/** The subscribers of docs/monitoring.md, as they stand there. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import express from 'express';
import request from 'supertest';
import { corsPreflight, MemoryStore, mergePatch, resource, type VersionedState } from '../../lib';
import { blocksOf } from '../support/doc-blocks';
import { evaluate } from '../support/page-modules';

const page = readFileSync(join(__dirname, '../../docs/monitoring.md'), 'utf8');
const requireHere = createRequire(__filename);

/** Another process writes first, once. */
class Raced extends MemoryStore<unknown> {
  #others = 1;

  override async replace(...args: Parameters<MemoryStore<unknown>['replace']>) {
    const [key, version] = args;
    if (version === null || this.#others-- <= 0) return super.replace(...args);
    await super.replace(key, version, { title: 'theirs' });
    return undefined as VersionedState<unknown> | undefined;
  }
}

test('docs/monitoring.md: the outcomes are counted', async () => {
  const block = `${blocksOf(page, 'ts')[0] ?? ''}\nexport { counts };`;
  const { counts } = evaluate(block, {}, requireHere) as { counts: Map<string, number> };
  const notes = new Raced();
  await notes.replace('1', null, { title: 'a' });
  const note = resource(notes, [mergePatch()], { key: 'id' });
  const app = express().use(corsPreflight({ origin: 'https://app.example' }));
  app.route('/notes/:id').patch(note.patch).delete(note.delete);
  const patch = (key: string) =>
    request(app).patch(`/notes/${key}`).type('application/merge-patch+json').send({ title: 'mine' });
  await patch('1').expect(204);
  await patch('1').set('If-Match', '"x"').expect(412);
  await patch('2').expect(404);
  await request(app).delete('/notes/1').expect(204);
  const asking = { 'access-control-request-method': 'PATCH' };
  for (const origin of ['https://app.example', 'https://other.example']) {
    await request(app)
      .options('/notes/1')
      .set({ origin, ...asking });
  }
  notes.get = () => Promise.reject(new Error('down'));
  await patch('1').expect(500);
  expect(Object.fromEntries(counts)).toEqual({
    'PATCH changed': 1,
    'PATCH lost races': 1,
    'PATCH precondition-failed': 1,
    'PATCH target-not-found': 1,
    'PATCH error': 1,
    'DELETE deleted': 1,
    'preflight allowed': 1,
    'preflight cors-origin-not-allowed': 1,
  });
});
