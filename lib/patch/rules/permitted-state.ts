import type { Stored } from '../../stores/contract/resource-store';

/** What a request decides by: a state of the resource that its client can learn. */
export interface PermittedState<T> {
  /** Undefined if the resource does not exist. */
  readonly stored: Stored<T> | undefined;
}
