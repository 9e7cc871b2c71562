import { functionLike } from '../../config/expectation';
import type { NoInfer } from '../../config/no-infer';
import { ConfigurationError, OptionsCheck } from '../../config/options-check';
import { readMember } from '../../config/prototype-pollution';
import { inspectValue } from '../../config/inspect';
import type { Middleware, PatchRequest } from '../../http/middleware';
import type { ResourceStore, Stored } from '../../stores/contract/resource-store';
import { compileParsers } from '../formats/format-table';
import type { PatchParser } from '../formats/patch-parser';
import { checkHandlerOptions } from '../check-options';
import { compileSettings } from '../settings';
import { createPatch } from '../patch-handler';
import { createDelete, type DeletingStore } from './delete';
import { createGet } from './get';
import { createPut } from './put';
import type { ResourceOptions } from './resource-options';

/** The handlers of one resource, to be mounted on the routes of your app. */
export interface ResourceHandlers<T = unknown> {
  /** Answers GET, and HEAD on a route of `app.get`. */
  readonly get: Middleware;
  /** Answers PUT of a whole representation in `application/json`. */
  readonly put: Middleware;
  /** Answers PATCH, as `patchHandler` does. */
  readonly patch: Middleware;
  /**
   * Returns the entity tag that the handlers send and compare, for a GET of your own, such as a list. Without
   * the option `entityTag`, the tag is made from the version of the state; or, if the store has no versions,
   * from the value that clients see.
   *
   * @param stored - the result of `get` of the store, or of `show` of a store over rows
   */
  entityTag(stored: Stored<T> | Stored<Partial<T>>, req: PatchRequest): string;
  /**
   * Answers DELETE. If the store has no method `delete`, reading this property throws, and a copy
   * `{ ...resource }` does not have it.
   *
   * @throws ConfigurationError
   */
  readonly delete: Middleware;
}

/**
 * Creates the handlers for GET, HEAD, PUT, PATCH and DELETE of a resource. They share one entity tag: the
 * ETag of any answer satisfies If-Match on all of them until the resource changes.
 *
 * PUT takes `application/json` and replaces what clients can see and write; members that are `hidden`,
 * `readOnly` or not `writable` stay. It creates resources only with the option `create`. Mount only the
 * methods that you want to offer: `Allow` lists what is mounted.
 *
 * @param store - where the resources are stored
 * @param parsers - the patch formats, in the order of Accept-Patch
 * @throws ConfigurationError with every mistake in the options
 *
 * @example
 * ```ts
 * const note = resource(notes, [jsonPatch(), mergePatch()], { key: 'id' });
 * app.get('/notes/:id', note.get);
 * app.put('/notes/:id', note.put);
 * app.patch('/notes/:id', note.patch);
 * app.delete('/notes/:id', note.delete);
 * ```
 */
export function resource<T>(
  store: ResourceStore<T>,
  parsers: readonly PatchParser<NoInfer<T>>[],
  options: ResourceOptions<NoInfer<T>> = {},
): ResourceHandlers<T> {
  const check = new OptionsCheck('resource()');
  const patchFormats = compileParsers<PatchParser<T>>(parsers, check);
  const checkedOptions = checkHandlerOptions<T, ResourceOptions<T>>(
    store,
    options,
    patchFormats,
    check,
    ownOptions,
  );
  const { represent, entityTag } = checkedOptions;
  if (represent !== undefined && represent.length > 1 && entityTag === undefined) {
    check.mistake('represent', represent, {
      code: 'option-dependency',
      reason: 'reads the request, but the entity tag is the same for every client',
      fix: 'Add entityTag: ({ version }, req) => entityTag({ version: `${version} …` }) with what differs, or leave req out.',
    });
  }
  check.done();

  const settings = compileSettings<T>(check.subject, store, patchFormats, checkedOptions);
  const handlers = {
    get: createGet(settings),
    put: createPut(settings),
    patch: createPatch(settings),
    get delete(): Middleware {
      throw deletesNothing(store);
    },
    entityTag: settings.createTag,
  };
  // So that a copy, as in `{ guard, ...note }`, has only the handlers, and `delete` only if the store
  // deletes.
  Object.defineProperty(handlers, 'entityTag', { enumerable: false });
  return Object.defineProperty(
    handlers,
    'delete',
    deletes(store)
      ? { value: createDelete(settings, store, checkedOptions), enumerable: true, writable: true }
      : { enumerable: false },
  );
}

const ownOptions = { onDeleted: functionLike('(event) => …') };

function deletes<T>(store: ResourceStore<T>): store is DeletingStore<T> {
  return typeof readMember(store, 'delete') === 'function';
}

function deletesNothing(store: unknown): ConfigurationError {
  const fix = 'Use a store with a delete method, or do not mount DELETE.';
  const mistake = {
    option: 'delete',
    value: inspectValue(store),
    code: 'store-without-delete',
    reason: 'has no delete method',
    fix,
  } as const;
  return new ConfigurationError('resource()', [mistake]);
}
