/** What is answered is what is stored: over stores that change what they are given, as rows with defaults and triggers do. */
import express from 'express';
import request from 'supertest';
import { entityTag } from '../../lib/http/entity-tag';
import { isJsonObject } from '../../lib/json/value';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import { patchHandler } from '../../lib/patch/patch-handler';
import { resource } from '../../lib/patch/resource/resource';
import type { ResourceStore, Stored, WriteContext } from '../../lib/stores/contract/resource-store';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { times } from '../support/deep-scale';
import { fc } from '../support/properties';
import { serving } from '../support/serving';

/** What an engine may make of a value that is written. */
const changes: Readonly<Record<string, (value: Record<string, unknown>, write: number) => unknown>> = {
  'adds the time of the write': (value, write) => ({ ...value, updated_at: write }),
  'leaves out what is no column': ({ a, b }) => ({ ...(a !== undefined && { a }), b: b ?? null }),
  'rounds numbers': (value) =>
    Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        typeof member === 'number' ? Math.round(member) : member,
      ]),
    ),
  'orders members': (value) => Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? 1 : -1))),
  'keeps it as it is': (value) => value,
};

class ChangingStore implements ResourceStore {
  readonly #engine = new MemoryStore();
  #writes = 0;

  constructor(private readonly change: (value: Record<string, unknown>, write: number) => unknown) {}

  get(key: string) {
    return this.#engine.get(key);
  }

  replace(key: string, expected: string | null, next: unknown, context?: WriteContext) {
    const value = isJsonObject(next) ? this.change(next, (this.#writes += 1)) : next;
    return this.#engine.replace(key, expected, value, context);
  }
}

const value = fc.oneof(fc.constantFrom(null, 0, 1.5, 2.25, 'x', true), fc.array(fc.nat(3), { maxLength: 2 }));
const patch = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value, { maxKeys: 3 });

describe.each(Object.entries(changes).map(([title, change]) => ({ title, change })))(
  'a store that $title',
  ({ change }) => {
    test('a body under an entity tag is byte for byte the body of GET under that tag', async () => {
      const property = fc.asyncProperty(fc.array(patch, { minLength: 1, maxLength: 4 }), async (patches) => {
        const store = new ChangingStore(change);
        const app = express();
        app.get('/:id', async (req, res) => {
          const stored = await store.get(req.params.id);
          if (stored !== undefined) res.set('ETag', entityTag(stored)).json(stored.value);
        });
        app.patch('/:id', patchHandler(store, [mergePatch()], { key: (req) => req.params.id, create: true }));
        await serving(app, async (server) => {
          for (const document of patches) {
            const patched = await request(server)
              .patch('/1')
              .set({ 'Content-Type': 'application/merge-patch+json', Prefer: 'return=representation' })
              .send(JSON.stringify(document));
            const read = await request(server).get('/1');
            expect([patched.get('ETag'), patched.text]).toEqual([read.get('ETag'), read.text]);
          }
        });
      });
      await fc.assert(property, { numRuns: times(4, 1_000) });
    });
  },
);

/** As of a document that another request changed before it was read again. */
class ForgettingStore extends MemoryStore {
  override async replace(...args: Parameters<MemoryStore['replace']>): ReturnType<MemoryStore['replace']> {
    const written = await super.replace(...args);
    if (written === undefined || 'current' in written) return written;
    return {
      get value(): unknown {
        throw new Error('The value is no longer known.');
      },
      version: written.version,
    };
  }
}

test.each([
  { method: 'patch', type: 'application/merge-patch+json', hasTag: true },
  // A PUT has a tag only if the value was stored as it was sent, which nobody knows.
  { method: 'put', type: 'application/json', hasTag: false },
] as const)(
  'a state whose value the store no longer knows has no body: $method',
  async ({ method, type, hasTag }) => {
    const warnings = jest.spyOn(process, 'emitWarning').mockReturnValue();
    const store = new ForgettingStore();
    await store.replace('a', null, { title: 'a' });
    const note = resource(store, [mergePatch()], { key: 'id' });
    const app = express().patch('/:id', note.patch).put('/:id', note.put);
    const sending = request(app)[method]('/a');
    const answer = await sending.set('Prefer', 'return=representation').type(type).send('{"title":"b"}');
    expect([answer.status, answer.text, 'etag' in answer.headers]).toEqual([204, '', hasTag]);
    expect(answer.headers).not.toHaveProperty('preference-applied');
    expect((await store.get('a'))?.value).toEqual({ title: 'b' });
    expect(warnings).not.toHaveBeenCalled();
    warnings.mockRestore();
  },
);

test('such a state has no ETag if entityTag reads the value, and entityTag is not blamed for that', async () => {
  const warnings = jest.spyOn(process, 'emitWarning').mockReturnValue();
  const store = new ForgettingStore();
  await store.replace('a', null, { title: 'a' });
  const note = resource(store, [mergePatch({ json: true })], {
    key: 'id',
    entityTag: ({ value }: Stored<unknown>) => `"${JSON.stringify(value).length}"`,
  });
  const answer = await request(express().patch('/:id', note.patch)).patch('/a').send({ title: 'b' });
  expect([answer.status, answer.headers['etag']]).toEqual([204, undefined]);
  expect(warnings).not.toHaveBeenCalled();
  warnings.mockRestore();
});

describe('RFC 9110 8.7: Content-Location names the URL of the request, as long as the resource is there', () => {
  // The app finds the key of an article by its slug, as `findBySlug` in a middleware would.
  const articles = { one: { slug: 'milk', title: 'Milk', place: 'shop' } };

  test.each([
    { change: { title: 'Bread' }, path: '/articles/milk', location: '/articles/milk' },
    { change: { slug: 'milk' }, path: '/articles/milk?x=1', location: '/articles/milk' },
    { change: { slug: 'bread' }, path: '/articles/milk', location: undefined },
    { change: { slug: null }, path: '/articles/milk', location: undefined },
    // The parameter has the name of the member, but another value.
    { change: { place: 'home' }, path: '/places/here/articles/milk', location: '/places/here/articles/milk' },
    { change: { place: 'home' }, path: '/places/shop/articles/milk', location: undefined },
  ])('$path, $change: $location', async ({ change, path, location }) => {
    const store = new MemoryStore(articles);
    const handler = patchHandler(store, [mergePatch()], { key: () => 'one' });
    const app = express();
    app.patch(['/articles/:slug', '/places/:place/articles/:slug'], handler);
    for (const prefer of ['return=minimal', 'return=representation']) {
      await store.replace('one', (await store.get('one'))?.version ?? '', articles.one);
      const response = await request(app)
        .patch(path)
        .set('Prefer', prefer)
        .type('application/merge-patch+json')
        .send(JSON.stringify(change));
      expect(response.status).toBe(prefer === 'return=minimal' ? 204 : 200);
      expect(response.headers['content-location']).toBe(location);
    }
  });
});
