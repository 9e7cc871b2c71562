import { optionsOf } from '../prototype-pollution';
import { addresser } from './connection/address';
import { changeTarget, type Changed } from './change';
import { settingsOf, type OnConflict, type ResourceClientOptions } from './client-options';
import { Connection } from './connection/connection';
import type { Resource } from './connection/memory';
import { putTarget, removeTarget, type Put } from './put-and-remove';
import { cook, type Recipe } from './recipe';
import { saveTarget } from './save';

/** Of every call. */
export interface Call {
  /** Ends the call, which then rejects with the signal's reason. What was sent by then may have been carried out. */
  readonly signal?: AbortSignal | undefined;
}

/** Of `save`. */
export interface SaveCall<T> extends Call {
  /** In place of the client's. */
  readonly onConflict?: OnConflict<T> | undefined;
}

/** Of `remove`: which state of the resource is meant. */
export interface RemoveCall extends Call {
  /** Its entity tag; `'*'` for any. Left out, that of the state that was last read or written. */
  readonly etag?: string | undefined;
}

/** Of `put`: the same, or that there is none yet. */
export interface PutCall extends RemoveCall {
  /** True: the resource is only to be created (If-None-Match: *). Left out, it is to be replaced. */
  readonly create?: boolean | undefined;
}

/** What a resource says of itself. */
export interface Offer {
  /** The methods that it handles; none where the field is missing, or not exposed to the page. */
  readonly allow: readonly string[];
  /** The media types of the patches that it takes; none where the field is missing, or not exposed to the page. */
  readonly acceptPatch: readonly string[];
  /** The same of queries. */
  readonly acceptQuery: readonly string[];
}

/** Reads and changes resources, and loses no update of anybody. Its methods need no `this`. */
export interface ResourceClient<T = unknown> {
  /**
   * Reads a resource. It is remembered, and asked again by If-None-Match.
   *
   * @returns its value, frozen, and its strong entity tag
   * @throws ResponseError, EntityTagError, ContentError, ConnectionError
   */
  get<R = T>(url: string, call?: Call): Promise<Resource<R>>;

  /**
   * Forgets what is remembered of a resource, or of all: when somebody else signs in.
   */
  forget(url?: string): void;

  /**
   * Changes a resource. What the recipe has changed is sent as a JSON Patch on condition that nobody else has changed it
   * meanwhile. Where somebody has, the resource is read again, and the recipe run on what it is now.
   *
   * The recipe alters the draft or returns a new value; it may run several times, and what it throws ends the call. It is
   * first run on the state that is remembered; what it throws there, or leaves unchanged, is tried again on a fresh one.
   *
   * @returns what the resource then is: the representation that the server answers with (it is asked for by Prefer), or else
   * what a GET gives, which may have a later change in it. Only where that fails too is it what was sent
   * @throws ResponseError (412 where it was overtaken more often than `retries`), UncertainError, ArgumentError, and what
   * `get` throws
   *
   * @example
   * ```ts
   * const { value } = await client.change('/notes/1', (note) => {
   *   note.title = 'Buy oat milk';
   * });
   * return value.title;
   * ```
   */
  change<R = T>(url: string, recipe: Recipe<R>, call?: Call): Promise<Changed<R>>;

  /**
   * Saves a form: the change from what it began with to what it holds. What others have changed elsewhere meanwhile is kept;
   * where they have changed the same place, `onConflict` decides.
   *
   * Places are the members of objects, the elements of arrays and the gaps between these, however deep.
   *
   * @param base - the value that the form began with, as `get` gave it
   * @param mine - the value that it holds now; neither is changed
   * @returns as `change` does
   * @throws ConflictError, and what `change` throws
   */
  save<R = T>(url: string, base: R, mine: R, call?: SaveCall<R>): Promise<Changed<R>>;

  /**
   * Replaces a resource by PUT, or creates it, on condition: that it is in the state that was last read or written, or in
   * that of `etag`, or not there (`create`). Nothing is merged, and nothing tried again on another state.
   *
   * @throws ResponseError (412 where the condition does not hold), UncertainError, ArgumentError, ConnectionError
   */
  put<R = T>(url: string, value: R, call?: PutCall): Promise<Put<R>>;

  /**
   * Removes a resource by DELETE, on condition that it is in the state that was last read or written, or in that of `etag`.
   * Where an answer was lost, that it is gone is a success.
   *
   * @throws ResponseError (412 where the condition does not hold), UncertainError, ArgumentError, ConnectionError
   */
  remove(url: string, call?: RemoveCall): Promise<void>;

  /**
   * Asks a resource a query (RFC 10008), in JSON. It changes nothing, and is sent again as GET is.
   *
   * @returns the result, frozen
   * @throws ResponseError, ContentError, ConnectionError
   *
   * @example
   * ```ts
   * const found = await client.query<Note[]>('/notes', { tag: 'home' });
   * return found.length;
   * ```
   */
  query<R = unknown>(url: string, query: unknown, call?: Call): Promise<R>;

  /**
   * Asks which methods a resource handles, and which patch and query formats it takes.
   *
   * @throws ResponseError, ConnectionError
   */
  options(url: string, call?: Call): Promise<Offer>;
}

/**
 * Makes a client of resources that have entity tags and take JSON Patch, such as those of `patchHandler`: for browsers, Node,
 * Deno, Bun and workers.
 *
 * A request whose connection fails, or that is answered by 408, 425, 429, 502, 503, 504, or by 409 with Retry-After, is sent
 * again: after Retry-After, or a pause that grows, within `timeout`, and under the same Idempotency-Key.
 *
 * @typeParam T - what the resources are, where they are of one kind; each call may name another
 * @param base - what the URLs of calls stand behind; without it they are absolute, or relative to the page
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
  const connection = new Connection(settingsOf(options));
  const { memory, settings } = connection;
  const addressOf = addresser(base);

  // What comes over the network is of the type that the caller says it is.
  const client: Methods = {
    get: async (url, call) => connection.read(addressOf(url), own(call).signal),
    forget(url) {
      memory.forget(url === undefined ? undefined : addressOf(url));
    },
    change: async (url, recipe, call) => {
      const decide = ({ value }: Resource): unknown => cook(value, recipe);
      return changeTarget(connection, addressOf(url), decide, { isState: false }, own(call).signal);
    },
    save: async (url, base, mine, call) => {
      const { signal, onConflict = settings.onConflict } = own(call);
      return saveTarget(connection, addressOf(url), { base, mine }, onConflict, signal);
    },
    put: async (url, value, call) => putTarget(connection, addressOf(url), value, own(call)),
    remove: async (url, call) => removeTarget(connection, addressOf(url), own(call)),
    query: async (url, query, call) => connection.query(addressOf(url), query, own(call).signal),
    options: async (url, call) => {
      const { field } = await connection.options(addressOf(url), own(call).signal);
      return {
        allow: listIn(field('Allow')),
        acceptPatch: listIn(field('Accept-Patch')),
        // Its elements may stand in quotes (RFC 10008 3).
        acceptQuery: listIn(field('Accept-Query')).map((type) => type.replace(/^"(.*)"$/, '$1')),
      };
    },
  };
  return client as ResourceClient<T>;
}

/** The methods of any client, of what nobody knows. */
interface Methods extends Pick<ResourceClient, 'forget' | 'remove' | 'options'> {
  get(url: string, call?: Call): Promise<Resource>;
  change(url: string, recipe: (draft: unknown) => unknown, call?: Call): Promise<Changed>;
  save(url: string, base: unknown, mine: unknown, call?: SaveCall<unknown>): Promise<Changed>;
  put(url: string, value: unknown, call?: PutCall): Promise<Put>;
  query(url: string, query: unknown, call?: Call): Promise<unknown>;
}

/** What a call was given beside its URL, and nothing that others have put on Object.prototype. */
function own<C extends Call>(call: C | undefined): Partial<C> {
  return optionsOf<Partial<C>>(call ?? {}, ['signal', 'onConflict', 'etag', 'create']);
}

function listIn(field: string | null): readonly string[] {
  return (field ?? '')
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '');
}
