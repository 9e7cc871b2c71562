import type { PatchHandlerOptions, ProposedChange } from '../handler-options';
import type { PatchRequest } from '../../http/middleware';
import type { Stored } from '../../stores/contract/resource-store';

/** The deletion that the option `authorize` of `resource` allows or refuses. */
export interface ProposedDeletion<T> {
  /** The stored value, which would be deleted. */
  readonly current: T;
  /** Always undefined: nothing is left. */
  readonly next: undefined;
  /** Always `['']`, the JSON Pointer of the whole document. */
  readonly changed: readonly string[];
}

/** A deletion, as the option `onDeleted` receives it. */
export interface DeletedEvent<T> {
  /** The key of the resource in the store. */
  readonly key: string;
  /** The state that was deleted. */
  readonly before: Stored<T>;
  /** The DELETE request. */
  readonly req: PatchRequest;
}

/**
 * Options of `resource`: the options of `patchHandler`, which apply to all methods, and a few more. The
 * functions can read the method from `req.method`.
 */
export interface ResourceOptions<T> extends Omit<
  PatchHandlerOptions<T>,
  'method' | 'represent' | 'authorize'
> {
  /**
   * Returns the value that this client sees in place of a stored one, or a promise of it. It receives the
   * stored value without its hidden members. One entity tag identifies one body: if this function reads the
   * request, also set `entityTag`, which must return a different tag for each body that can be made of one
   * state. PUT still replaces the stored value, so it removes members that this function leaves out, and
   * stores members that it adds: to leave members out, use `hidden`. Default: the whole value.
   */
  readonly represent?: (value: T, req: PatchRequest) => unknown;
  /**
   * Returns whether this client is allowed to make this change; if not, the answer is 403. It is called last,
   * with the value that would be written; on DELETE `next` is undefined. Default: everything.
   */
  readonly authorize?: (
    req: PatchRequest,
    change: ProposedChange<T> | ProposedDeletion<T>,
  ) => boolean | Promise<boolean>;
  /**
   * Called after a DELETE. The answer does not wait for it. The first error that it throws becomes a process
   * warning. Default none.
   */
  readonly onDeleted?: (event: DeletedEvent<T>) => unknown;
}
