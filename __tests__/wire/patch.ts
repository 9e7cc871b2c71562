import {
  type ResourceStore,
  jsonPatch,
  mergePatch,
  methodNotAllowed,
  patchHandler,
  patchOptions,
  type PatchHandlerOptions,
} from 'patch-options';
import { jsonPatchOf, mergePatchOf, ours, preflight, tellError, type WireApp } from './wire-app';

/** Each of a resource of this name. */
const options: Readonly<Record<string, PatchHandlerOptions<unknown>>> = {
  notes: {},
  created: { create: true },
  'created-in-vain': { create: () => Promise.resolve(undefined) },
  represented: { represent: () => ({ seen: true }), respond: 'representation' },
  validated: { validate: () => [{ detail: 'Too dull.', pointer: '/title' }, { detail: 'Too long.' }] },
  'read-only': { readOnly: ['/size/unit'] },
  forbidden: { authorize: () => false },
  limited: { limits: { bytes: 130, operations: 2, depth: 3, result: 200 } },
  'without-key': { key: () => undefined },
  'handed-on': { errors: 'next', readOnly: ['/title'] },
  faulty: { validate: () => Promise.reject(new Error('a fault')) },
};

const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });
const representation = { Prefer: 'return=representation' };

/** What a PATCH gets: applied, and refused for each reason but its preconditions. */
export const patch: WireApp = {
  stores: true,
  open: (express, store) => {
    const app = express().disable('x-powered-by').disable('etag');
    app.use(patchOptions({ cors: { origin: ours } }));
    const parsers = [jsonPatch(), mergePatch()];
    for (const [name, settings] of Object.entries(options)) {
      const handler = patchHandler(store, parsers, { key: (req) => req.params.id, ...settings });
      app.patch(`/${name}/:id`, handler);
    }
    const parsed = patchHandler(store, [mergePatch({ mediaType: 'application/json' })], {
      key: (req) => req.params.id,
    });
    app.patch('/parsed/:id', express.json(), parsed);
    let writes = 0;
    const loser: ResourceStore = {
      get: async (key) => {
        const stored = await store.get(key);
        return stored && { ...stored, version: String(writes++) };
      },
      replace: () => Promise.resolve(undefined),
    };
    app.patch('/lost/:id', patchHandler(loser, parsers, { key: (req) => req.params.id }));
    app.get('/notes/:id', async (req, res) => {
      res.json((await store.get(req.params.id))?.value ?? null);
    });
    app.use(methodNotAllowed(), tellError);
    return app;
  },

  rows: {
    '204': [mergePatchOf('/notes/1'), { line: 'GET /notes/1' }],
    '204: JSON Patch': [jsonPatchOf('/notes/1', [replace('/title', 'Buy bread')]), { line: 'GET /notes/1' }],
    '204: of a page': mergePatchOf('/notes/1', {}, { Origin: ours }),
    '204: nothing changes': [mergePatchOf('/notes/1', {}), jsonPatchOf('/notes/1', [])],
    '204: a query, and percent-encoding': mergePatchOf('/notes/%31?a=b'),
    '204: a charset': mergePatchOf(
      '/notes/1',
      {},
      { 'Content-Type': 'Application/Merge-Patch+JSON;charset="UTF-8"' },
    ),
    '204: return=minimal': mergePatchOf('/notes/1', {}, { Prefer: 'return=minimal' }),
    '204: a preference that is not known': mergePatchOf('/notes/1', {}, { Prefer: 'respond-async' }),
    '204: a body that the app has parsed': mergePatchOf(
      '/parsed/1',
      {},
      { 'Content-Type': 'application/json' },
    ),
    '200: return=representation': mergePatchOf('/notes/1', { tags: null }, representation),
    '200: what represent makes': mergePatchOf('/represented/1'),
    '204: return=minimal goes before respond': mergePatchOf(
      '/represented/1',
      {},
      { Prefer: 'return=minimal' },
    ),
    '201': [mergePatchOf('/created/2'), { line: 'GET /notes/2' }],
    '201: with the representation': mergePatchOf('/created/2', { title: 'New' }, representation),
    '204: where it exists': mergePatchOf('/created/1'),

    '400: no JSON': mergePatchOf('/notes/1', '{"title":'),
    '400: empty': mergePatchOf('/notes/1', ''),
    '400: not UTF-8': mergePatchOf('/notes/1', Buffer.from([0x22, 0xff, 0x22])),
    '400: a member twice': mergePatchOf('/notes/1', '{"a":1,"a":2}'),
    '400: JSON Patch that is no array': jsonPatchOf('/notes/1', {}),
    '400: an operation that is not known': jsonPatchOf('/notes/1', [{ op: 'increase', path: '/size' }]),
    '400: no JSON Pointer': jsonPatchOf('/notes/1', [replace('title', 'x')]),
    '400: no value': jsonPatchOf('/notes/1', [{ op: 'add', path: '/x' }]),
    '403': mergePatchOf('/forbidden/1', {}, { Origin: ours }),
    '404': mergePatchOf('/notes/2', {}, { Origin: ours }),
    '404: created in vain': mergePatchOf('/created-in-vain/2'),
    '404: no key': mergePatchOf('/without-key/1'),
    '404: a key that no store holds': mergePatchOf('/notes/%00'),
    '405': { line: 'PUT /notes/1' },
    '409: a path that is not there': jsonPatchOf('/notes/1', [
      replace('/title', 'x'),
      replace('/size/height', 1),
    ]),
    '409: an index out of range': jsonPatchOf('/notes/1', [replace('/tags/2', 'x')]),
    '409: a test': jsonPatchOf('/notes/1', [{ op: 'test', path: '/title', value: 'Buy wine' }]),
    '409: a race that is lost': mergePatchOf('/lost/1'),
    '413: bytes': mergePatchOf('/limited/1', { title: 'x'.repeat(130) }),
    '413: bytes, of a page': mergePatchOf('/limited/1', { title: 'x'.repeat(130) }, { Origin: ours }),
    '413: operations': jsonPatchOf('/limited/1', Array(3).fill({ op: 'remove', path: '/x' })),
    '413: depth': mergePatchOf('/limited/1', { a: { b: { c: {} } } }),
    '413: copies': jsonPatchOf('/limited/1', [
      { op: 'copy', from: '', path: '/a' },
      { op: 'copy', from: '', path: '/b' },
    ]),
    '415: no media type': { line: 'PATCH /notes/1', body: '{}' },
    '415: another media type': mergePatchOf('/notes/1', {}, { 'Content-Type': 'application/json' }),
    '415: of a page': mergePatchOf('/notes/1', {}, { 'Content-Type': 'text/plain', Origin: ours }),
    '415: another charset': mergePatchOf(
      '/notes/1',
      {},
      {
        'Content-Type': 'application/merge-patch+json; charset=latin1',
      },
    ),
    '415: a content coding': mergePatchOf('/notes/1', {}, { 'Content-Encoding': 'gzip' }),
    '422: validate': mergePatchOf('/validated/1', {}, { Origin: ours }),
    '422: read-only': mergePatchOf('/read-only/1', { size: 'large' }),
    '500: a fault of the app': mergePatchOf('/faulty/1', {}, { Origin: ours }),
    'errors: next': mergePatchOf('/handed-on/1', { title: 'x' }, { Origin: ours }),

    'a preflight': preflight('/notes/1'),
    OPTIONS: { line: 'OPTIONS /notes/1' },
    'OPTIONS of one media type': { line: 'OPTIONS /parsed/1', headers: { Origin: ours } },
  },
};
