/** The format over HTTP: what it lists, what it keeps, and how writers of one list get along. */
import express from 'express';
import request from 'supertest';
import { jsonPatch } from '../../../lib/patch/formats/json-patch';
import { keyedMergePatch } from '../../../lib/patch/formats/keyed-merge-patch';
import { mergePatch } from '../../../lib/patch/formats/merge-patch';
import { entityTag } from '../../../lib/http/entity-tag';
import { resource } from '../../../lib/patch/resource/resource';
import type { ResourceOptions } from '../../../lib/patch/resource/resource-options';
import { MemoryStore } from '../../../lib/stores/memory/memory-store';
import { mistakesOf } from '../../support/mistakes-of';
import { describePatches } from '../../support/patch-table';

const type = 'application/vnd.patch-options.keyed-merge+json';
const lists = { '/items': 'id', '/items/*/labels': 'name', '/tags': 'self' };
const parsers = [keyedMergePatch(lists), mergePatch(), jsonPatch()];
const stored = { title: 'a', items: [{ id: 1, pin: 'x' }, { id: 2 }], tags: ['home'] };

describePatches(
  'a keyed merge patch',
  {
    'of a list and of a text': {
      ...{ parsers, type, stored },
      body: { items: { 2: { done: true } }, tags: { old: null, new: true } },
      status: 204,
      after: { ...stored, items: [stored.items[0], { id: 2, done: true }], tags: ['home', 'new'] },
    },
    'of two lists in each element': {
      parsers: [keyedMergePatch({ '/items': 'id', '/items/*/labels': 'name', '/items/*/tags': 'self' })],
      ...{ type, stored: { items: [{ id: 1, labels: [{ name: 'a' }, { name: 'b' }], tags: ['x'] }] } },
      body: { items: { 1: { labels: { a: null }, tags: { y: true } } } },
      status: 204,
      after: { items: [{ id: 1, labels: [{ name: 'b' }], tags: ['x', 'y'] }] },
    },
    'of a list that is the whole resource': {
      parsers: [keyedMergePatch({ '': 'id' })],
      ...{ type, stored: [{ id: 1 }, { id: 2 }] },
      body: { 1: null, 2: { done: true } },
      status: 204,
      after: [{ id: 2, done: true }],
    },
    'another media type: 415 lists it': {
      ...{ parsers, stored, type: 'application/json' },
      status: 415,
      answers: { 'Accept-Patch': `${type}, application/merge-patch+json, application/json-patch+json` },
    },
    'If-Match counts as ever: 412': {
      ...{ parsers, type, stored, headers: { 'If-Match': '"old"' } },
      body: { items: { 2: null } },
      status: 412,
    },
    'a list by position: 422 with its pointer': {
      ...{ parsers, type, stored },
      body: { items: [{ id: 2 }] },
      status: 422,
      content: { code: 'patch-kind', pointer: '/items' },
    },
    'a part of an element that someone has removed: 409, and nothing comes back': {
      ...{ parsers, type, stored },
      body: { items: { 42: { done: true } } },
      status: 409,
      content: { code: 'patch-conflict', pointer: '/items/42' },
      after: stored,
    },
    'an element that is created is validated': {
      ...{ parsers, type, stored: { items: [] } },
      options: {
        validate: (value) =>
          (value as { items: { title?: string }[] }).items.flatMap(({ title }, i) =>
            title === undefined ? [{ pointer: `/items/${i}/title`, detail: 'is required' }] : [],
          ),
      },
      body: { items: { 42: { id: 42, done: true } } },
      status: 422,
      content: { code: 'invalid-result' },
      after: { items: [] },
    },
    'a key that would change: 422': {
      ...{ parsers, type, stored },
      body: { items: { 2: { id: 3 } } },
      status: 422,
      content: { code: 'element-key', pointer: '/items/2' },
    },
    'a list that has no keys: 409 with its pointer': {
      ...{ parsers, type, stored: { items: [{ id: 1 }, {}] } },
      body: { items: { 1: null } },
      status: 409,
      content: { code: 'patch-conflict', pointer: '/items' },
    },
    'an array in place of the resource: 422': {
      ...{ parsers, type, stored },
      body: [],
      status: 422,
      content: { code: 'patch-kind' },
    },
    'a duplicate name: 400': {
      ...{ parsers, type, stored },
      body: '{"items":{"2":{},"2":null}}',
      status: 400,
      content: { code: 'patch-malformed' },
    },
    'limits.depth: 413': {
      ...{ parsers, type, stored, options: { limits: { depth: 3 } } },
      body: { items: { 2: { a: { b: 1 } } } },
      status: 413,
      content: { code: 'limit-depth' },
    },
    'readOnly judges what is stored: a list keeps its elements': {
      ...{ parsers, type, stored, options: { readOnly: ['/items/0/pin'] } },
      body: { items: { 1: { pin: 'y' } } },
      status: 422,
      content: { code: 'read-only', pointer: '/items/0/pin' },
    },
    'writable, too': {
      ...{ parsers, type, stored, options: { writable: ['/tags'] } },
      body: { tags: { new: true }, items: { 9: null } },
      status: 204,
      after: { ...stored, tags: ['home', 'new'] },
    },
    'a hidden list is neither seen nor written: 422': {
      ...{ parsers, type, stored, options: { hidden: ['/items'] } },
      body: { items: { 3: {} } },
      status: 422,
      content: { code: 'hidden-member', pointer: '/items' },
    },
    'null for a hidden member is refused, too: 422': {
      ...{ parsers, type, stored, options: { hidden: ['/title'] } },
      body: { title: null },
      status: 422,
      content: { code: 'hidden-member', pointer: '/title' },
    },
    'a hidden list stays': {
      ...{ parsers, type, stored, options: { hidden: ['/items'] } },
      body: { title: 'b' },
      status: 204,
      after: { ...stored, title: 'b' },
    },
    'a creation': {
      ...{ parsers, type, stored: null, options: { create: true } },
      body: { items: { a: { id: 'a' } }, tags: { home: true } },
      status: 201,
      after: { items: [{ id: 'a' }], tags: ['home'] },
    },
  },
  () => new MemoryStore(),
);

/** Two servers over one engine, whose writes race. */
async function boards(options: ResourceOptions<unknown> = {}) {
  const store = new MemoryStore();
  await store.replace('1', null, { items: [], tags: [] });
  const createApp = () => {
    // Another store object, so that the requests of one server do not queue behind those of the other.
    const slow = {
      get: async (...[key, context]: Parameters<MemoryStore['get']>) => {
        const found = await store.get(key, context);
        await new Promise((resolve) => setTimeout(resolve, 1));
        return found;
      },
      replace: store.replace.bind(store),
    };
    const board = resource(slow, parsers, { key: 'id', ...options });
    return express().get('/boards/:id', board.get).patch('/boards/:id', board.patch);
  };
  const [one, other] = [createApp(), createApp()];
  const send = (server: number, patch: unknown, fields: Record<string, string> = {}) =>
    request(server % 2 === 0 ? one : other)
      .patch('/boards/1')
      .set({ 'Content-Type': type, ...fields })
      .send(JSON.stringify(patch))
      .then(({ status }) => status);
  return { store, send };
}

test('twenty writers on one list, through two servers, lose nothing', async () => {
  const { store, send } = await boards();
  const write = async (writer: number): Promise<number[]> => {
    const statuses: number[] = [];
    for (let round = 0; round < 4; round++) {
      const patch = {
        items: {
          [`w${writer}`]: { id: `w${writer}`, round },
          [`old${writer}`]: round % 2 === 0 ? { id: `old${writer}` } : null,
        },
        tags: { [`t${writer}`]: true },
      };
      statuses.push(await send(writer + round, patch));
    }
    return statuses;
  };
  const writers = Array.from({ length: 20 }, (_, writer) => writer);
  const statuses = await Promise.all(writers.map(write));
  expect(new Set(statuses.flat())).toEqual(new Set([204]));
  const value = (await store.get('1'))?.value as {
    items: { id: string; round?: number }[];
    tags: string[];
  };
  const { items, tags } = value;
  const inOrder = [...items].sort((one, other) => Number(one.id.slice(1)) - Number(other.id.slice(1)));
  expect(inOrder).toEqual(writers.map((writer) => ({ id: `w${writer}`, round: 3 })));
  expect([...tags].sort()).toEqual(writers.map((writer) => `t${writer}`).sort());
});

test("precondition: 'required' defeats it: of two who have read one state, one is refused", async () => {
  const { store, send } = await boards({ precondition: 'required' });
  expect(await send(0, { tags: { a: true } })).toBe(428);
  const tag = entityTag({ version: (await store.get('1'))?.version ?? '' });
  const statuses = await Promise.all([
    send(0, { tags: { a: true } }, { 'If-Match': tag }),
    send(1, { tags: { b: true } }, { 'If-Match': tag }),
  ]);
  expect(statuses.sort()).toEqual([204, 412]);
});

test.each<{ elements: unknown; option: string; code: string }>([
  { elements: {}, option: 'elements', code: 'option-empty' },
  { elements: undefined, option: 'elements', code: 'option-type' },
  { elements: 'id', option: 'elements', code: 'option-type' },
  { elements: ['/items'], option: 'elements', code: 'option-type' },
  { elements: { items: 'id' }, option: 'elements', code: 'json-pointer-invalid' },
  { elements: { '/a~2': 'id' }, option: 'elements', code: 'json-pointer-invalid' },
  { elements: { '/items': '' }, option: "elements['/items']", code: 'option-type' },
  { elements: { '/items': true }, option: "elements['/items']", code: 'option-type' },
  { elements: { '/a/*/b': '' }, option: "elements['/a/*/b']", code: 'option-type' },
  { elements: { '/tags': 'self', '/tags/*/x': 'id' }, option: 'elements', code: 'option-conflict' },
  { elements: { '/items': 'id', '/items/*': 'k' }, option: 'elements', code: 'option-conflict' },
  { elements: { '/items': 'id', '/items/7': 'k' }, option: 'elements', code: 'option-conflict' },
  { elements: { '/items': 'id', '/items/*/id': 'k' }, option: 'elements', code: 'option-conflict' },
  { elements: { '/items': 'id', '/items/*/id/x': 'k' }, option: 'elements', code: 'option-conflict' },
  { elements: { '/*': 'self', '/*/*/x': 'id' }, option: 'elements', code: 'option-conflict' },
  { elements: { '': 'id', '/*': 'k' }, option: 'elements', code: 'option-conflict' },
])('$elements is a mistake', ({ elements, option, code }) => {
  const mistakes = mistakesOf(() => keyedMergePatch(elements as Record<string, string>));
  expect(mistakes).toMatchObject([{ option, code }]);
});
