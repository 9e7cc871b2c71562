import type { ServerResponse } from 'node:http';
import type { StoreContext } from '../stores/contract/resource-store';

/** The reason of a request's abort signal: nobody awaits the answer any more. */
export class NotAwaited extends Error {
  readonly code = 'NOT_AWAITED';
}

/** Whoever awaits the answer to one request. */
export class Client {
  readonly #res: ServerResponse;
  readonly #hadGone: boolean;
  #signal: AbortSignal | undefined;

  constructor(res: ServerResponse) {
    this.#res = res;
    this.#hadGone = hasEnded(res);
  }

  /** Whether the connection ended before the answer: then nobody wants the change. */
  get hasGone(): boolean {
    return this.#hadGone || (hasEnded(this.#res) && !this.#res.writableFinished);
  }

  /** Aborted when the client has gone. Made when it is first asked for: that costs as much as to apply a small patch. */
  get signal(): AbortSignal {
    return (this.#signal ??= this.#newSignal());
  }

  /** @throws NotAwaited */
  throwIfGone(): void {
    if (this.hasGone) throw gone();
  }

  /**
   * The last look before the write. A host may have answered meanwhile, as time limits do: the client then has been told
   * that it failed.
   *
   * @throws NotAwaited
   */
  assertAwaited(): void {
    this.throwIfGone();
    if (this.#res.headersSent) throw new NotAwaited('The request was answered by another middleware.');
  }

  /** What the store is told of this request: the members given, and the signal, which is not made for that. */
  context<M extends object>(members: M): M & { readonly signal: AbortSignal } {
    return Object.assign(new ClientContext(this), members);
  }

  #newSignal(): AbortSignal {
    if (this.hasGone) return AbortSignal.abort(gone());
    const controller = new AbortController();
    this.#res.once('close', () => {
      if (this.hasGone) controller.abort(gone());
    });
    return controller.signal;
  }
}

/** The part of a store's context that tells of the client. */
class ClientContext implements StoreContext {
  /** An own member, so that a store around another may hand on `{ ...context }`, and one getter for all of them. */
  declare readonly signal: AbortSignal;
  readonly #client: Client;

  static readonly #signalMember: PropertyDescriptor & ThisType<ClientContext> = {
    get() {
      return this.#client.signal;
    },
    enumerable: true,
  };

  constructor(client: Client) {
    this.#client = client;
    Object.defineProperty(this, 'signal', ClientContext.#signalMember);
  }

  throwIfAborted(): void {
    this.#client.throwIfGone();
  }
}

// A store asks it for what it may be without.
Object.setPrototypeOf(ClientContext.prototype, null);

function hasEnded(res: ServerResponse): boolean {
  return res.closed || res.destroyed;
}

export function gone(): NotAwaited {
  return new NotAwaited('The client went away.');
}
