import express from 'express';
import {
  corsPreflight,
  MemoryStore,
  mergePatch,
  methodNotAllowed,
  optionsHandler,
  optionsListener,
  patchHandler,
  patchOptions,
  resource,
} from '../../lib';
import { corsExpectations } from '../../lib/cors/policy';
import { optionsAndCorsExpectations } from '../../lib/options-listener';

const ofHandler = ['key', 'limits', 'validate', 'readOnly', 'create', 'outcomes', 'errors', 'onRefused'];

/** What takes options, and which. */
const makers: readonly {
  readonly subject: string;
  readonly options: readonly string[];
  readonly make: (options: never) => unknown;
}[] = [
  {
    subject: 'patchOptions',
    options: [...Object.keys(optionsAndCorsExpectations), 'resources'],
    make: patchOptions,
  },
  {
    subject: 'optionsListener',
    options: Object.keys(optionsAndCorsExpectations),
    make: (options) => optionsListener(express() as never, options),
  },
  { subject: 'corsPreflight', options: Object.keys(corsExpectations), make: corsPreflight },
  { subject: 'optionsHandler', options: ['root', 'body', 'status'], make: optionsHandler },
  { subject: 'methodNotAllowed', options: ['root', 'errors'], make: methodNotAllowed },
  {
    subject: 'patchHandler',
    options: ofHandler,
    make: (options) => patchHandler(new MemoryStore(), [mergePatch()], options),
  },
  {
    subject: 'resource',
    options: [...ofHandler, 'onDeleted'],
    make: (options) => resource(new MemoryStore(), [mergePatch()], options),
  },
  { subject: 'mergePatch', options: ['mediaType'], make: mergePatch },
];

const rows = makers.flatMap(({ options, ...maker }) => options.map((option) => ({ ...maker, option })));

describe.each(rows)('$option of $subject', ({ option, make }) => {
  test('a getter that throws throws at start, to whoever gave it', () => {
    const fault = new Error('out of order');
    const given = Object.defineProperty({}, option, {
      enumerable: true,
      get: () => {
        throw fault;
      },
    });
    expect(() => make(given as never)).toThrow(fault);
  });
});
