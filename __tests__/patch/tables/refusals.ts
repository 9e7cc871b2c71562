import { z } from 'zod';
import { jsonPatch } from '../../../lib/patch/formats/json-patch';
import { resource, type PatchTable } from '../../support/patch-table';

const bread = { ...resource, title: 'Buy bread' };
const json = 'application/json-patch+json';
const long = 'x'.repeat(200);
const schema = z.object({ id: z.string(), title: z.string().max(100) });

/** Patches that cannot be read, do not fit, or make what must not be. */
export const refusals: Readonly<Record<string, PatchTable>> = {
  'RFC 5789 2.2: a malformed patch document': {
    empty: { body: '', status: 400, content: { code: 'patch-malformed' } },
    'not JSON': { body: '{"title":', status: 400, content: { code: 'patch-malformed' } },
    'not UTF-8': { body: Buffer.from([0x22, 0xff, 0x22]), status: 400, content: { code: 'patch-malformed' } },
    'JSON Patch that is no array': {
      type: json,
      body: { title: 1 },
      status: 400,
      content: { code: 'patch-malformed' },
    },
    'an unknown op names its index': {
      type: json,
      body: [
        { op: 'test', path: '/id', value: '7' },
        { op: 'toString', path: '/id' },
      ],
      status: 400,
      content: { code: 'patch-malformed', operation: 1 },
    },
    'a pointer that is none': {
      type: json,
      body: [{ op: 'remove', path: 'title' }],
      status: 400,
      content: { code: 'patch-malformed', operation: 0, pointer: 'title' },
    },
    'add without value': {
      type: json,
      body: [{ op: 'add', path: '/x' }],
      status: 400,
      content: { code: 'patch-malformed' },
    },
  },

  'a merge patch of another kind than the resource': {
    'a JSON Patch under its media type: 422 names the right one': {
      type: 'application/merge-patch+json',
      body: [{ op: 'replace', path: '/title', value: 'x' }],
      status: 422,
      content: { code: 'patch-kind', detail: expect.stringContaining('application/json-patch+json') },
    },
    'the preconditions come first: 412': {
      type: 'application/merge-patch+json',
      headers: { 'If-Match': '"old"' },
      body: [],
      status: 412,
    },
    'on creation the initial value counts: 422': {
      type: 'application/merge-patch+json',
      stored: null,
      options: { create: true },
      body: ['x'],
      status: 422,
      content: { code: 'patch-kind' },
    },
    'a JSON Patch under a media type of the app': {
      parsers: [jsonPatch({ mediaType: ['application/json-patch+json', 'application/json'] })],
      type: 'application/json',
      body: [{ op: 'replace', path: '/title', value: 'x' }],
      status: 204,
      after: { ...resource, title: 'x' },
    },
  },

  'RFC 5789 2.2: a conflicting state': {
    'a path that is not there: 409, with operation and pointer': {
      type: json,
      body: [
        { op: 'replace', path: '/title', value: 'x' },
        { op: 'remove', path: '/size/height' },
      ],
      status: 409,
      content: { code: 'patch-conflict', operation: 1, pointer: '/size/height' },
    },
    'an index out of range: 409': {
      type: json,
      body: [{ op: 'add', path: '/tags/3', value: 'x' }],
      status: 409,
      content: { code: 'patch-conflict' },
    },
    'a test that fails: 409, and does not tell the stored value': {
      type: json,
      body: [{ op: 'test', path: '/title', value: 'Buy wine' }],
      status: 409,
      content: { code: 'patch-test-failed', operation: 0, detail: expect.not.stringContaining('milk') },
    },
    'a member of Object.prototype is no member: 409': {
      type: json,
      body: [{ op: 'copy', from: '/constructor', path: '/x' }],
      status: 409,
    },
  },

  'RFC 5789 2.2: a result that is not valid': {
    'a function’s issues: 422 with pointers': {
      options: { validate: () => [{ detail: 'Too dull.', pointer: '/title' }] },
      status: 422,
      content: { code: 'invalid-result', errors: [{ detail: 'Too dull.', pointer: '/title' }] },
    },
    'a function that finds nothing': { options: { validate: () => [] }, status: 204, after: bread },
    'a function that returns nothing': { options: { validate: () => undefined }, status: 204, after: bread },
    'an async function': {
      options: { validate: () => Promise.resolve([{ detail: 'Too dull.' }]) },
      status: 422,
      content: { errors: [{ detail: 'Too dull.' }] },
    },
    'a function sees what was': {
      options: { validate: (next, current) => (next === current ? [] : [{ detail: 'No change, please.' }]) },
      status: 422,
    },
    'a Standard Schema’s issues, here zod’s: 422 with pointers': {
      options: { validate: schema },
      body: { title: long },
      status: 422,
      content: { code: 'invalid-result', errors: [{ pointer: '/title' }] },
    },
    'a schema that does not know other members': {
      options: { validate: schema },
      status: 204,
      after: bread,
    },
    'a read-only member: 422 with its pointer': {
      options: { readOnly: ['/id'] },
      body: { id: '8' },
      status: 422,
      content: { code: 'read-only', pointer: '/id' },
    },
    'a read-only member removed: 422': { options: { readOnly: ['/id'] }, body: { id: null }, status: 422 },
    'a read-only member nested in what is replaced: 422': {
      options: { readOnly: ['/size/unit'] },
      body: { size: 'large' },
      status: 422,
      content: { pointer: '/size/unit' },
    },
    'a read-only member that gets its own value again': {
      options: { readOnly: ['/size'] },
      type: json,
      body: [{ op: 'replace', path: '/size', value: { unit: 'cm', width: 3 } }],
      status: 204,
    },
    'a read-only member that is not there stays so: 422': {
      options: { readOnly: ['/made'] },
      body: { made: 1 },
      status: 422,
    },
    'authorize says no: 403': {
      options: { authorize: () => false },
      status: 403,
      content: { code: 'forbidden' },
    },
    'authorize says yes': { options: { authorize: () => true }, status: 204, after: bread },
    'authorize is asked of a creation, without a current value': {
      stored: null,
      options: {
        create: true,
        authorize: (_req, { current, changed }) => current === undefined && changed.join() === '',
      },
      status: 201,
      after: { title: 'Buy bread' },
    },
    'authorize is told what differs': {
      options: {
        authorize: (_req, { changed }) =>
          JSON.stringify(changed) === '["/title","/tags/1","/size/depth","/none"]',
      },
      type: json,
      body: [
        { op: 'replace', path: '/title', value: 'Buy bread' },
        { op: 'remove', path: '/tags/1' },
        { op: 'add', path: '/size/depth', value: 1 },
        { op: 'remove', path: '/none' },
      ],
      status: 204,
      after: { id: '7', title: 'Buy bread', tags: ['home'], size: { width: 3, unit: 'cm', depth: 1 } },
    },
    '422 goes before 403': {
      options: { validate: () => [{ detail: 'x' }], authorize: () => false },
      status: 422,
    },
  },
};
