import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Express } from 'express';
import supertest from 'supertest';
import { entityTag, jsonPatch, MemoryStore, resource } from 'patch-options';
import { blocksOf } from '../support/doc-blocks';

const page = readFileSync(join(__dirname, '../../docs/errors.md'), 'utf8');
const [block = ''] = blocksOf(page, 'js').filter((text) => text.includes('W\\/'));
const mend = new Function('app', block) as (app: Express) => void;

describe('docs/errors.md, entity tags behind a proxy', () => {
  const tag = entityTag({ version: '1' });

  test.each([
    { title: 'made weak', ifMatch: `W/${tag}`, behind: 412, mended: 204 },
    { title: 'made weak, beside another', ifMatch: `W/"W/x", W/${tag}`, behind: 412, mended: 204 },
    ...['-gzip', '-br', '-zstd', '--gzip'].map((coding) => ({
      title: `with ${coding} appended`,
      ifMatch: `${tag.slice(0, -1)}${coding}"`,
      ...{ behind: 412, mended: 204 },
    })),
    { title: 'with both', ifMatch: `"x", W/${tag.slice(0, -1)}-gzip"`, behind: 412, mended: 204 },
    {
      title: 'with something else appended',
      ifMatch: `${tag.slice(0, -1)}-admin"`,
      behind: 412,
      mended: 412,
    },
    { title: 'as it was sent', ifMatch: tag, behind: 204, mended: 204 },
    { title: 'of another state, made weak', ifMatch: 'W/"other"', behind: 412, mended: 412 },
    { title: 'whose text looks weak', ifMatch: '"W/"', behind: 412, mended: 412 },
  ])('a tag $title', async ({ ifMatch, behind, mended }) => {
    const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
    for (const [prepare, status] of [[() => undefined, behind] as const, [mend, mended] as const]) {
      const store = new MemoryStore();
      jest.spyOn(store, 'get').mockResolvedValue({ value: {}, version: '1' });
      jest.spyOn(store, 'replace').mockResolvedValue({ value: {}, version: '2' });
      const app = express();
      prepare(app);
      app.patch('/notes/:id', resource(store, [jsonPatch()], { key: 'id' }).patch);
      const sent = supertest(app)
        .patch('/notes/1')
        .type('application/json-patch+json')
        .set('If-Match', ifMatch);
      expect((await sent.send('[]')).status).toBe(status);
    }
    warn.mockRestore();
  });
});
