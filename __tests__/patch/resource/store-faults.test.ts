import express, { type ErrorRequestHandler } from 'express';
import { mergePatch } from '../../../lib/patch/formats/merge-patch';
import { resource } from '../../../lib/patch/resource/resource';
import type { ResourceStore } from '../../../lib/stores/contract/resource-store';
import { MemoryStore } from '../../../lib/stores/memory/memory-store';
import { serving } from '../../support/serving';

const requests = {
  GET: { method: 'GET' },
  PUT: { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{"title":"new"}' },
  PATCH: {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/merge-patch+json' },
    body: '{"title":"new"}',
  },
  DELETE: { method: 'DELETE' },
} as const;

type Method = keyof typeof requests;
const writes = ['PUT', 'PATCH'] as const;
const all = ['GET', ...writes, 'DELETE'] as const;

interface Fault {
  readonly what: string;
  /** The methods of the store that are written in JavaScript, where no compiler checks what they return. */
  readonly faulty: Readonly<Partial<Record<keyof ResourceStore, () => unknown>>>;
  readonly methods: readonly Method[];
  readonly shown: string;
}

const returns = (given: unknown) => () => Promise.resolve(given);
const value = { title: 'old' };

const faults: readonly Fault[] = [
  {
    what: 'get: null',
    faulty: { get: returns(null) },
    methods: all,
    shown: 'get of the store returned null',
  },
  {
    what: 'get: a row',
    faulty: { get: returns({ title: 'old' }) },
    methods: all,
    shown: 'get of the store returned a state whose version is undefined',
  },
  {
    what: 'get: a number as version',
    faulty: { get: returns({ value, version: 5 }) },
    methods: all,
    shown: 'get of the store returned a state whose version is 5',
  },
  {
    what: 'get: a text as date',
    faulty: { get: returns({ value, version: '5', modified: '2026-11-22' }) },
    methods: all,
    shown: 'get of the store returned a state whose modified is a string',
  },
  ...[null, true, {}].map((given) => ({
    what: `replace: ${JSON.stringify(given)}`,
    faulty: { replace: returns(given) },
    methods: writes,
    shown: 'replace of the store returned',
  })),
  {
    what: 'delete: undefined',
    faulty: { delete: returns(undefined) },
    methods: ['DELETE'],
    shown: 'delete of the store returned undefined',
  },
  {
    what: 'delete: 1',
    faulty: { delete: returns(1) },
    methods: ['DELETE'],
    shown: 'delete of the store returned 1',
  },
];

const cases = faults.flatMap(({ methods, ...fault }) => methods.map((method) => ({ ...fault, method })));

describe('what a store must not return', () => {
  test.each(cases)('$what, at $method', async ({ faulty, method, shown }) => {
    const memory = new MemoryStore();
    await memory.replace('1', null, value);
    const store: ResourceStore = {
      get: (...args) => memory.get(...args),
      replace: (...args: Parameters<MemoryStore['replace']>) => memory.replace(...args),
      delete: (...args: [string]) => memory.delete(...args),
    };
    const note = resource(Object.assign(store, faulty), [mergePatch()], { key: () => '1' });
    const handed: unknown[] = [];
    const handler: ErrorRequestHandler = (error, _req, res, next) => {
      handed.push(error);
      if (res.headersSent) next(error);
      else res.status(599).end();
    };
    const app = express();
    app.route('/').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
    await serving(app.use(handler), async (_server, port) => {
      const response = await fetch(`http://127.0.0.1:${port}/`, requests[method]);
      // Nothing of a resource stays on the answer of the error handler.
      expect([response.status, response.headers.get('ETag')]).toEqual([599, null]);
    });
    expect(handed).toEqual([expect.any(TypeError)]);
    expect(String(handed)).toContain(shown);
  });
});
