import { entityTag, jsonPatch, mergePatch, patchHandler, type PatchHandlerOptions } from 'patch-options';
import type { WireRequest } from './exchange';
import { mergePatchOf, type WireApp } from './wire-app';

/** Each of a resource of this name. */
const options: Readonly<Record<string, PatchHandlerOptions<unknown>>> = {
  notes: {},
  required: { precondition: 'required', create: true },
  created: { create: true },
};

const past = 'Sat, 01 Jan 2000 00:00:00 GMT';
const future = 'Fri, 01 Jan 2100 00:00:00 GMT';

const under = (path: string, headers: NonNullable<WireRequest['headers']>) =>
  mergePatchOf(path, { title: 'Buy bread' }, headers);

/** If-Match and its like, RFC 9110 13. */
export const preconditions: WireApp = {
  stores: true,
  open: (express, store) => {
    const app = express().disable('x-powered-by').disable('etag');
    for (const [name, settings] of Object.entries(options)) {
      const key = { key: (req: { params: { id?: string } }) => req.params.id };
      app.patch(`/${name}/:id`, patchHandler(store, [jsonPatch(), mergePatch()], { ...key, ...settings }));
    }
    app.get('/notes/:id', async (req, res) => {
      const stored = await store.get(req.params.id);
      if (stored === undefined) res.status(404).end();
      else res.set('ETag', entityTag(stored)).json(stored.value);
    });
    return app;
  },

  rows: {
    'If-Match': [under('/notes/1', { 'If-Match': '"tag 1"' }), { line: 'GET /notes/1' }],
    'If-Match, and again with the tag of the first': [
      under('/notes/1', { 'If-Match': '"tag 1"' }),
      under('/notes/1', { 'If-Match': '"tag 1"' }),
      under('/notes/1', { 'If-Match': '"tag 2"' }),
    ],
    'If-Match: in a list': under('/notes/1', { 'If-Match': '"a,b", "tag 1"' }),
    'If-Match: *': under('/notes/1', { 'If-Match': '*' }),
    'If-Match: another, 412': [under('/notes/1', { 'If-Match': '"x"' }), { line: 'GET /notes/1' }],
    'If-Match: weak, 412': under('/notes/1', { 'If-Match': 'W/"tag 1"' }),
    'If-Match: nothing is there': under('/notes/2', { 'If-Match': '"x"' }),
    'If-Match: nothing is there to be created': under('/created/2', { 'If-Match': '*' }),
    'If-Match: no quotes, 400': under('/notes/1', { 'If-Match': 'tag' }),
    'If-Match: empty elements alone, 412': under('/notes/1', { 'If-Match': ',' }),
    'If-Match: empty, 412': under('/notes/1', { 'If-Match': '' }),
    'If-None-Match: *, 412': under('/created/1', { 'If-None-Match': '*' }),
    'If-None-Match: *, 201': under('/created/2', { 'If-None-Match': '*' }),
    'If-None-Match: the tag, 412': under('/notes/1', { 'If-None-Match': '"tag 1"' }),
    'If-None-Match: another': under('/notes/1', { 'If-None-Match': '"x"' }),
    'If-None-Match: no quotes, 400': under('/notes/1', { 'If-None-Match': 'tag' }),
    'If-Unmodified-Since: 412': under('/notes/1', { 'If-Unmodified-Since': past }),
    'If-Unmodified-Since: on two lines, ignored': under('/notes/1', { 'If-Unmodified-Since': [past, past] }),
    'If-Unmodified-Since: hour 24, ignored': under('/notes/1', {
      'If-Unmodified-Since': 'Sat, 01 Jan 2000 24:00:00 GMT',
    }),
    'If-Unmodified-Since: holds': under('/notes/1', { 'If-Unmodified-Since': future }),
    'If-Unmodified-Since: beside If-Match': under('/notes/1', {
      'If-Match': '"tag 1"',
      'If-Unmodified-Since': past,
    }),
    'If-Modified-Since has no say': under('/notes/1', { 'If-Modified-Since': future }),
    'required: 428': under('/required/1', {}),
    'required: 428 where nothing is': under('/required/2', {}),
    'required: If-Unmodified-Since is none': under('/required/1', { 'If-Unmodified-Since': future }),
    'required: 204': under('/required/1', { 'If-Match': '"tag 1"' }),
    'required: 201': under('/required/2', { 'If-None-Match': '*' }),
    'required: 412': under('/required/1', { 'If-Match': '"x"' }),
    '412 goes before 400': mergePatchOf('/notes/1', 'no JSON', { 'If-Match': '"x"' }),
    '415 goes before 412': under('/notes/1', { 'If-Match': '"x"', 'Content-Type': 'text/plain' }),
  },
};
