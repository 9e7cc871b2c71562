import { jsonPatch, mergePatch, patchHandler, patchOptions } from 'patch-options';
import { jsonPatchOf, mergePatchOf, ours, preflight, type WireApp } from './wire-app';

const keyed = (path: string, key: string, body: unknown = { title: 'Buy bread' }, headers = {}) =>
  mergePatchOf(path, body, { 'Idempotency-Key': key, ...headers });

const appended = (headers = {}) =>
  jsonPatchOf('/notes/1', [{ op: 'add', path: '/tags/-', value: 'new' }], {
    'Idempotency-Key': '"a"',
    ...headers,
  });

/** draft-ietf-httpapi-idempotency-key-header: a PATCH that is sent again. */
export const idempotency: WireApp = {
  stores: true,
  open: (express, store) => {
    const app = express().disable('x-powered-by').disable('etag');
    app.use(patchOptions({ cors: { origin: ours } }));
    const parsers = [jsonPatch(), mergePatch()];
    const common = { key: (req: { params: { id?: string } }) => req.params.id, create: true } as const;
    app.patch('/notes/:id', patchHandler(store, parsers, { ...common, idempotency: 'optional' }));
    app.patch('/required/:id', patchHandler(store, parsers, { ...common, idempotency: 'required' }));
    const full = { ...common, idempotency: 'optional', outcomes: { keep: 1, maxAge: 31_536_000 } } as const;
    app.patch('/full/:id', patchHandler(store, parsers, full));
    app.patch('/ignored/:id', patchHandler(store, parsers, common));
    app.get('/notes/:id', async (req, res) => {
      res.json((await store.get(req.params.id))?.value ?? null);
    });
    return app;
  },

  rows: {
    'a repeat: 204, carried out once': [appended(), appended(), { line: 'GET /notes/1' }],
    'a repeat of a page': [appended({ Origin: ours }), appended({ Origin: ours })],
    'a repeat with If-Match': [appended({ 'If-Match': '"tag 1"' }), appended({ 'If-Match': '"tag 1"' })],
    'a repeat: 200 with the same body': [
      appended({ Prefer: 'return=representation' }),
      appended({ Prefer: 'return=representation' }),
    ],
    'a repeat after another change: 200 becomes 204': [
      appended({ Prefer: 'return=representation' }),
      mergePatchOf('/notes/1'),
      appended({ Prefer: 'return=representation' }),
    ],
    'a repeat: return=minimal': [appended(), appended({ Prefer: 'return=minimal' })],
    'a repeat: 201': [keyed('/notes/2', '"a"'), keyed('/notes/2', '"a"')],
    'a repeat after another change': [appended(), mergePatchOf('/notes/1'), appended()],
    'another key: carried out again': [
      appended(),
      appended({ 'Idempotency-Key': '"b"' }),
      { line: 'GET /notes/1' },
    ],
    'the key of another resource': [keyed('/notes/1', '"a"'), keyed('/notes/2', '"a"')],
    'a refusal is not kept': [
      keyed('/notes/1', '"a"', {}, { 'If-Match': '"x"' }),
      keyed('/notes/1', '"a"', {}, { 'If-Match': '"tag 1"' }),
    ],
    '422: another document': [keyed('/notes/1', '"a"'), keyed('/notes/1', '"a"', { title: 'Buy wine' })],
    '422: another precondition': [
      keyed('/notes/1', '"a"'),
      keyed('/notes/1', '"a"', undefined, { 'If-Match': '*' }),
    ],
    '422: another target URI': [keyed('/notes/1', '"a"'), keyed('/notes/1?a=b', '"a"')],
    '400: required': mergePatchOf('/required/1', {}, { Origin: ours }),
    'required: 204': keyed('/required/1', '"8e03978e-40d5-43dd-bc93-6894a57f9324"'),
    '400: no quotes': keyed('/notes/1', 'a'),
    '400: empty': keyed('/notes/1', '""'),
    '503: full': [keyed('/full/1', '"a"'), keyed('/full/1', '"b"', {}, { Origin: ours })],
    'full: the repeat has its answer': [keyed('/full/1', '"a"'), keyed('/full/1', '"a"')],
    'ignored where the option is not set': [keyed('/ignored/1', 'a'), keyed('/ignored/1', 'a')],
    'a preflight': preflight('/notes/1', { 'Access-Control-Request-Headers': 'idempotency-key' }),
  },
};
