import { anything, flag, functionLike, oneOf, typed, valued } from '../config/expectation';
import type { Issue } from '../config/mistake';
import { isFunction, isObject } from '../config/object';
import { pickOptions } from '../config/prototype-pollution';
import { readOptions, type Expectations } from '../config/read-options';
import { isIdentity, type Identity } from '../json/diff/identity';
import { ArgumentError, type ArgumentErrorCode, type Conflict } from './errors';

/** The part of the `fetch` function of browsers, Node and workers that the client uses. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;

/** The second argument with which the client calls `fetch`. */
export interface FetchRequest {
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** The request headers, including those of the option `headers`. */
  readonly headers: Record<string, string>;
  /** The content of the request, as JSON. */
  readonly body?: string;
  /** Aborted by the caller's signal, or after the time limit of the attempt. */
  readonly signal: AbortSignal;
  readonly credentials?: 'omit' | 'same-origin' | 'include';
  readonly cache?: 'no-cache';
  readonly redirect: 'follow' | 'manual';
}

/** The part of a `Response` that the client reads. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  /**
   * The stream of the content. The client reads answers other than 200, 201 and 204 from it, so that it can
   * give up an answer that never ends. If it is not a `ReadableStream`, the client calls `text`.
   */
  readonly body?: unknown;
}

/** Options of `resourceClient`. */
export interface ResourceClientOptions<T = unknown> {
  /** The function that sends requests (Fetch). Default: the `fetch` of the platform. */
  readonly fetch?: Fetch;
  /**
   * The headers of every request (RFC 9110 6.3), such as Authorization; or a function that returns them, or a
   * promise of them, which is called each time a request is sent. Default: none.
   */
  readonly headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** Whether cookies are sent (Fetch, credentials mode). Default: `'same-origin'`, as for fetch. */
  readonly credentials?: 'omit' | 'same-origin' | 'include';
  /**
   * Sends an Idempotency-Key (draft-ietf-httpapi-idempotency-key-header), so that a change whose answer was
   * lost can be sent again without being made twice. Set it only if the resource has the option
   * `idempotency`: the client cannot detect that. Without it, a change can be made twice, as browsers and
   * Deno themselves resend requests on closed connections. Default: false.
   */
  readonly idempotency?: boolean;
  /**
   * The time limit of a request in milliseconds, including all retries, the pauses between them and the wait
   * for `headers`. A single attempt is aborted after a third of it. The time that a write waits for earlier
   * writes to the same URL does not count; but if one of those fails because no answer came, all writes that
   * have waited longer than `timeout` fail with it. Default: 30,000.
   */
  readonly timeout?: number;
  /**
   * Resolves conflicts of `save`: returns the value to save, or a promise of it. Without it, or if it returns
   * undefined, `save` rejects with a `ConflictError`. Default: none.
   */
  readonly onConflict?: OnConflict<T>;
  /**
   * The identity of list elements when `save` merges: the name of a member; a list of names, of which the
   * first that identifies every element is used; or a function of the element and the JSON Pointer of its
   * list in `base`, which returns undefined if the element has no identity. Default: `['id', '_id', 'key']`.
   */
  readonly identity?: Identity;
}

/** Request headers, by name. */
export type RequestHeaders = Readonly<Record<string, string>>;

/**
 * Resolves a conflict of `save`: returns the value to save; undefined makes `save` reject with a
 * `ConflictError`.
 */
export type OnConflict<T> = (conflict: Conflict<T>) => T | undefined | Promise<T | undefined>;

/** Options of every method of a `ResourceClient` that sends a request. */
export interface Call {
  /**
   * Aborts the call, which then rejects with the signal's reason. The server can still carry out a request
   * that was sent.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `save` of a `ResourceClient`. */
export interface SaveCall<T> extends Call {
  /** Resolves conflicts of this call. Default: the option `onConflict` of the client. */
  readonly onConflict?: OnConflict<T> | undefined;
  /** The identity of list elements in this call. Default: the option `identity` of the client. */
  readonly identity?: Identity | undefined;
}

/** Options of `remove` of a `ResourceClient`. */
export interface RemoveCall extends Call {
  /**
   * The entity tag that the resource must have; `'*'` for any. Default: the tag that was last read or
   * written.
   */
  readonly etag?: string | undefined;
}

/** Options of `put` of a `ResourceClient`. */
export interface PutCall extends RemoveCall {
  /**
   * True creates the resource, which must not exist (If-None-Match: *). Default: an existing resource is
   * replaced.
   */
  readonly create?: boolean | undefined;
}

/** The options with all defaults. */
export interface Settings {
  readonly fetch: Fetch;
  readonly headers: () => RequestHeaders | Promise<RequestHeaders>;
  readonly credentials: 'omit' | 'same-origin' | 'include' | undefined;
  readonly idempotency: boolean;
  readonly timeout: number;
  readonly onConflict: OnConflict<unknown> | undefined;
  readonly identity: Identity | undefined;
}

const expectations: Expectations<keyof ResourceClientOptions> = {
  fetch: functionLike('(url, request) => fetch(url, request)'),
  headers: typed(
    (headers) => isObject(headers) || isFunction(headers),
    "Write { authorization: '…' }, or a function that returns one.",
    'must be an object of headers, or a function that returns one',
  ),
  credentials: oneOf('omit', 'same-origin', 'include'),
  idempotency: flag,
  timeout: valued(
    (timeout) => typeof timeout === 'number' && timeout > 0 && timeout < 2 ** 31,
    'Write a number of milliseconds above 0 and below 2 ** 31.',
  ),
  onConflict: functionLike('({ mine, theirs, withMine, withTheirs }) => …'),
  identity: typed(
    isIdentity,
    "Write 'slug', ['slug', 'id'], or (element) => ….",
    'must be a name, a list of names, or a function',
  ),
};

/** The options of one call of `save`, which take the place of the client's. */
const saveExpectations: Expectations = {
  signal: anything,
  onConflict: expectations.onConflict,
  identity: expectations.identity,
};

/** The options of a call, without properties of Object.prototype. */
export function readCall<C extends Call>(call: C | undefined): Partial<C> {
  return pickOptions<Partial<C>>(call ?? {}, ['signal', 'etag', 'create']);
}

/** @throws ArgumentError with every mistake in the options */
export function readSaveCall<C extends object>(call: C): C {
  return readChecked('save()', call, saveExpectations);
}

/** @throws ArgumentError with every mistake in the options */
export function readClientSettings<T>(options: ResourceClientOptions<T>): Settings {
  const checkedOptions = readChecked('resourceClient()', options, expectations);
  const { headers = {}, idempotency = false, timeout = 30_000 } = checkedOptions;
  return {
    fetch: checkedOptions.fetch ?? platformFetch,
    headers: typeof headers === 'function' ? headers : () => headers,
    credentials: checkedOptions.credentials,
    idempotency,
    timeout,
    // It gets values of the type that `save` of the same client was called with.
    onConflict: checkedOptions.onConflict as OnConflict<unknown> | undefined,
    identity: checkedOptions.identity,
  };
}

function readChecked<O>(subject: string, options: O, expected: Expectations): O {
  const mistakes: { readonly code: ArgumentErrorCode; readonly line: string }[] = [];
  const checkedOptions = readOptions(options, expected, (option, value, { code, reason, fix }) => {
    const subject = code === 'option-unknown' ? option : `${option}: ${shown(value)}`;
    mistakes.push({ code: argumentCode(code), line: `  ${subject} ${reason}. ${fix}` });
  });
  const [first] = mistakes;
  if (first !== undefined) {
    const lines = mistakes.map(({ line }) => line);
    throw new ArgumentError(first.code, [`${subject} received invalid options:`, ...lines].join('\n'));
  }
  return checkedOptions ?? options;
}

function argumentCode(code: Issue['code']): ArgumentErrorCode {
  return code === 'option-unknown' || code === 'option-value' ? code : 'option-type';
}

/** Looked up on each call, because tools that measure or mock requests replace it. */
const platformFetch: Fetch = (url, request) => globalThis.fetch(url, request);

/** Objects and texts can contain secrets, such as the token in `headers`. */
function shown(value: unknown): string {
  const isSecretive = value !== null && /^[osf]/.test(typeof value);
  return isSecretive ? `a value of type ${typeof value}` : String(value);
}
