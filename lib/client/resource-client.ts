import type { NoInfer } from '../config/no-infer';
import type { Recipe } from '../json/recipe';
import { urlResolver } from './address';
import {
  readCall,
  readClientSettings,
  readSaveCall,
  type Call,
  type PutCall,
  type RemoveCall,
  type ResourceClientOptions,
  type SaveCall,
} from './client-options';
import { Connection } from './connection';
import { putTarget, removeTarget, type Put } from './put-and-remove';
import type { Resource } from './resource-cache';
import { changeByRecipe, saveForm, type ChangeResult } from './save';

/** The methods and patch formats that a resource accepts, from its answer to OPTIONS. */
export interface Capabilities {
  /** The methods in Allow; empty if the header is missing, or not exposed to the page. */
  readonly allow: readonly string[];
  /** The media types in Accept-Patch; empty if the header is missing, or not exposed to the page. */
  readonly acceptPatch: readonly string[];
}

/**
 * A client that reads and changes resources without overwriting other people's changes. Its methods can be
 * called without `this`.
 *
 * Its writes to one URL (`change`, `save`, `put`, `remove`) take turns, in the order of the calls, and each
 * begins with the state that the previous write has left. Writes to different URLs do not wait for each
 * other.
 *
 * @typeParam T - the type of the resources; a call can name another, as in `change<User>(…)`
 */
export interface ResourceClient<T = unknown> {
  /**
   * Reads a resource, and caches it: the next read sends If-None-Match.
   *
   * @returns the value, frozen, and the entity tag in its strong form
   * @throws ResponseError, EntityTagError, ContentError, ConnectionError
   */
  get<R = T>(url: string, call?: Call): Promise<Resource<R>>;

  /**
   * Removes a resource from the cache. Without a URL, removes all resources, for instance when another user
   * signs in. Writes that are waiting for their turn then reject with an AbortError, because they would be
   * sent as that user.
   */
  forget(url?: string): void;

  /**
   * Changes a resource: sends what the recipe changed as a JSON Patch, with If-Match. If someone else has
   * changed the resource in the meantime, it is read again, and the recipe runs on its current value.
   *
   * The recipe modifies the draft or returns a new value. It can run several times; an error that it throws
   * ends the call. It runs on the cached state first; if it throws or changes nothing there, it runs again on
   * a fresh state.
   *
   * @returns the new value of the resource: the representation in the answer (requested with Prefer), or the
   *   result of a GET, which can include later changes; if the GET fails, the value that was sent
   * @throws ResponseError (412 if it was overtaken at every attempt), UncertainError, ArgumentError, and the
   *   errors of `get`
   *
   * @example
   * ```ts
   * const { value } = await client.change('/notes/1', (note) => {
   *   note.title = 'Buy oat milk';
   * });
   * return value.title;
   * ```
   */
  change(url: string, recipe: Recipe<T>, call?: Call): Promise<ChangeResult<T>>;

  /** The same for a resource of another type, which the call must name: `change<User>(…)`. */
  change<R = never>(url: string, recipe: Named<R, Recipe<NoInfer<R>>>, call?: Call): Promise<ChangeResult<R>>;

  /**
   * Saves a form: sends the difference between the value it started with and its current value. Changes that
   * other people have made to other members are kept. If they have changed the same members, `onConflict`
   * decides; meanwhile, other writes to the URL go on.
   *
   * Changes are merged by members of objects and elements of lists, at any depth. Elements are recognised by
   * their `identity` at any position, and texts by themselves; any other list is one value.
   *
   * @param base - the value that the form started with, as `get` returned it; it is not modified
   * @param mine - the current value of the form; it is not modified
   * @returns the new value of the resource, its entity tag, and the patch that was sent
   * @throws ConflictError, the errors of the function `identity`, and the errors of `change`
   */
  save(url: string, base: T, mine: T, call?: SaveCall<T>): Promise<ChangeResult<T>>;

  /** The same for a resource of another type, which the call must name: `save<User>(…)`. */
  save<R = never>(
    url: string,
    base: Named<R, NoInfer<R>>,
    mine: NoInfer<R>,
    call?: SaveCall<NoInfer<R>>,
  ): Promise<ChangeResult<R>>;

  /**
   * Replaces a resource by PUT, if it is still in the state that was last read or written, or has the given
   * `etag`; or creates it, if it does not exist (`create`). Nothing is merged, and a 412 is not retried. All
   * calls of a client share the state that was last read or written: pass `etag` if another call may have
   * read or changed the resource since the value was shown.
   *
   * @throws ResponseError (412 if the precondition does not hold), UncertainError, ArgumentError,
   *   ConnectionError, EntityTagError if GET returns a tag that never satisfies If-Match
   */
  put<R = T>(url: string, value: NoInfer<R>, call?: PutCall): Promise<Put<R>>;

  /**
   * Removes a resource by DELETE, if it is still in the state that was last read or written, or has the given
   * `etag`. If a response was lost and the resource is gone, that is a success.
   *
   * @throws ResponseError (412 if the precondition does not hold), UncertainError, ArgumentError,
   *   ConnectionError, EntityTagError if GET returns a tag that never satisfies If-Match, ContentError if the
   *   answer has content that is not JSON, such as a login page
   */
  remove(url: string, call?: RemoveCall): Promise<void>;

  /**
   * Asks which methods and patch formats a resource accepts (OPTIONS).
   *
   * @throws ResponseError, ConnectionError, ContentError if the answer has no Allow, but content that is not
   *   JSON, such as a login page
   */
  options(url: string, call?: Call): Promise<Capabilities>;
}

/**
 * Creates a client for resources with entity tags that accept JSON Patch, such as resources of
 * `patchHandler`. It works in browsers, Node, Deno, Bun and workers.
 *
 * A request is retried if its connection fails, or if it is answered with 408, 425, 429, 502, 503, 504, or
 * 409 with Retry-After. Each retry waits for Retry-After and a growing pause, within `timeout`. With the
 * option `idempotency`, PATCH and PUT are also retried, up to three times, after other answers that leave
 * open whether they were carried out, with the same Idempotency-Key.
 *
 * @typeParam T - the type of the resources; a call can name another, as in `change<User>(…)`
 * @param base - the URL under which the resources are; without it, the URLs of calls are absolute, or
 *   relative to the page
 * @throws ArgumentError with every mistake in the options
 *
 * @example
 * ```ts
 * const api = resourceClient<Note>('https://api.example', { idempotency: true });
 * await api.change('/notes/1', (note) => {
 *   note.title = note.title.trim();
 * });
 * ```
 */
export function resourceClient<T = unknown>(
  base?: string | URL,
  options: ResourceClientOptions<T> = {},
): ResourceClient<T> {
  const connection = new Connection(readClientSettings(options));
  const { cache, settings } = connection;
  const resolveUrl = urlResolver(base);

  // Nothing checks that responses have the types that the caller declares.
  const client: Methods = {
    get: async (url, call) => connection.read(resolveUrl(url), readCall(call).signal),
    forget(url) {
      cache.forget(url === undefined ? undefined : resolveUrl(url));
      if (url === undefined) connection.turns.endAll();
    },
    change: async (url, recipe, call) =>
      changeByRecipe(connection.begin(), resolveUrl(url), recipe, readCall(call).signal),
    save: async (url, base, mine, call) => {
      const {
        identity = settings.identity,
        onConflict = settings.onConflict,
        signal,
      } = readSaveCall(call ?? {});
      return saveForm(connection.begin(), resolveUrl(url), base, mine, { identity, onConflict, signal });
    },
    put: async (url, value, call) => putTarget(connection.begin(), resolveUrl(url), value, readCall(call)),
    remove: async (url, call) => removeTarget(connection.begin(), resolveUrl(url), readCall(call)),
    options: async (url, call) => {
      const { field } = await connection.options(resolveUrl(url), readCall(call).signal);
      return {
        allow: listIn(field('Allow')),
        acceptPatch: listIn(field('Accept-Patch')),
      };
    },
  };
  return client as ResourceClient<T>;
}

/**
 * `V` if the call names the type `R`, else never. While TypeScript infers the type parameter of a call, it
 * widens the return type of a function, so that 'done' becomes string: so calls without a type argument must
 * not have one.
 */
type Named<R, V> = [R] extends [never] ? never : V;

/** The methods of a client without the types that callers declare. */
interface Methods extends Pick<ResourceClient, 'forget' | 'remove' | 'options'> {
  get(url: string, call?: Call): Promise<Resource>;
  change(url: string, recipe: (draft: unknown) => unknown, call?: Call): Promise<ChangeResult>;
  save(url: string, base: unknown, mine: unknown, call?: SaveCall<unknown>): Promise<ChangeResult>;
  put(url: string, value: unknown, call?: PutCall): Promise<Put>;
}

function listIn(field: string | null): readonly string[] {
  return (field ?? '')
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '');
}
