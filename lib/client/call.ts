import { pickOptions } from '../config/prototype-pollution';
import type { Identity } from '../json/diff/identity';
import type { OnConflict } from './client-options';

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
  /** Resolves conflicts of this call. Left out, the option `onConflict` of the client does. */
  readonly onConflict?: OnConflict<T> | undefined;
  /** What identifies the elements of lists. Left out, the option `identity` of the client does. */
  readonly identity?: Identity | undefined;
}

/** Options of `remove` of a `ResourceClient`. */
export interface RemoveCall extends Call {
  /**
   * The entity tag that the resource must have; `'*'` for any. Left out, the tag that was last read or
   * written is used.
   */
  readonly etag?: string | undefined;
}

/** Options of `put` of a `ResourceClient`. */
export interface PutCall extends RemoveCall {
  /**
   * True: creates the resource, which must not exist (If-None-Match: *). Left out, an existing resource is
   * replaced.
   */
  readonly create?: boolean | undefined;
}

/** The options of a call, without what is on Object.prototype. */
export function readCall<C extends Call>(call: C | undefined): Partial<C> {
  return pickOptions<Partial<C>>(call ?? {}, ['signal', 'etag', 'create']);
}
