import type { PatchHandlerOptions, ProposedChange } from '../patch/options/handler-options';
import type { PatchRequest } from '../request/routed-request';
import type { Stored } from '../stores/contract/resource-store';

/** What `authorize` of a `resource` judges about a DELETE. */
export interface ProposedDeletion<T> {
  readonly current: T;
  readonly next: undefined;
  /** The whole document. */
  readonly changed: readonly string[];
}

/** What `onDeleted` is told. */
export interface DeletedEvent<T> {
  readonly key: string;
  readonly before: Stored<T>;
  readonly req: PatchRequest;
}

/** Options of `resource`: those of `patchHandler`, for all methods, and some more. `req.method` tells which it is. */
export interface ResourceOptions<T> extends Omit<PatchHandlerOptions<T>, 'represent' | 'authorize'> {
  /**
   * What clients get to see of a value, without its hidden members. It is given no request: one entity tag stands for one body.
   * Default: all of it.
   */
  readonly represent?: (value: T) => unknown;
  /**
   * Whether this client may make this change, else 403. Asked last, about what would be written; `next` is undefined where
   * that is nothing, on DELETE. Default: it may.
   */
  readonly authorize?: (
    req: PatchRequest,
    change: ProposedChange<T> | ProposedDeletion<T>,
  ) => boolean | Promise<boolean>;
  /** The Cache-Control of GET and HEAD (RFC 9111 5.2): `'no-cache'`, for instance. Default: none is sent. */
  readonly cacheControl?: string;
  /** Called after a DELETE; the answer does not wait for it. What it throws becomes a process warning, once. Default none. */
  readonly onDeleted?: (event: DeletedEvent<T>) => unknown;
}
