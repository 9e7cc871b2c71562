/** What a schema makes of a member is what is stored: over zod 4, valibot and ArkType. */
import { type } from '../../support/arktype';
import * as v from 'valibot';
import { z } from 'zod';
import express, { type ErrorRequestHandler, type Express } from 'express';
import supertest from 'supertest';
import { applyMergePatch } from '../../../lib/json/patch/apply-merge-patch';
import { valueAt } from '../../../lib/json/pointer';
import { isEqualJson, isJsonObject, ownMember, type JsonObject } from '../../../lib/json/value';
import { patchHandler } from '../../../lib/patch/patch-handler';
import { coverage } from '../../../lib/patch/rules/protected-members';
import { takeOutput } from '../../../lib/patch/rules/schema-output';
import { jsonPatch } from '../../../lib/patch/formats/json-patch';
import { keyedMergePatch } from '../../../lib/patch/formats/keyed-merge-patch';
import { mergePatch } from '../../../lib/patch/formats/merge-patch';
import type { PatchParser } from '../../../lib/patch/formats/patch-parser';
import type { StandardSchema } from '../../../lib/patch/rules/standard-schema';
import { MemoryStore } from '../../../lib/stores/memory/memory-store';
import { times } from '../../support/deep-scale';
import { fc } from '../../support/properties';
import { describePatches, type PatchRow, type PatchTable } from '../../support/patch-table';

const trimmed = v.pipe(v.string(), v.trim());
const counted = v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(Number)));

/** The same schema three times: it trims, coerces, fills defaults in, makes dates, and strips what it does not name. */
const schemas: Readonly<Record<string, StandardSchema<unknown>>> = {
  zod: z.object({
    title: z.string().trim(),
    count: z.coerce.number().optional(),
    address: z.object({ city: z.string().trim(), country: z.string().default('CH') }).optional(),
    tags: z.array(z.string().trim()).optional(),
    items: z
      .array(z.object({ id: z.string(), text: z.string().trim(), minutes: z.number().default(5) }))
      .optional(),
    due: z
      .string()
      .transform((text) => new Date(text))
      .optional(),
    done: z.boolean().default(false),
  }),
  valibot: v.object({
    title: trimmed,
    count: counted,
    address: v.optional(v.object({ city: trimmed, country: v.optional(v.string(), 'CH') })),
    tags: v.optional(v.array(trimmed)),
    items: v.optional(
      v.array(v.object({ id: v.string(), text: trimmed, minutes: v.optional(v.number(), 5) })),
    ),
    due: v.optional(
      v.pipe(
        v.string(),
        v.transform((text) => new Date(text)),
      ),
    ),
    done: v.optional(v.boolean(), false),
  }),
  arktype: type({
    '+': 'delete',
    title: 'string.trim',
    'count?': 'number | string.numeric.parse',
    'address?': { '+': 'delete', city: 'string.trim', country: "string = 'CH'" },
    'tags?': 'string.trim[]',
    'items?': type({ '+': 'delete', id: 'string', text: 'string.trim', minutes: 'number = 5' }).array(),
    'due?': 'string.date.iso.parse',
    done: 'boolean = false',
  }),
};

/** Written before there was a schema: nothing in it is as the schema would have it. */
const old = {
  legacy: ' x ',
  title: ' old ',
  address: { zip: '1', city: ' Bern ' },
  tags: [' a ', ' b '],
  items: [
    { legacy: 1, id: '1', text: ' one ' },
    { legacy: 2, id: '2', text: ' two ' },
    { legacy: 3, id: '3', text: ' three ' },
  ],
};

const json = 'application/json-patch+json';
const byKey = 'application/vnd.patch-options.keyed-merge+json';

/** A format of the app: it makes all of the value anew. */
const anew: PatchParser = {
  mediaType: 'application/vnd.own+json',
  parse: (document) => (current) => ({
    ...(structuredClone(current) as object),
    ...(JSON.parse(document.toString()) as object),
  }),
};

type Row = Omit<PatchRow, 'parsers' | 'stored'> & { readonly stored?: unknown };

const rows: Readonly<Record<string, Row>> = {
  'a merge patch: what it changes is trimmed, the rest stays byte for byte': {
    body: { title: ' new ' },
    status: 204,
    after: { ...old, title: 'new' },
  },
  'a JSON Patch: coerced': {
    type: json,
    body: [{ op: 'add', path: '/count', value: '7' }],
    status: 204,
    after: { ...old, count: 7 },
  },
  'a date is stored as its JSON': {
    body: { due: '2026-01-02T03:04:05.000Z' },
    status: 204,
    after: { ...old, due: '2026-01-02T03:04:05.000Z' },
  },
  'a member that the schema strips: 422 with its pointer': {
    body: { title: ' new ', isAdmin: true },
    status: 422,
    content: { code: 'invalid-result', errors: [{ pointer: '/isAdmin', detail: 'unknown member' }] },
  },
  'a stored member that the schema strips, changed: 422': {
    body: { legacy: 'y' },
    status: 422,
    content: { errors: [{ pointer: '/legacy' }] },
  },
  'a stored member that the schema strips, removed': {
    body: { legacy: null },
    status: 204,
    after: { title: old.title, address: old.address, tags: old.tags, items: old.items },
  },
  'all that it strips, in a member that was not there: 422 with each pointer': {
    stored: { title: 'a' },
    body: { address: { city: 'Bern', zip: 1, x: { y: 1 } } },
    status: 422,
    content: { errors: [{ pointer: '/address/zip' }, { pointer: '/address/x' }] },
  },
  'more than twenty that it strips: the first twenty, and how many they are': {
    body: Object.fromEntries(Array.from({ length: 22 }, (_, index) => [`x${index}`, index])),
    status: 422,
    content: {
      total: 22,
      errors: Array.from({ length: 20 }, (_, index) => ({ pointer: `/x${index}` })),
    },
  },
  'a default inside what was sent, and none beside it': {
    stored: { title: ' a ' },
    body: { address: { city: ' Bern ' } },
    status: 204,
    after: { title: ' a ', address: { city: 'Bern', country: 'CH' } },
  },
  'a member of an object: only that one': {
    body: { address: { city: ' Basel ' } },
    status: 204,
    after: { ...old, address: { zip: '1', city: 'Basel' } },
  },
  'a member that is removed is not filled in again': {
    stored: { title: 'a', done: true },
    body: { done: null },
    status: 204,
    after: { title: 'a' },
  },
  'a list replaced whole: each element counts as sent, the equal ones too': {
    body: { tags: [' a ', ' c '] },
    status: 204,
    after: { ...old, tags: ['a', 'c'] },
  },
  'a list replaced by an equal one is not changed': {
    body: { title: ' new ', tags: [...old.tags] },
    status: 204,
    after: { ...old, title: 'new' },
  },
  'elements of a list replaced whole get their defaults': {
    body: { items: [{ id: '1', text: ' one ' }] },
    status: 204,
    after: { ...old, items: [{ id: '1', text: 'one', minutes: 5 }] },
  },
  'what the schema strips of an element that was sent: 422': {
    body: { items: [{ id: '1', text: 'one', price: 1 }] },
    status: 422,
    content: { errors: [{ pointer: '/items/0/price' }] },
  },
  'an element that is appended, as the schema has it; the others stay': {
    type: json,
    body: [
      { op: 'add', path: '/tags/-', value: ' a ' },
      { op: 'add', path: '/items/-', value: { id: '4', text: ' four ' } },
    ],
    status: 204,
    after: {
      ...old,
      tags: [' a ', ' b ', 'a'],
      items: [...old.items, { id: '4', text: 'four', minutes: 5 }],
    },
  },
  'an element that is inserted counts as sent, though it equals one that stays': {
    type: json,
    body: [{ op: 'add', path: '/tags/0', value: ' b ' }],
    status: 204,
    after: { ...old, tags: ['b', ' a ', ' b '] },
  },
  'the same in front of more than one that stays': {
    type: json,
    stored: { title: 'a', tags: [' a ', ' b ', ' c '] },
    body: [{ op: 'add', path: '/tags/0', value: ' b ' }],
    status: 204,
    after: { title: 'a', tags: ['b', ' a ', ' b ', ' c '] },
  },
  'an element that is appended counts as sent, though it equals the last': {
    type: json,
    body: [{ op: 'add', path: '/tags/-', value: ' b ' }],
    status: 204,
    after: { ...old, tags: [' a ', ' b ', 'b'] },
  },
  'a list in place of an object': {
    stored: { title: 'a', tags: {} },
    body: { tags: [' a '] },
    status: 204,
    after: { title: 'a', tags: ['a'] },
  },
  'what the schema strips of an element, in a list that was not there: 422': {
    stored: { title: 'a' },
    body: { items: [{ id: '1', text: 'one', price: 1 }] },
    status: 422,
    content: { errors: [{ pointer: '/items/0/price' }] },
  },
  'elements that are moved, edited, removed and inserted in one JSON Patch': {
    type: json,
    body: [
      { op: 'remove', path: '/items/0' },
      { op: 'replace', path: '/items/0/text', value: ' TWO ' },
      { op: 'add', path: '/items/0', value: { id: '4', text: ' four ' } },
      { op: 'move', from: '/items/2', path: '/items/0' },
    ],
    status: 204,
    after: {
      ...old,
      items: [
        { legacy: 3, id: '3', text: ' three ' },
        { id: '4', text: 'four', minutes: 5 },
        { legacy: 2, id: '2', text: 'TWO' },
      ],
    },
  },
  'one operation in an element': {
    type: json,
    body: [{ op: 'add', path: '/items/1/text', value: ' TWO ' }],
    status: 204,
    after: { ...old, items: [old.items[0], { legacy: 2, id: '2', text: 'TWO' }, old.items[2]] },
  },
  'a copy of an edited element, edited as well: what neither operation names stays in both': {
    type: json,
    body: [
      { op: 'replace', path: '/items/0/text', value: ' ONE ' },
      { op: 'copy', from: '/items/0', path: '/items/1' },
      { op: 'replace', path: '/items/1/id', value: '4' },
    ],
    status: 204,
    after: {
      ...old,
      items: [
        { legacy: 1, id: '1', text: 'ONE' },
        { legacy: 1, id: '4', text: 'ONE' },
        ...old.items.slice(1),
      ],
    },
  },
  'a keyed merge patch: one element edited, one removed, one added': {
    type: byKey,
    body: {
      items: { '1': { text: ' ONE ' }, '2': null, '9': { id: '9', text: ' nine ' } },
      tags: { ' b ': null, ' c ': true },
    },
    status: 204,
    after: {
      ...old,
      items: [{ legacy: 1, id: '1', text: 'ONE' }, old.items[2], { id: '9', text: 'nine', minutes: 5 }],
      tags: [' a ', 'c'],
    },
  },
  'a format of the app that makes everything anew': {
    type: 'application/vnd.own+json',
    body: { title: ' new ', tags: [' a '] },
    status: 204,
    after: { ...old, title: 'new', tags: ['a'] },
  },
  'the root replaced: compared by its members': {
    type: json,
    body: [{ op: 'replace', path: '', value: { title: ' old ', count: '1' } }],
    status: 204,
    after: { title: ' old ', count: 1 },
  },
  'a member named __proto__: 422, as any other that it strips': {
    body: '{"__proto__":{"isAdmin":true}}',
    status: 422,
    content: { errors: [{ pointer: '/__proto__' }] },
  },
  'PUT: all of it counts as sent': {
    method: 'PUT',
    body: { title: ' old ', count: '1', tags: [' a '] },
    status: 204,
    after: { title: 'old', count: 1, tags: ['a'], done: false },
  },
  'PUT of what the schema strips: 422': {
    method: 'PUT',
    body: { title: 'a', isAdmin: true },
    status: 422,
    content: { errors: [{ pointer: '/isAdmin' }] },
  },
  'PUT leaves what is read-only or hidden as it is, whatever the schema makes of it': {
    method: 'PUT',
    options: { readOnly: ['/title', '/address/city', '/done'], hidden: ['/legacy', '/items'] },
    body: { title: ' old ', address: { city: ' Bern ' }, tags: [' c '] },
    status: 204,
    after: {
      legacy: ' x ',
      title: ' old ',
      address: { city: ' Bern ', country: 'CH' },
      tags: ['c'],
      items: old.items,
    },
  },
  'PUT creates: with the defaults': {
    method: 'PUT',
    stored: null,
    options: { create: true },
    body: { title: ' new ' },
    status: 201,
    answers: { ETag: undefined },
    after: { title: 'new', done: false },
  },
  'PUT whose bytes are stored as they are has an ETag': {
    method: 'PUT',
    body: { title: 'new', done: true },
    status: 204,
    answers: { ETag: '<new>' },
    after: { title: 'new', done: true },
  },
  'PATCH creates: without': {
    stored: null,
    options: { create: true },
    body: { title: ' new ' },
    status: 201,
    after: { title: 'new' },
  },
  'authorize sees what is stored': {
    body: { title: ' old', count: '1' },
    options: {
      authorize: (_req, { next, changed }) =>
        (next as { count: unknown }).count === 1 && changed.join() === '/title,/count',
    },
    status: 204,
    after: { ...old, title: 'old', count: 1 },
  },
  'what the schema refuses: 422': {
    body: { title: 5 },
    status: 422,
    content: { errors: [{ pointer: '/title' }] },
  },
};

describe.each(Object.entries(schemas))('%s', (_library, validate) => {
  const parsers = [jsonPatch(), mergePatch(), keyedMergePatch({ '/items': 'id', '/tags': 'self' }), anew];
  const table: PatchTable = Object.fromEntries(
    Object.entries(rows).map(([title, row]) => [
      title,
      { stored: old, ...row, parsers, options: { ...row.options, validate } },
    ]),
  );
  describePatches('What is stored', table, () => new MemoryStore());
});

/** A schema of one's own. */
function making(validate: (value: never) => unknown): StandardSchema<unknown> {
  const made = (value: unknown) => ({ value: validate(value as never) });
  return { '~standard': { version: 1, vendor: 'own', validate: made } };
}

const noted = { id: 1, tags: ['a', 'b'], notes: [{ text: 'x' }] };
const patchTags = { type: json, body: [{ op: 'add', path: '/tags/-', value: 'a' }] };

describePatches(
  'What schemas can do besides',
  {
    'write into the value that they get, and return it': {
      stored: noted,
      body: { id: 2 },
      options: {
        validate: making((value: typeof noted) => {
          value.tags.push('c');
          value.notes.length = 0;
          return Object.assign(value, { id: value.id * 10 });
        }),
      },
      status: 204,
      after: { ...noted, id: 20 },
    },
    'make a list shorter: the whole list is taken': {
      ...{ stored: noted, ...patchTags },
      options: {
        validate: making((value: typeof noted) => ({ ...value, tags: [...new Set(value.tags)] })),
      },
      status: 204,
      after: noted,
    },
    'make a list longer': {
      ...{ stored: noted, ...patchTags },
      options: { validate: making((value: typeof noted) => ({ ...value, tags: ['all', ...value.tags] })) },
      status: 204,
      after: { ...noted, tags: ['all', 'a', 'b', 'a'] },
    },
    'make a list of another length that the request does not change': {
      stored: noted,
      body: { id: 2 },
      options: { validate: making((value: typeof noted) => ({ ...value, tags: [] })) },
      status: 204,
      after: { ...noted, id: 2 },
    },
    'change a list that was moved over another: each element counts as sent, the equal ones too': {
      stored: { a: ['x'], b: ['x', 'y'] },
      type: json,
      body: [
        { op: 'add', path: '/b/-', value: 'z' },
        { op: 'move', from: '/b', path: '/a' },
      ],
      options: {
        validate: making(({ a }: { a: string[] }) => ({ a: a.map((each) => each.toUpperCase()) })),
      },
      status: 204,
      after: { a: ['X', 'Y', 'Z'] },
    },
    'make what JSON writes in another way': {
      stored: {},
      body: { when: 0, link: '/x', price: 1, named: 1 },
      options: {
        validate: making(() => ({
          when: [new Date(0)],
          link: new URL('https://a.example/x'),
          price: { amount: 1, left: undefined, __proto__: { inherited: 1 } },
          named: { toJSON: (name: string) => name },
        })),
      },
      status: 204,
      after: {
        when: ['1970-01-01T00:00:00.000Z'],
        link: 'https://a.example/x',
        price: { amount: 1 },
        named: 'named',
      },
    },
    'make undefined of a member: it is not kept': {
      stored: {},
      body: { a: 1 },
      options: { validate: making(() => ({ a: undefined })) },
      status: 422,
      content: { errors: [{ pointer: '/a' }] },
    },
    'make an object of a member whose parts are read-only: they stay': {
      method: 'PUT',
      stored: { meta: { id: 1, note: 'x' } },
      body: { meta: { id: 1, note: 'y' } },
      options: {
        readOnly: ['/meta/id'],
        validate: making(() => ({ meta: { id: 'forged', note: 'Y', by: 'me' } })),
      },
      status: 204,
      after: { meta: { id: 1, note: 'Y', by: 'me' } },
    },
    'strip an object that is read-only in part: what was sent is not kept': {
      method: 'PUT',
      stored: { meta: { id: 1, note: 'x' } },
      body: { meta: { id: 1, note: 'y' } },
      options: { readOnly: ['/meta/id'], validate: making(() => ({})) },
      status: 422,
      content: { errors: [{ pointer: '/meta/note' }] },
    },
    'strip a list of which an element is read-only: the others are not kept': {
      method: 'PUT',
      stored: { list: [1, 2] },
      body: { list: [1, 3] },
      options: { readOnly: ['/list/0'], validate: making(() => ({})) },
      status: 422,
      content: { errors: [{ pointer: '/list/1' }] },
    },
    'fill in a member that is read-only: it is left out': {
      stored: {},
      body: { meta: { note: 'x' } },
      options: {
        readOnly: ['/meta/role'],
        validate: making(() => ({ meta: { note: 'x', role: 'admin' } })),
      },
      status: 204,
      after: { meta: { note: 'x' } },
    },
    'fill in a member that is not writable, in PUT: it is left out': {
      method: 'PUT',
      stored: { a: 1 },
      body: { a: 2 },
      options: { writable: ['/a'], validate: making(() => ({ a: 2, role: 'admin' })) },
      status: 204,
      after: { a: 2 },
    },
    'write over what is hidden, of which a part would be read-only as well: it stays': {
      method: 'PUT',
      stored: { a: 1, auth: 'x' },
      body: { a: 2 },
      options: {
        ...{ hidden: ['/auth'], readOnly: ['/auth/id'] },
        validate: making((value: object) => ({ ...value, auth: 'x again' })),
      },
      status: 204,
      after: { a: 2, auth: 'x' },
    },
    'write into a member that is not writable, in PUT: it stays': {
      method: 'PUT',
      stored: { a: 1, role: 'guest' },
      body: { a: 2 },
      options: { writable: ['/a'], validate: making(() => ({ a: 2, role: 'admin' })) },
      status: 204,
      after: { a: 2, role: 'guest' },
    },
    'make a text of an object that is writable in part: what was sent is not kept': {
      method: 'PUT',
      stored: { meta: { id: 1, note: 'x' } },
      body: { meta: { note: 'y' } },
      options: { writable: ['/meta/note'], validate: making(() => ({ meta: 'y' })) },
      status: 422,
      content: { errors: [{ pointer: '/meta/note' }] },
    },
    'nest deeper than limits.depth: 413': {
      stored: {},
      body: { a: '[[[]]]' },
      options: {
        limits: { depth: 3 },
        validate: making(({ a }: { a: string }) => ({ a: JSON.parse(a) as unknown })),
      },
      status: 413,
      content: { code: 'limit-depth' },
    },
    'nest as deep as limits.depth': {
      stored: {},
      body: { a: '[[]]' },
      options: {
        limits: { depth: 3 },
        validate: making(({ a }: { a: string }) => ({ a: JSON.parse(a) as unknown })),
      },
      status: 204,
      after: { a: [[]] },
    },
  },
  () => new MemoryStore(),
);

describePatches(
  'What schemas do over a store that itself writes a member',
  {
    'in PUT that member stays as it is': {
      method: 'PUT',
      stored: { a: 1, made: 1 },
      body: { a: 2 },
      options: { validate: making(() => ({ a: 2, made: 9 })) },
      status: 204,
      after: { a: 2, made: 1 },
    },
    'a creation is what the schema makes': {
      stored: null,
      body: { a: 2 },
      options: { create: true, validate: making(() => ({ a: 3 })) },
      status: 201,
      after: { a: 3 },
    },
  },
  () => {
    const same = (_key: string, next: unknown) => next;
    return Object.assign(new MemoryStore(), { readOnly: ['/made'], complete: same, fit: same });
  },
);

test.each([
  { what: 'a Map', value: { a: new Map([['b', 1]]) }, says: '"/a" is of the type Map' },
  { what: 'a Set, in a list', value: { a: [new Set()] }, says: '"/a/0" is of the type Set' },
  { what: 'a promise', value: { a: { b: Promise.resolve() } }, says: '"/a/b" is of the type Promise' },
  { what: 'a BigInt', value: { a: 1n }, says: '"/a" is a BigInt' },
  { what: 'NaN', value: { a: NaN }, says: '"/a" is NaN' },
  { what: 'an invalid Date', value: { a: [new Date(NaN)] }, says: '"/a/0" is an invalid Date' },
  { what: 'a function', value: { a: () => 1 }, says: '"/a" is a function' },
  { what: 'an undefined element', value: { a: [undefined] }, says: '"/a/0" is undefined' },
  { what: 'a list of an object', value: [1], says: 'turned an object into a list' },
  { what: 'nothing', value: undefined, says: 'turned an object into a scalar' },
])('$what is an error of the app, and nothing is written', async ({ value, says }) => {
  const { app, store, errors } = await served(making(() => value));
  await patching(app, { a: 1 }).expect(500);
  expect(errors.map(String).join()).toContain(says);
  expect(await store.get('7')).toMatchObject({ value: { title: 'old' } });
});

describe('a schema that changes a member that the request does not name, which stays as it is', () => {
  const range = z
    .looseObject({ min: z.number(), max: z.number() })
    .transform((sent) => (sent.min > sent.max ? { ...sent, min: sent.max, max: sent.min } : sent))
    .refine(({ min, max }) => min < max, { path: ['min'], error: 'must be below max' });
  const now = { min: 1, max: 5 };

  test('is an error of the app where it refuses the mix, and nothing is written', async () => {
    const { app, store, errors } = await served(range, now);
    await patching(app, { min: 9 }).expect(500);
    const [message = ''] = errors.map(String);
    expect(message).toContain('at "/max", which is not stored');
    expect(message).toContain(`the schema refuses the result at "/min": 'must be below max'`);
    expect(await store.get('7')).toMatchObject({ value: now });
    await patching(app, { note: 'x' }).expect(204);
    await patching(app, { min: 9, max: 2 }).expect(204);
    expect(await store.get('7')).toMatchObject({ value: { min: 2, max: 9, note: 'x' } });
  });

  test('is none of its faults where it refuses its own output: a hashed password is too long for it', async () => {
    const hash = (text: string) => `hashed ${text}`;
    const schema = z.object({ title: z.string(), password: z.string().max(12).transform(hash) });
    const { app, store } = await served(schema, { title: 'old', password: 'hashed', id: 7 });
    await patching(app, { password: 'secret 1' }).expect(204);
    expect(await store.get('7')).toMatchObject({ value: { password: 'hashed secret 1', id: 7 } });
  });

  test('is not looked for where the schema takes what was sent as it is, and once is enough', async () => {
    let asked = 0;
    const schema = z.object({ title: z.string() }).refine(() => ++asked > 0);
    const { app } = await served(schema, { title: 'old', id: 7 });
    await patching(app, { title: 'new' }).expect(204);
    expect(asked).toBe(1);
  });

  test('an output that refers to itself is taken where it has JSON', async () => {
    class Entity {
      title = '';
      get self(): this {
        return this;
      }
    }
    const schema = z.object({ title: z.string().trim() }).transform((sent) => {
      const entity = Object.assign(new Entity(), sent);
      return Object.assign(entity, { parent: entity });
    });
    const { app, store } = await served(schema, { title: 'old', id: 7 });
    await patching(app, { title: ' new ' }).expect(204);
    expect(await store.get('7')).toMatchObject({ value: { title: 'new', id: 7 } });
  });

  test.each([
    { what: 'a member that it strips', schema: z.object({ title: z.string() }), more: { old: 1 } },
    { what: 'a default', schema: z.object({ title: z.string(), size: z.number().default(1) }), more: {} },
    {
      what: 'a text that it trims',
      schema: z.object({ title: z.string(), tag: z.string().trim() }),
      more: { tag: ' a ' },
    },
    { what: 'a BigInt', schema: z.object({ title: z.string(), id: z.coerce.bigint() }), more: { id: '12' } },
    {
      what: 'a date',
      schema: z.object({ title: z.string(), due: z.coerce.date() }),
      more: { due: '2026-01-01' },
    },
  ])('is none where it takes the mix: $what', async ({ schema, more }) => {
    const { app, store } = await served(schema, { title: 'old', ...more });
    await patching(app, { title: 'new' }).expect(204);
    expect((await store.get('7'))?.value).toEqual({ title: 'new', ...more });
  });
});

describe('a schema that refuses what is stored, too', () => {
  const warning = jest.spyOn(process, 'emitWarning').mockImplementation();
  beforeEach(() => warning.mockClear());
  afterAll(() => warning.mockRestore());
  const told = () => warning.mock.calls.map(([text]) => String(text));

  test('is told to the app once', async () => {
    const { app } = await served(z.strictObject({ done: z.boolean().optional() }));
    for (let times = 0; times < 3; times++) await patching(app, { done: true }).expect(422);
    expect(told()).toEqual([
      expect.stringMatching(/^The option validate of patchHandler\(\) refused .* under '7', at "": .*title/),
    ]);
    expect(warning.mock.calls[0]?.[1]).toEqual({ code: 'PATCH_OPTIONS_VALIDATE' });
  });

  test('is not one that refuses a creation', async () => {
    const { app } = await served(z.object({ title: z.string() }));
    const creation = supertest(app).patch('/8').type('application/merge-patch+json').send('{}');
    await creation.expect(422);
    expect(told()).toEqual([]);
  });

  test.each<[string, StandardSchema<unknown>]>([
    ['that refuses only the request', z.object({ title: z.string() })],
    [
      'that throws for what is stored',
      {
        '~standard': {
          ...{ version: 1, vendor: 'own' },
          validate(value) {
            if ((value as { title: unknown }).title === 'old') throw new Error('no');
            return { issues: [{ message: 'x' }] };
          },
        },
      },
    ],
  ])('is not one %s', async (_what, validate) => {
    const { app, errors } = await served(validate);
    await patching(app, { title: 5 }).expect(422);
    expect([told(), errors]).toEqual([[], []]);
  });
});

async function served(validate: StandardSchema<unknown>, stored: unknown = { title: 'old' }) {
  const store = new MemoryStore();
  await store.replace('7', null, stored);
  const errors: unknown[] = [];
  const onError: ErrorRequestHandler = (error, _req, res, next) => {
    errors.push(error);
    if (res.headersSent) next(error);
    else res.sendStatus(500);
  };
  const app = express();
  app.patch('/:id', patchHandler(store, [mergePatch()], { key: 'id', create: true, validate })).use(onError);
  return { app, store, errors };
}

function patching(app: Express, body: unknown) {
  return supertest(app).patch('/7').type('application/merge-patch+json').send(JSON.stringify(body));
}

/** Two values of the same few names, so that patches, stored values and outputs meet each other. */
const names = fc.constantFrom('a', 'b', 'c');
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: 'small' }, tie('scalar'), tie('list'), tie('object')),
  scalar: fc.constantFrom(1, 2, 'x', null),
  list: fc.array(tie('any'), { maxLength: 3 }),
  object: fc.dictionary(names, tie('any'), { maxKeys: 3 }),
})).object as fc.Arbitrary<JsonObject>;

test('whatever a schema makes: protected and untouched members stay, and a stored value is none but the output elsewhere', () => {
  const property = fc.property(
    value,
    value,
    value,
    fc.array(fc.array(names, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
    fc.boolean(),
    (before, patch, output, paths, isWhole) => {
      const sent = isWhole ? patch : (applyMergePatch(before, patch) as JsonObject);
      const isKept = (one: unknown) =>
        paths.every((path) => isEqualJson(valueAt(one, path), valueAt(before, path)));
      fc.pre(isKept(sent));
      const keeps = (path: readonly string[]) => coverage(paths, path);
      const judged = {
        before: isWhole ? undefined : before,
        result: sent,
        output,
        originals: new Map(),
        keeps,
        depth: 100,
      };
      let next: unknown;
      try {
        next = takeOutput(judged);
      } catch (error) {
        expect(error).toMatchObject({ status: 422 });
        return;
      }
      expect(isKept(next)).toBe(true);
      // At the first level: what is not as it was is as the schema has it, or protected in part.
      for (const name of Object.keys(next as object)) {
        const [was, is] = [ownMember(before, name), ownMember(next as JsonObject, name)];
        if (isEqualJson(was, is) && !isWhole) continue;
        if (isJsonObject(was) && isJsonObject(ownMember(sent, name)) && !isWhole) continue;
        if (coverage(paths, [name]) === undefined) expect(is).toEqual(ownMember(output, name));
      }
      const same = !isWhole && isEqualJson(sent, before);
      if (same) expect(next).toEqual(before);
    },
  );
  fc.assert(property, { numRuns: times(250, 100_000) });
});
