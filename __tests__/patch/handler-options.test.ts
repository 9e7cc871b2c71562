import supertest from 'supertest';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import { patchHandler } from '../../lib/patch/patch-handler';
import type { PatchedEvent, PatchHandlerOptions } from '../../lib/patch/handler-options';
import type { PatchRefusal } from '../../lib/patch/create-handler';
import type { PatchLimits } from '../../lib/patch/formats/patch-parser';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { frameworks, type ExpressModule } from '../support/frameworks';
import { mistakesOf } from '../support/mistakes-of';
import { serving } from '../support/serving';

interface Thing {
  title: string;
}

async function appWith(express: ExpressModule, options: PatchHandlerOptions<Thing>) {
  const store = new MemoryStore<Thing>();
  await store.replace('/things/7', null, { title: 'old' });
  const app = express();
  app.patch('/things/:id', patchHandler(store, [mergePatch()], options));
  return { app, store };
}

function patch(
  server: Parameters<typeof supertest>[0],
  body = '{"title":"new"}',
  type = 'application/merge-patch+json',
) {
  return supertest(server).patch('/things/7').type(type).send(body);
}

describe.each(frameworks)('After the commit (%s)', (_name, express) => {
  test('onPatched is told what was, what is, and by which patch', async () => {
    const events: PatchedEvent<Thing>[] = [];
    const { app } = await appWith(express, { onPatched: (event) => events.push(event) });
    await serving(app, (server) => patch(server).expect(204));
    expect(events).toMatchObject([
      {
        key: '/things/7',
        before: { value: { title: 'old' } },
        after: { value: { title: 'new' } },
        patch: { mediaType: 'application/merge-patch+json', document: Buffer.from('{"title":"new"}') },
        req: { originalUrl: '/things/7' },
      },
    ]);
  });

  test('onPatched is not told of refusals', async () => {
    const events: unknown[] = [];
    const { app } = await appWith(express, { onPatched: (event) => events.push(event) });
    await serving(app, (server) => patch(server, 'no JSON').expect(400));
    expect(events).toEqual([]);
  });

  test.each([
    {
      how: 'throws',
      onPatched: () => {
        throw new Error('audit is down');
      },
    },
    { how: 'rejects', onPatched: () => Promise.reject(new Error('audit is down')) },
  ])(
    'onPatched that $how changes neither the answer nor the value, and warns once a handler',
    async ({ onPatched }) => {
      const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
      const { app, store } = await appWith(express, { onPatched, key: ({ path }) => path });
      await serving(app, async (server) => {
        await patch(server).expect(204);
        await patch(server).expect(204);
      });
      expect((await store.get('/things/7'))?.value).toEqual({ title: 'new' });
      expect(warn.mock.calls).toEqual([
        [expect.stringContaining('failed with Error'), { code: 'PATCH_OPTIONS_ON_PATCHED' }],
      ]);
      warn.mockRestore();
    },
  );

  test.each<{ readonly what: string; readonly limits: Partial<PatchLimits> }>([
    {
      what: 'a class instance',
      limits: new (class {
        get bytes() {
          return 5;
        }
      })(),
    },
    { what: 'made from others', limits: Object.create({ bytes: 5 }) as object },
  ])('limits that are $what count', async ({ limits }) => {
    const { app } = await appWith(express, { limits });
    await serving(app, (server) => patch(server).expect(413));
  });

  test('onPatched that never ends does not hold the answer', async () => {
    const { app } = await appWith(express, { onPatched: () => new Promise(() => undefined) });
    await serving(app, (server) => patch(server).expect(204));
  });

  test('onRefused is told of each refusal, and its own error is ignored', async () => {
    const refusals: PatchRefusal[] = [];
    const onRefused = (refusal: PatchRefusal): void => {
      refusals.push(refusal);
      throw new Error('metrics are down');
    };
    const { app } = await appWith(express, { onRefused });
    await serving(app, async (server) => {
      await patch(server, '{}', 'text/plain').expect(415);
      await patch(server).set('If-Match', '"x"').expect(412);
      await patch(server).expect(204);
    });
    expect(refusals.map(({ code }) => code)).toEqual(['unsupported-media-type', 'precondition-failed']);
  });

  test('the default key is the path, with what the router is mounted on', async () => {
    const store = new MemoryStore<Thing>();
    await store.replace('/api/things/a%20b', null, { title: 'old' });
    const router = express.Router();
    router.patch('/things/:id', patchHandler(store, [mergePatch()]));
    const app = express().use('/api', router);
    await serving(app, async (server) => {
      await supertest(server)
        .patch('/api/things/a%20b?x=1')
        .type('application/merge-patch+json')
        .send('{"title":"new"}')
        .expect(204)
        .expect('Content-Location', '/api/things/a%20b');
    });
    expect((await store.get('/api/things/a%20b'))?.value).toEqual({ title: 'new' });
  });

  test('a path that looks like another host’s is written so that it leads back here, RFC 3986 4.2', async () => {
    const store = new MemoryStore<Thing>();
    await store.replace('7', null, { title: 'old' });
    const app = express();
    app.patch(/./, patchHandler(store, [mergePatch()], { key: () => '7' }));
    await serving(app, async (_server, port) => {
      const answer = await fetch(`http://127.0.0.1:${port}//evil.example/7`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/merge-patch+json' },
        body: '{}',
      });
      expect(answer.headers.get('content-location')).toBe('/.//evil.example/7');
    });
  });
});

test.each(['/**', '/a*', '/*a', '/~0*', '/a/b*c'])('%s names a member: the token is more than *', (name) => {
  const pointers = { readOnly: [name], hidden: [`${name}s`] };
  expect(() => patchHandler(new MemoryStore(), [mergePatch()], pointers)).not.toThrow();
});

describe('Mistakes in the options are told when the handler is made, all at once', () => {
  const fixesOf = (
    options: object,
    parsers: unknown = [mergePatch()],
    store: unknown = new MemoryStore(),
  ) => {
    const mistakes = mistakesOf(() => Reflect.apply(patchHandler, undefined, [store, parsers, options]));
    return mistakes.map(({ option, fix }) => `${option}: ${fix}`);
  };

  test.each([
    { options: { validator: () => [] }, expected: "validator: Did you mean 'validate'?" },
    {
      options: { validate: 5 },
      expected: 'validate: Pass a schema of zod, valibot or arktype, or (next, current, req) => ….',
    },
    {
      options: { writable: '/title' },
      expected:
        "writable: Write an array of JSON Pointers, such as ['/title'], or a function (req, current) => … that returns such an array or 'all'.",
    },
    { options: { precondition: true }, expected: "precondition: Write 'optional' or 'required'." },
    { options: { respond: 'full' }, expected: "respond: Write 'minimal' or 'representation'." },
    { options: { readOnly: ['id'] }, expected: "readOnly[0]: Write it as in RFC 6901, such as '/id'." },
    { options: { readOnly: [5] }, expected: "readOnly[0]: Write it as in RFC 6901, such as '/id'." },
    {
      options: { readOnly: [''], writeOnly: ['/password'] },
      expected: 'writeOnly[0]: Remove it from writeOnly or from readOnly.',
    },
    {
      options: { readOnly: ['/items/*/price'] },
      expected: "readOnly[0]: Write '/items' for everything in it.",
    },
    {
      options: { writable: ['/*'] },
      expected: 'writable[0]: Name each member.',
    },
    {
      options: { hidden: ['/pin', '/a~1b/*'] },
      expected: "hidden[1]: Write '/a~1b' for everything in it.",
    },
    { options: { readOnly: '/id' }, expected: "readOnly: Write an array of JSON Pointers, such as ['/id']." },
    { options: { limits: { byte: 1 } }, expected: "limits.byte: Did you mean 'bytes'?" },
    { options: { limits: { bytes: undefined } }, expected: 'limits.bytes: Write a whole number, 0 or more.' },
    {
      options: Object.create({ limits: { bytes: '1mb' } }) as object,
      expected: 'limits.bytes: Write a whole number, 0 or more.',
    },
    { options: { limits: { bytes: '1mb' } }, expected: 'limits.bytes: Write a whole number, 0 or more.' },
    {
      options: { limits: { depth: 5_000 } },
      expected:
        'limits.depth: Write a whole number from 0 to 1000: JSON.stringify runs out of stack at a few thousand levels.',
    },
    {
      options: { limits: 5 },
      expected: 'limits: The options are bytes, operations, depth, result.',
    },
    {
      options: { limits: [] },
      expected: 'limits: The options are bytes, operations, depth, result.',
    },
    { options: { limits: { bytes: -1 } }, expected: 'limits.bytes: Write a whole number, 0 or more.' },
    {
      options: { create: false },
      expected: 'create: Write true, or (req) => … that returns the initial value.',
    },
    {
      options: { key: ':id' },
      expected:
        "key: Write 'id' for req.params.id, ['org', 'id'] for both, or (req) => … that returns the key.",
    },
    {
      options: { key: ['org', 'notes/:id'] },
      expected:
        "key: Write 'id' for req.params.id, ['org', 'id'] for both, or (req) => … that returns the key.",
    },
    {
      options: { errors: 'throw' },
      expected:
        "errors: Write 'answer', 'next', or (problem, req) => ({ success: false, error: problem.detail }).",
    },
    { options: { idempotency: true }, expected: "idempotency: Write 'optional' or 'required'." },
    {
      options: { idempotency: 'optional', scope: 'me' },
      expected: 'scope: Write (req) => req.user.id.',
    },
    {
      options: { scope: () => 'me' },
      expected: "scope: Add idempotency: 'optional' or 'required', or leave it out.",
    },
    {
      options: { idempotencyLimits: {} },
      expected: "idempotencyLimits: Add idempotency: 'optional' or 'required', or leave it out.",
    },
    {
      options: { idempotency: 'optional', idempotencyLimits: 5 },
      expected: 'idempotencyLimits: The options are keep, total, maxAge.',
    },
    {
      options: { idempotency: 'optional', idempotencyLimits: { kept: 5 } },
      expected: "idempotencyLimits.kept: Did you mean 'keep'?",
    },
    {
      options: { idempotency: 'optional', idempotencyLimits: { keep: 0 } },
      expected: 'idempotencyLimits.keep: Write a whole number, 1 or more.',
    },
    {
      options: { idempotency: 'optional', idempotencyLimits: { total: 0, keep: 0.5 } },
      expected: [
        'idempotencyLimits.keep: Write a whole number, 1 or more.',
        'idempotencyLimits.total: Write a whole number, 1 or more.',
      ],
    },
    {
      options: { idempotency: 'optional', idempotencyLimits: { total: 0.5 } },
      expected: 'idempotencyLimits.total: Write a whole number, 1 or more.',
    },
    {
      options: { idempotency: 'optional', idempotencyLimits: { keep: 5, total: 4 } },
      expected:
        'idempotencyLimits.total: Raise total, which covers all scopes, or lower keep, which covers one.',
    },
    {
      options: { idempotency: 'optional', idempotencyLimits: { total: 49 } },
      expected:
        'idempotencyLimits.total: Raise total, which covers all scopes, or lower keep, which covers one.',
    },
    {
      options: { idempotency: 'required', idempotencyLimits: { maxAge: 31_536_001 } },
      expected: 'idempotencyLimits.maxAge: Write a whole number of seconds from 1 to 31536000 (one year).',
    },
  ])('$expected', ({ options, expected }) => {
    expect(fixesOf(options)).toEqual([expected].flat());
  });

  test('idempotency over a store that keeps no outcomes', () => {
    const store = { get: () => Promise.resolve(undefined), replace: () => Promise.resolve(undefined) };
    const fix =
      'idempotency: Use a store of this package (rowStore with its option outcomes), or implement OutcomeStore in your own.';
    expect(fixesOf({ idempotency: 'optional' }, undefined, store)).toEqual([fix]);
    expect(fixesOf({}, undefined, store)).toEqual([]);
    expect(fixesOf({ idempotency: 'optional' }, undefined, { ...store, keepsOutcomes: true })).toEqual([]);
  });

  test('several', () => {
    const named = fixesOf({ key: 1, errors: 2 }, [], {}).map((fix) => fix.replace(/:.*/, ''));
    expect(named).toEqual(['parsers', 'store', 'key', 'errors']);
  });

  test('the message reads as sentences', () => {
    expect(() => patchHandler(new MemoryStore(), [mergePatch()], { limits: { bytes: 1.5 } })).toThrow(
      'patchHandler() received invalid options:\n  limits.bytes: 1.5 is not a valid value. Write a whole number, 0 or more. [option-value]',
    );
  });
});
