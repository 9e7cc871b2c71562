/**
 * Functions of the app that must return at once, and return a promise: the error handler is told which, and nothing
 * is written. That no rejection ends the process is seen from outside, in ../thrown.
 */
import express, { type ErrorRequestHandler } from 'express';
import supertest from 'supertest';
import { checkPreconditions, sendProblem } from '../../lib';
import type { PatchParser } from '../../lib/patch/formats/patch-parser';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import type { PatchHandlerOptions } from '../../lib/patch/handler-options';
import { patchHandler } from '../../lib/patch/patch-handler';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import type { ResourceStore, VersionedState } from '../../lib/stores/contract/resource-store';

const type = 'application/vnd.own+json';
const before = { title: 'old', role: 'user', pin: 1234 };

/** A merge patch of the app's own, made of whatever `wrap` returns of the next value. */
const parserOf = (wrap: (next: unknown) => unknown): PatchParser => ({
  mediaType: type,
  parse: (document) => (current) =>
    wrap({ ...(current as object), ...(JSON.parse(document.toString()) as object) }),
});

const told: ErrorRequestHandler = (error: Error, _req, res, next) => {
  if (res.headersSent) next(error);
  else res.status(599).send(`${error.name}: ${error.message}`);
};

interface Fault {
  readonly parser?: PatchParser;
  readonly options?: PatchHandlerOptions<unknown>;
  readonly store?: (store: MemoryStore) => Partial<ResourceStore>;
}

async function answerTo({ parser = parserOf((next) => next), options = {}, store: overriding }: Fault) {
  const store = new MemoryStore();
  await store.replace('1', null, before);
  const get = store.get.bind(store);
  const own = Object.assign(store, overriding?.(store));
  const app = express();
  app.patch('/', patchHandler(own, [parser], { key: () => '1', ...options })).use(told);
  const answer = await supertest(app).patch('/').type(type).send('{"title":"new","role":"admin"}');
  return { status: answer.status, text: answer.text, after: (await get('1'))?.value };
}

const promises: Readonly<Record<string, (value: unknown) => unknown>> = {
  'a promise': (value) => Promise.resolve(value),
  'a promise that rejects': () => Promise.reject(new Error('The service is down.')),
  'a thenable': (value) => ({
    then: (resolve: (value: unknown) => void) => {
      resolve(value);
    },
  }),
};

const protections: Readonly<Record<string, PatchHandlerOptions<unknown>>> = {
  nothing: {},
  hidden: { hidden: ['/pin'] },
  readOnly: { readOnly: ['/role'] },
  writable: { writable: ['/title', '/role'] },
  validate: { validate: () => undefined },
  authorize: { authorize: () => true },
};

describe.each(Object.entries(promises))('%s', (_what, promise) => {
  test.each(Object.entries(protections))('as the result of a patch, beside %s', async (_name, options) => {
    expect(await answerTo({ parser: parserOf(promise), options })).toEqual({
      status: 599,
      text:
        'TypeError: The patch of the parser for application/vnd.own+json returned a promise. ' +
        'Return the next value itself, and await what it needs in a middleware before this handler.',
      after: before,
    });
  });

  const patch = () => before;
  const schema: PatchHandlerOptions<unknown> = {
    validate: {
      '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value: promise(value) }) },
    },
  };
  const rows: Readonly<Record<string, Fault & { readonly says: string }>> = {
    'of parse': {
      parser: { mediaType: type, parse: () => promise(patch) as typeof patch },
      says: 'The function parse of the parser for application/vnd.own+json returned a promise. Return a function',
    },
    'of key': { options: { key: () => promise('1') as string }, says: 'The option key returned a promise' },
    'of entityTag': {
      options: { entityTag: () => promise('"1"') as string },
      says: 'The option entityTag returned a promise, which is not an entity tag',
    },
    'of a schema, as its value': { options: schema, says: 'returned a promise as its value' },
    'of fit': {
      store: () => ({ fit: (_key, next) => promise(next) }),
      says: 'The method fit of the store returned a promise',
    },
    'of complete': {
      options: { validate: { '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }) } } },
      store: () => ({ complete: (_key, next) => promise(next) }),
      says: 'The method complete of the store returned a promise',
    },
    'of get, as the value of a state': {
      options: { hidden: ['/pin'] },
      store: (store) => {
        const get = store.get.bind(store);
        return {
          get: async (key) => {
            const { value, version } = (await get(key)) as VersionedState<unknown>;
            return { value: promise(value), version };
          },
        };
      },
      says: 'The method get of the store returned a state whose value is a promise',
    },
  };
  test.each(Object.entries(rows))('%s', async (_name, { says, ...fault }) => {
    expect(await answerTo(fault)).toEqual({
      status: 599,
      text: expect.stringContaining(says) as string,
      after: before,
    });
  });

  test('of entityTag, in checkPreconditions', async () => {
    const app = express();
    app.patch('/', (req, res) => {
      const entityTag = () => promise('"1"') as string;
      const problem = checkPreconditions(req, { version: '1' }, { entityTag });
      if (problem === undefined) res.sendStatus(204);
      else sendProblem(res, problem);
    });
    const answer = await supertest(app.use(told)).patch('/').set('If-Match', '"1"');
    expect([answer.status, answer.text]).toEqual([
      599,
      expect.stringContaining('The option entityTag returned a promise, which is not an entity tag'),
    ]);
  });
});

test('a function that may be async is awaited', async () => {
  const options: PatchHandlerOptions<unknown> = {
    may: () => Promise.resolve(true),
    create: () => Promise.resolve(before),
    validate: (next) => Promise.resolve(next === undefined ? [{ detail: 'missing' }] : undefined),
    authorize: () => Promise.resolve(true),
    represent: (value) => Promise.resolve(value),
    respond: 'representation',
  };
  const { status, text, after } = await answerTo({ options });
  expect(status).toBe(200);
  expect(after).toEqual({ title: 'new', role: 'admin', pin: 1234 });
  expect(JSON.parse(text)).toEqual(after);
  expect(await answerTo({ parser: { ...mergePatch(), mediaType: type }, options })).toMatchObject({
    status: 200,
  });
});
