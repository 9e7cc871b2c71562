import { NEW, resource, type PatchTable } from '../../support/patch-table';

const bread = { ...resource, title: 'Buy bread' };
const json = 'application/json-patch+json';

/** What comes back. */
export const answers: Readonly<Record<string, PatchTable>> = {
  'RFC 5789 2: a patch that is applied': {
    'merge patch: 204 with the new ETag and Content-Location': {
      status: 204,
      answers: {
        ETag: NEW,
        'Content-Location': '/things/7',
        'Content-Type': undefined,
        'Content-Length': undefined,
      },
      after: bread,
    },
    'JSON Patch: the same': {
      type: json,
      body: [{ op: 'replace', path: '/title', value: 'Buy bread' }],
      status: 204,
      answers: { ETag: NEW, 'Content-Location': '/things/7' },
      after: bread,
    },
    'a patch that changes nothing gets a new ETag all the same': {
      body: {},
      status: 204,
      answers: { ETag: NEW },
    },
    'an empty JSON Patch does so too': { type: json, body: [], status: 204, answers: { ETag: NEW } },
    'the answer cannot be cached by accident': {
      status: 204,
      answers: { 'Cache-Control': undefined, Expires: undefined, 'Last-Modified': undefined },
      after: bread,
    },
    'Content-Location is the path without the query': {
      path: '/things/7?verbose=1',
      status: 204,
      answers: { 'Content-Location': '/things/7' },
      after: bread,
    },
    'Content-Location keeps the encoding of the path': {
      path: '/things/%37',
      status: 204,
      answers: { 'Content-Location': '/things/%37' },
      after: bread,
    },
    'the whole value may be replaced': {
      type: json,
      body: [{ op: 'replace', path: '', value: ['anything'] }],
      status: 204,
      after: ['anything'],
    },
  },

  'RFC 7240 4.2: what comes back': {
    'return=representation: 200 with the value': {
      headers: { Prefer: 'return=representation' },
      status: 200,
      answers: {
        ETag: NEW,
        'Content-Location': '/things/7',
        'Preference-Applied': 'return=representation',
        'Content-Type': 'application/json; charset=utf-8',
      },
      content: bread,
      after: bread,
    },
    'return=minimal: 204': {
      headers: { Prefer: 'return=minimal' },
      status: 204,
      answers: { 'Preference-Applied': 'return=minimal' },
      after: bread,
    },
    'no preference: none is applied': {
      status: 204,
      answers: { 'Preference-Applied': undefined },
      after: bread,
    },
    'another preference is none': {
      headers: { Prefer: 'respond-async, wait=10' },
      status: 204,
      answers: { 'Preference-Applied': undefined },
      after: bread,
    },
    'respond: representation is the default that your app may choose': {
      options: { respond: 'representation' },
      status: 200,
      answers: { 'Preference-Applied': undefined },
      content: bread,
      after: bread,
    },
    'the client’s preference goes before your app’s': {
      options: { respond: 'representation' },
      headers: { Prefer: 'return=minimal' },
      status: 204,
      after: bread,
    },
    'represent decides what a client gets to see': {
      options: { represent: () => ({ seen: true }) },
      headers: { Prefer: 'return=representation' },
      status: 200,
      content: { seen: true },
      after: bread,
    },
    'represent may be async': {
      options: { represent: () => Promise.resolve({ seen: true }) },
      headers: { Prefer: 'return=representation' },
      status: 200,
      content: { seen: true },
      after: bread,
    },
  },
};
