import { optionsOf } from '../prototype-pollution';
import type { Conflict } from './conflict';
import { ArgumentError } from './errors';

/** As much of the `fetch` of browsers, Node and workers as is called. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;

/** The second argument of `fetch`. */
export interface FetchRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly credentials?: 'omit' | 'same-origin' | 'include';
  readonly cache?: 'no-cache';
  readonly redirect: 'follow' | 'manual';
}

/** As much of a `Response` as is read. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** Options of `resourceClient`. */
export interface ResourceClientOptions<T = unknown> {
  /** What sends requests (Fetch). Default: the `fetch` of the platform. */
  readonly fetch?: Fetch;
  /**
   * Header fields of every request (RFC 9110 6.3), such as Authorization, or a function that gives them or a promise of
   * them, asked for each sending. Default: none.
   */
  readonly headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** Whether cookies are sent (Fetch, credentials mode). Default: `'same-origin'`, that of fetch. */
  readonly credentials?: 'omit' | 'same-origin' | 'include';
  /**
   * True: the server honours Idempotency-Key (draft-ietf-httpapi-idempotency-key-header), so that a change whose answer was
   * lost is sent again and made once. Whether it does cannot be found out: set it where the resource has the option
   * `idempotency`, and only there. Browsers may send a request twice by themselves, on a connection that was closed, so
   * that without it a change may be made twice. Default: false.
   */
  readonly idempotency?: boolean;
  /** How often a change is made again on what the resource is now, after it was refused by 412. Default: 15. */
  readonly retries?: number;
  /**
   * Milliseconds within which a request has to be answered, all its repeats and the waits between them included; each
   * sending is given up after a third of them. Default: 30,000.
   */
  readonly timeout?: number;
  /**
   * Decides for `save` where both have changed one place: gives the value to be saved, or a promise of it. Undefined, or
   * no such function: a `ConflictError`. Default: none.
   */
  readonly onConflict?: OnConflict<T>;
}

/** Header fields of a request, by name. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** Decides a conflict: returns the value to save, or undefined to give up with a `ConflictError`. */
export type OnConflict<T> = (conflict: Conflict<T>) => T | undefined | Promise<T | undefined>;

/** The options with every default filled in. */
export interface Settings {
  readonly fetch: Fetch;
  readonly headers: () => RequestHeaders | Promise<RequestHeaders>;
  readonly credentials: 'omit' | 'same-origin' | 'include' | undefined;
  readonly idempotency: boolean;
  readonly retries: number;
  readonly timeout: number;
  readonly onConflict: OnConflict<unknown> | undefined;
}

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

interface Rule {
  readonly fits: (value: unknown) => boolean;
  readonly must: string;
}

const rules: Readonly<Record<keyof ResourceClientOptions, Rule>> = {
  fetch: { fits: isFunction, must: 'must be a function' },
  headers: {
    fits: (value) => isObject(value) || isFunction(value),
    must: 'must be an object of header fields, or a function that gives one',
  },
  credentials: {
    fits: (value) => value === 'omit' || value === 'same-origin' || value === 'include',
    must: "must be 'omit', 'same-origin' or 'include'",
  },
  idempotency: { fits: (value) => typeof value === 'boolean', must: 'must be true or false' },
  retries: {
    fits: (value) => Number.isInteger(value) && Number(value) >= 0,
    must: 'must be a whole number of 0 or more',
  },
  timeout: {
    fits: (value) => typeof value === 'number' && value > 0 && value <= 2_147_483_647,
    must: 'must be a number of milliseconds over 0, and below 2 ** 31',
  },
  onConflict: { fits: isFunction, must: 'must be a function' },
};

const names = Object.keys(rules);

/** @throws ArgumentError with every mistake */
export function settingsOf<T>(given: ResourceClientOptions<T>): Settings {
  if (!isObject(given))
    throw new ArgumentError('option-type', 'The options of resourceClient must be an object.');
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  const options = optionsOf(given, names);
  const mistakes = Object.entries(rules).flatMap(([name, { fits, must }]) => {
    const value: unknown = Reflect.get(options, name);
    return value === undefined || fits(value) ? [] : [`  ${name} ${must}; it is ${shown(value)}.`];
  });
  for (const name of unknown)
    mistakes.push(`  ${name} is not a known option. The options are ${names.join(', ')}.`);
  if (mistakes.length > 0) {
    const code = unknown.length === mistakes.length ? 'option-unknown' : 'option-type';
    throw new ArgumentError(
      code,
      ['resourceClient() cannot work with these options:', ...mistakes].join('\n'),
    );
  }

  const { headers = {}, idempotency = false, retries = 15, timeout = 30_000 } = options;
  return {
    fetch: options.fetch ?? platformFetch,
    headers: typeof headers === 'function' ? headers : () => headers,
    credentials: options.credentials,
    idempotency,
    retries,
    timeout,
    // It gets what `save` of the same client was given.
    onConflict: options.onConflict as OnConflict<unknown> | undefined,
  };
}

/** Looked up at each call: what measures or mocks requests puts another in its place. */
const platformFetch: Fetch = (url, request) => globalThis.fetch(url, request);

function shown(value: unknown): string {
  try {
    const text: unknown = JSON.stringify(value);
    return typeof text === 'string' && text.length <= 100 ? text : `of the type ${typeof value}`;
  } catch {
    return `of the type ${typeof value}`;
  }
}
