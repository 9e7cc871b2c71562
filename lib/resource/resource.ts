import { ConfigurationError, OptionsCheck } from '../configuration';
import type { Middleware } from '../http/middleware';
import { compileParsers, type PatchParser } from '../parsers/patch-parser';
import { checkHandlerOptions } from '../patch/options/check-handler-options';
import type { PatchHandlerOptions } from '../patch/options/handler-options';
import { fieldValue, functionOf } from '../request/expectations';
import { settingsOf } from '../patch/options/settings';
import { patchOf } from '../patch/patch-handler';
import { memberOf } from '../prototype-pollution';
import type { ResourceStore } from '../stores/contract/resource-store';
import { deleteOf, type DeletingStore } from './delete';
import { getOf } from './get';
import { keptMembers } from './kept-members';
import { putOf } from './put';
import type { ResourceOptions } from './resource-options';

/** The handlers of one resource, to be mounted on the app's own routes. */
export interface Resource {
  /** GET, and HEAD where the route gets it, as `app.get` does. */
  readonly get: Middleware;
  /** PUT of the whole representation, in `application/json`. */
  readonly put: Middleware;
  /** What `patchHandler` makes. */
  readonly patch: Middleware;
  /**
   * DELETE. Over a store that has no `delete`, a copy `{ ...resource }` has none, and to read it here throws.
   *
   * @throws ConfigurationError
   */
  readonly delete: Middleware;
}

/**
 * The whole resource of one store: GET, HEAD, PUT, PATCH and DELETE under one entity tag. Whatever ETag any of them sends,
 * `If-Match` with it holds on all of them for as long as the resource has not changed.
 *
 * PUT takes `application/json`. It replaces what clients see and may write; what is `hidden`, `readOnly` or not `writable`
 * stays. It creates only with the option `create`. Mount the methods you want to offer: `Allow` lists what is mounted.
 *
 * @param parsers - the patch formats, in the order of Accept-Patch
 * @throws ConfigurationError with every mistake in the options
 *
 * @example
 * ```ts
 * const note = resource(notes, [jsonPatch(), mergePatch()], { key: (req) => req.params.id });
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
): Resource {
  const check = new OptionsCheck('resource()');
  const patchFormats = compileParsers<T>(parsers, check);
  const own = checkHandlerOptions<T, ResourceOptions<T>>(store, options, check, ownOptions);
  check.done();

  const { represent } = own;
  // A spread would make an object that has what is on Object.prototype.
  const shared: PatchHandlerOptions<T> = Object.assign(
    Object.create(null) as object,
    own,
    represent && { represent: (value: T) => represent(value) },
  );
  const settings = settingsOf<T>(check.subject, store, patchFormats, shared);
  const handlers = {
    get: getOf(settings, own.cacheControl),
    put: putOf(settings, [
      keptMembers(own),
      keptMembers({ readOnly: memberOf(store, 'readOnly'), writable: undefined }),
    ]),
    patch: patchOf(settings),
  };
  if (deletes(store)) return { ...handlers, delete: deleteOf(settings, store, own) };
  const withoutDelete: Resource = {
    ...handlers,
    get delete(): Middleware {
      throw deletesNothing(store);
    },
  };
  return Object.defineProperty(withoutDelete, 'delete', { enumerable: false });
}

const ownOptions = {
  cacheControl: fieldValue('Cache-Control', "Give the value of Cache-Control: 'no-cache'."),
  onDeleted: functionOf('the event'),
};

function deletes<T>(store: ResourceStore<T>): store is DeletingStore<T> {
  return typeof memberOf(store, 'delete') === 'function';
}

function deletesNothing(store: unknown): ConfigurationError {
  const fix = 'Take a store that has delete, as all of this package have, or mount no DELETE.';
  const mistake = {
    option: 'delete',
    value: store,
    code: 'store-without-delete',
    reason: 'deletes nothing',
    fix,
  } as const;
  return new ConfigurationError('resource()', [mistake]);
}
