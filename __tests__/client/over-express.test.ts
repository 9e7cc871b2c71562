/** The client and the server of this package, over real connections. */
import type { ErrorRequestHandler, Express } from 'express';
import {
  entityTag,
  jsonPatch,
  MemoryStore,
  mergePatch,
  patchHandler,
  type PatchHandlerOptions,
  patchOptions,
  resource,
} from '../../lib';
import { resourceClient, ResponseError, type ResourceClientOptions } from '../../lib/client';
import { frameworks } from '../support/frameworks';
import { serving } from '../support/serving';

interface Note {
  title: string;
  tags: string[];
  secret?: string;
}

describe.each(frameworks)('over %s', (_name, express) => {
  let store: MemoryStore<Note>;
  /** Of each request: the method, what it is on condition of, and its status. */
  let lines: string[];

  beforeEach(async () => {
    lines = [];
    store = new MemoryStore<Note>();
    await store.replace('1', null, { title: 'a', tags: ['x'] });
  });

  function appWith(options: PatchHandlerOptions<Note>): Express {
    const app = express();
    app.use((req, res, next) => {
      res.once('finish', () => {
        const condition = req.headers['if-match'] ?? req.headers['if-none-match'];
        lines.push(`${req.method} ${condition === undefined ? '' : 'if '}${res.statusCode}`);
      });
      next();
    });
    app.use(patchOptions());
    // It is Express that makes 304 of it, where the client's fetch does not forbid that.
    app.get('/notes/:id', async (req, res) => {
      const note = await store.get(req.params.id);
      if (note === undefined) res.sendStatus(404);
      else res.set('ETag', entityTag(note)).json(note.value);
    });
    const key = (req: { params: Record<string, string | undefined> }) => req.params['id'];
    app.patch('/notes/:id', patchHandler(store, [jsonPatch()], { key, ...options }));
    return app;
  }

  const withClient = (
    use: (client: ReturnType<typeof resourceClient<Note>>) => Promise<void>,
    options: PatchHandlerOptions<Note> = {},
    ofClient: ResourceClientOptions<Note> = {},
  ) =>
    serving(appWith(options), (_server, port) =>
      use(resourceClient<Note>(`http://127.0.0.1:${port}`, ofClient)),
    );

  test('reads once, is told 304 after, and changes without reading', () =>
    withClient(async (client) => {
      const first = await client.get('/notes/1');
      expect(await client.get('/notes/1')).toBe(first);
      const { value, etag, attempts } = await client.change('/notes/1', ({ tags }) => {
        tags.push('y');
      });
      expect({ value, attempts }).toEqual({ value: { title: 'a', tags: ['x', 'y'] }, attempts: 1 });
      const stored = await store.get('1');
      expect(etag).toBe(stored && entityTag(stored));
      expect(lines).toEqual(['GET 200', 'GET if 304', 'PATCH if 200']);
    }));

  test("conflict: 'representation' spares the second GET", () =>
    withClient(
      async (client) => {
        await client.get('/notes/1');
        const { version } = (await store.get('1')) ?? { version: '' };
        await store.replace('1', version, { title: 'theirs', tags: ['x'] });
        const { value } = await client.change('/notes/1', ({ tags }) => void tags.push('y'));
        expect(value).toEqual({ title: 'theirs', tags: ['x', 'y'] });
        expect(lines).toEqual(['GET 200', 'PATCH if 412', 'PATCH if 200']);
      },
      { conflict: 'representation' },
    ));

  test('changes what somebody else has changed meanwhile', () =>
    withClient(async (client) => {
      await client.get('/notes/1');
      const { version } = (await store.get('1')) ?? { version: '' };
      await store.replace('1', version, { title: 'theirs', tags: [] });
      const { value } = await client.change('/notes/1', ({ tags }) => {
        tags.push('mine');
      });
      expect(value).toEqual({ title: 'theirs', tags: ['mine'] });
      expect(lines).toEqual(['GET 200', 'PATCH if 412', 'GET if 200', 'PATCH if 200']);
    }));

  test('changes of one client at once: each is made', () =>
    withClient(async (client) => {
      await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          client.change('/notes/1', ({ tags }) => {
            tags.push(String(i));
          }),
        ),
      );
      const tags = (await store.get('1'))?.value.tags;
      expect(tags?.toSorted()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'x']);
    }));

  test('what the server makes of it is what the value then is', () =>
    withClient(
      async (client) => {
        const { value, patch } = await client.change('/notes/1', (note) => {
          note.title = 'b';
        });
        expect(patch).toEqual([{ op: 'replace', path: '/title', value: 'b' }]);
        expect(value).toEqual({ title: 'B', tags: ['x'] });
      },
      {
        validate: {
          '~standard': {
            ...{ version: 1, vendor: 'test' },
            validate: (note) => {
              const { title, tags } = note as Note;
              return { value: { title: title.toUpperCase(), tags } };
            },
          },
        },
      },
    ));

  test('members that it is not shown stay: nothing above them is replaced', async () => {
    await store.replace('2', null, { title: 'a', tags: [], secret: 's' });
    await withClient(
      async (client) => {
        await client.save('/notes/2', { title: 'a', tags: [] }, { title: 'b', tags: ['y'] });
        expect((await store.get('2'))?.value).toEqual({ title: 'b', tags: ['y'], secret: 's' });
      },
      { hidden: ['/secret'] },
      {},
    );
  });

  test('refusals are told as the server tells them', () =>
    withClient(
      async (client) => {
        const error: unknown = await client
          .change('/notes/1', (note) => {
            note.title = '';
          })
          .catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(ResponseError);
        expect(error).toMatchObject({
          ...{ status: 422, code: 'invalid-result', uncertain: false },
          errors: { '/title': ['must not be empty'] },
        });
        const readOnly: unknown = await client
          .change('/notes/1', (note) => {
            note.tags = [];
          })
          .catch((thrown: unknown) => thrown);
        expect(readOnly).toMatchObject({ status: 422, code: 'read-only', pointer: '/tags' });
        const gone: unknown = await client.get('/notes/9').catch((thrown: unknown) => thrown);
        expect(gone).toMatchObject({ status: 404 });
      },
      {
        readOnly: ['/tags'],
        validate: ({ title }) => (title === '' ? [{ detail: 'must not be empty', pointer: '/title' }] : []),
      },
    ));

  test('a resource that asks for keys, and says so to a client that sends none', async () => {
    const options = { idempotency: 'required' } as const;
    const make = (client: ReturnType<typeof resourceClient<Note>>) =>
      client.change('/notes/1', (note) => {
        note.title = 'b';
      });
    await withClient(
      async (client) => {
        expect(await make(client)).toMatchObject({ attempts: 1 });
      },
      options,
      { idempotency: true },
    );
    await withClient(async (client) => {
      await expect(
        client.change('/notes/1', (note) => {
          note.title = 'c';
        }),
      ).rejects.toMatchObject({ code: 'idempotency-key-required' });
    }, options);
  });

  describe('the whole resource', () => {
    const withResource = (use: (client: ReturnType<typeof resourceClient<Note>>) => Promise<void>) => {
      const app = express();
      const create = () => ({ title: '', tags: [] });
      const note = resource(store, [jsonPatch()], {
        key: (req) => req.params['id'],
        idempotency: 'optional',
        create,
      });
      app.route('/notes/:id').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
      return serving(app, (_server, port) =>
        use(resourceClient<Note>(`http://127.0.0.1:${port}`, { idempotency: true })),
      );
    };
    const url = '/notes/2';

    test('is created, read, replaced, changed, saved and removed, each in the state that the one before has left', () =>
      withResource(async (client) => {
        const made = await client.put(url, { title: 'a', tags: [] }, { create: true });
        expect(made).toMatchObject({ value: { title: 'a', tags: [] }, created: true });
        const read = await client.get(url);
        expect(read.etag).toBe(made.etag);
        expect(await client.put(url, { title: 'b', tags: [] })).toMatchObject({
          ...{ value: { title: 'b', tags: [] }, created: false },
        });
        const { value } = await client.change(url, ({ tags }) => {
          tags.push('x');
        });
        expect(value).toEqual({ title: 'b', tags: ['x'] });
        const saved = await client.save(
          url,
          read.value,
          { title: 'mine', tags: ['y'] },
          {
            onConflict: ({ theirs }) => ({ ...theirs, title: 'both' }),
          },
        );
        expect(saved.value).toEqual({ title: 'both', tags: ['x'] });
        await client.remove(url);
        expect(await store.get('2')).toBeUndefined();
        await expect(client.get(url)).rejects.toMatchObject({ status: 404 });
      }));

    test('a state that is past is neither replaced nor removed, and nothing is created twice', () =>
      withResource(async (client) => {
        await client.put(url, { title: 'a', tags: [] }, { create: true });
        const { version } = (await store.get('2')) ?? { version: '' };
        await store.replace('2', version, { title: 'theirs', tags: [] });
        const refused = { status: 412, code: 'precondition-failed' };
        await expect(client.put(url, { title: 'b', tags: [] })).rejects.toMatchObject(refused);
        await expect(client.remove(url)).rejects.toMatchObject(refused);
        await expect(client.put(url, { title: 'b', tags: [] }, { create: true })).rejects.toMatchObject(
          refused,
        );
        expect((await store.get('2'))?.value.title).toBe('theirs');
        await client.remove(url, { etag: '*' });
        expect(await store.get('2')).toBeUndefined();
      }));
  });

  describe('a store that loses its connection', () => {
    const form: Note = { title: 'a', tags: ['x'] };
    const next: Note = { title: 'b', tags: ['x'] };
    const writes: Record<string, (client: ReturnType<typeof resourceClient<Note>>) => Promise<unknown>> = {
      change: (client) => client.change('/notes/1', () => next),
      save: (client) => client.save('/notes/1', form, next),
      put: (client) => client.put('/notes/1', next),
      remove: (client) => client.remove('/notes/1'),
    };
    const lost = new Error('The connection to the database was lost.');

    /** The first write of the store throws: before it, or once it has been committed. */
    function failFirst(when: 'before' | 'after') {
      const fail = (name: 'replace' | 'delete') => {
        const write = store[name].bind(store) as (...args: unknown[]) => Promise<unknown>;
        return jest.spyOn(store, name).mockImplementationOnce(async (...args: unknown[]): Promise<never> => {
          if (when === 'after') await write(...args);
          throw lost;
        });
      };
      return { replace: fail('replace'), delete: fail('delete') };
    }

    const rows = Object.keys(writes).flatMap((name) =>
      (['before', 'after'] as const).flatMap((when) =>
        [false, true].map((idempotency) => ({ name, when, idempotency })),
      ),
    );

    test.each(rows)('$name, $when the commit, idempotency: $idempotency', ({ name, when, idempotency }) => {
      const app = express();
      const note = resource(store, [jsonPatch()], {
        key: (req) => req.params['id'],
        idempotency: 'optional',
      });
      app.route('/notes/:id').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
      const answerJson: ErrorRequestHandler = (error, _req, res, next) => {
        if (res.headersSent) next(error);
        else res.status(500).json({ message: 'Something went wrong.' });
      };
      app.use(answerJson);
      return serving(app, async (_server, port) => {
        const client = resourceClient<Note>(`http://127.0.0.1:${port}`, { idempotency });
        await client.get('/notes/1');
        const calls = failFirst(when);
        const outcome = await writes[name]?.(client).catch((error: unknown) => error);
        const stored = (await store.get('1'))?.value;
        const isMade = name === 'remove' ? stored === undefined : stored?.title === 'b';
        if (idempotency && name !== 'remove') {
          // The repeat is made, or answered from the outcome of the first request.
          expect(outcome).toMatchObject({ value: next });
          expect(isMade).toBe(true);
          expect(calls.replace).toHaveBeenCalledTimes(when === 'before' ? 2 : 1);
        } else {
          expect(outcome).toMatchObject({ status: 500, uncertain: true });
          expect(isMade).toBe(when === 'after');
        }
      });
    });
  });

  test('a store without room for an outcome: 503, as certain as any other', () =>
    withClient(
      async (client) => {
        const rename = (title: string) =>
          client.change('/notes/1', (note) => {
            note.title = title;
          });
        await rename('b');
        const error: unknown = await rename('c').catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ status: 503, code: 'outcomes-full', uncertain: true });
        expect((await store.get('1'))?.value.title).toBe('b');
      },
      { idempotency: 'optional', idempotencyLimits: { keep: 1, total: 1, maxAge: 3_600 } },
      { idempotency: true },
    ));

  test('a resource without jsonPatch() is reported as such', () => {
    const app = express();
    const { get, patch } = resource(store, [mergePatch()], { key: (req) => req.params['id'] });
    app.route('/notes/:id').get(get).patch(patch);
    return serving(app, async (_server, port) => {
      const client = resourceClient<Note>(`http://127.0.0.1:${port}`);
      const form = { title: 'a', tags: ['x'] };
      await expect(client.save('/notes/1', form, { ...form, title: 'b' })).rejects.toMatchObject({
        ...{ status: 415, code: 'unsupported-media-type' },
        message: expect.stringMatching(
          /accepts only application\/merge-patch\+json, but .* Add jsonPatch\(\) to the parsers/,
        ),
      });
    });
  });

  test('says what the resource offers', () =>
    withClient(async (client) => {
      expect(await client.options('/notes/1')).toEqual({
        allow: ['GET', 'HEAD', 'OPTIONS', 'PATCH'],
        acceptPatch: ['application/json-patch+json'],
      });
    }));
});
