import { documents } from '../servers/documents.mjs';

const keys = 1_000;
const paths = Array.from({ length: keys }, (_, i) => `/notes/${i}`);

const gets = (maker) => ({
  server: { module: 'resource', maker, options: { keys } },
  requests: paths.map((path) => ({ method: 'GET', path, headers: {} })),
  answer: { status: 200, fields: { etag: /^"/, 'content-type': /^application\/json/ } },
});

const puts = (maker) => ({
  server: { module: 'resource', maker, options: { keys } },
  requests: paths.map((path, i) => ({
    method: 'PUT',
    path,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...documents['1 KB'](i), title: `title ${i}` }),
  })),
  answer: { status: 204, fields: { etag: /^"/ } },
});

const beside = 'hand-written, with the same ETag, over the same store';

export const resource = {
  name: 'resource',
  title: 'GET and PUT over MemoryStore',
  clients: 16,
  loads: {
    'our GET': gets('ours'),
    'GET by hand': gets('byHand'),
    'our PUT': puts('ours'),
    'PUT by hand': puts('byHand'),
  },
  alike: 'GET by hand',
  rows: [
    { work: 'GET, 1 KB document, MemoryStore', ours: 'our GET', beside, other: 'GET by hand', goal: 1.05 },
    { work: 'PUT, 1 KB document, MemoryStore', ours: 'our PUT', beside, other: 'PUT by hand', goal: 1.05 },
  ],
};
