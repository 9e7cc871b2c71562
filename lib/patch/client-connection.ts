import type { ServerResponse } from 'node:http';
import type { PatchRequest } from '../http/middleware';
import type { StoreContext } from '../stores/contract/resource-store';

/** The abort reason of a request whose answer is no longer needed. */
export class AnswerNotNeeded extends Error {
  readonly code = 'NOT_AWAITED';
}

/** The client of one request, which can disconnect before the answer. */
export class ClientConnection {
  readonly #res: ServerResponse;
  readonly #wasGone: boolean;
  #signal: AbortSignal | undefined;

  constructor(
    readonly request: PatchRequest,
    res: ServerResponse,
  ) {
    this.#res = res;
    this.#wasGone = hasEnded(res);
  }

  /** Whether the client disconnected before the answer. If so, its change is not made. */
  get isGone(): boolean {
    return this.#wasGone || (hasEnded(this.#res) && !this.#res.writableFinished);
  }

  /**
   * Aborted when the client disconnects. Created on first use, because creating one costs as much as applying
   * a small patch.
   */
  get signal(): AbortSignal {
    return (this.#signal ??= this.#newSignal());
  }

  /** @throws AnswerNotNeeded */
  throwIfGone(): void {
    if (this.isGone) throw clientGone();
  }

  /**
   * The last check before the write. The app may have answered meanwhile, for example because of a time
   * limit, so that the client knows that the request failed.
   *
   * @throws AnswerNotNeeded
   */
  assertAnswerNeeded(): void {
    this.throwIfGone();
    if (this.#res.headersSent) throw new AnswerNotNeeded('The request was answered by another middleware.');
  }

  /**
   * The context of this request for a store: `members`, the request, and the signal, which is still created
   * on first use.
   */
  context<M extends object>(members: M): M & StoreContext & { readonly signal: AbortSignal } {
    return Object.assign(new ClientContext(this), members);
  }

  #newSignal(): AbortSignal {
    if (this.isGone) return AbortSignal.abort(clientGone());
    const controller = new AbortController();
    this.#res.once('close', () => {
      if (this.isGone) controller.abort(clientGone());
    });
    return controller.signal;
  }
}

/** The part of a store's context that is about the client. */
class ClientContext implements StoreContext {
  /**
   * An own property, so that a wrapping store can pass on `{ ...context }`. All instances share one getter.
   */
  declare readonly signal: AbortSignal;
  readonly request: PatchRequest;
  readonly #client: ClientConnection;

  static readonly #signalMember: PropertyDescriptor & ThisType<ClientContext> = {
    get() {
      return this.#client.signal;
    },
    enumerable: true,
  };

  constructor(client: ClientConnection) {
    this.#client = client;
    this.request = client.request;
    Object.defineProperty(this, 'signal', ClientContext.#signalMember);
  }

  throwIfAborted(): void {
    this.#client.throwIfGone();
  }
}

// Stores read optional members of the context, which must not come from Object.prototype.
Object.setPrototypeOf(ClientContext.prototype, null);

function hasEnded(res: ServerResponse): boolean {
  return res.closed || res.destroyed;
}

export function clientGone(): AnswerNotNeeded {
  return new AnswerNotNeeded('The client disconnected.');
}
