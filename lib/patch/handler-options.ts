import type { Awaitable } from '../config/object';
import type { PreconditionOptions } from '../http/preconditions';
import type { ReturnPreference } from '../http/prefer';
import type { ProblemDocument } from '../http/problem';
import type { PatchLimits } from './formats/patch-parser';
import type { Stored } from '../stores/contract/resource-store';
import type { PatchRefusal } from './create-handler';
import type { PatchRequest } from '../http/middleware';
import type { StandardSchema } from './rules/standard-schema';
import type { Validator } from './rules/validate';

/** The change that the option `authorize` allows or refuses. */
export interface ProposedChange<T> {
  /** The stored value; undefined if the request creates the resource. */
  readonly current: T | undefined;
  /** The value that would be written. */
  readonly next: T;
  /**
   * The JSON Pointers of all differences, each as deep as possible. The list is complete: if it would exceed
   * `limits.bytes`, the request is answered 413. Computed on first use.
   */
  readonly changed: readonly string[];
}

/** A committed change, as the option `onPatched` receives it. */
export interface PatchedEvent<T> {
  /** The key of the resource in the store. */
  readonly key: string;
  /** The state before the change; undefined if the request created the resource. */
  readonly before: Stored<T> | undefined;
  /** The state after the change, as the store returned it. */
  readonly after: Stored<T>;
  /** The document that the client sent: the patch, or the representation of a PUT. */
  readonly patch: { readonly mediaType: string; readonly document: Buffer };
  /** The request that made the change. */
  readonly req: PatchRequest;
}

/**
 * How many outcomes of requests with an Idempotency-Key are kept, and for how long. No outcome is dropped
 * early: while there is no room, a request with a new key is answered 503.
 */
export interface IdempotencyLimits {
  /**
   * How many outcomes a resource keeps for each `scope`, so that no scope can use up the room of another.
   * Default 150.
   */
  readonly keep?: number;
  /**
   * How many outcomes a resource keeps for all scopes together, at least `keep`. Default: 500, or `keep` if
   * that is more.
   */
  readonly total?: number;
  /** How many seconds an outcome is kept, up to 31,536,000 (a year). Default 300. */
  readonly maxAge?: number;
}

/** Options of `patchHandler`. */
export interface PatchHandlerOptions<T> extends PreconditionOptions<Stored<T>, PatchRequest> {
  /**
   * The key of the resource in the store: the name of a route parameter, such as `'id'`; a list of names,
   * such as `['org', 'id']`, whose values are percent-encoded and joined with `/`, so that no two pairs have
   * the same key; or a function that returns the key. If the key is undefined, is not well-formed Unicode,
   * contains NUL or is longer than 1,024 bytes, the answer is 404. Default: the path of the target, as it was
   * sent.
   */
  readonly key?: string | readonly string[] | ((req: PatchRequest) => string | undefined);
  /**
   * The method that the handler answers, on a route of that method: `'PATCH'`, or `'PUT'` for clients whose
   * PUT changes only the members that it names. By RFC 9110 (9.3.4), PUT replaces the whole resource, as the
   * `put` of a `resource` does. Default `'PATCH'`.
   */
  readonly method?: 'PATCH' | 'PUT';
  /**
   * Limits on a request. A request that exceeds one is answered 413 (RFC 9110 15.5.14). Default: the default
   * of each limit.
   */
  readonly limits?: Partial<PatchLimits>;
  /**
   * The answer to a request without Prefer (RFC 7240 4.2): `'minimal'` (204) or `'representation'` (200).
   * Default `'minimal'`.
   */
  readonly respond?: ReturnPreference;
  /**
   * Whether an answer that refuses a write because of the resource's state shows that state. With
   * `'representation'`, a 412 (RFC 9110 15.5.13), and the 409 of a stale state or of a request that lost
   * every race, have a member `current`: the representation that `Prefer: return=representation` would show,
   * with its tag in ETag. It is left out if it exceeds `limits.result`. Clients that can write can then also
   * read, so check the right to read in `may`. Default `'minimal'`.
   */
  readonly conflict?: ReturnPreference;
  /**
   * Returns the value that clients see in place of a stored one, or a promise of it. It receives the stored
   * value without its hidden members. Default: the whole value.
   */
  readonly represent?: (value: T, req: PatchRequest) => unknown;
  /**
   * Lets PATCH (RFC 5789 2) and PUT create a missing resource, from `{}` (`true`) or from the value that the
   * function returns; if it returns undefined, the answer is 404. Default: a missing resource is answered
   * 404.
   */
  readonly create?:
    | true
    | ((req: PatchRequest) => T | undefined)
    | ((req: PatchRequest) => Promise<T | undefined>);
  /**
   * Checks the next value. The errors that it finds are answered 422, each with a JSON Pointer (RFC 5789
   * 2.2). For the members that the request changes, the output of a schema is stored; if the output lacks one
   * of them, the answer is 422, too. Default: everything is valid.
   */
  readonly validate?: StandardSchema<T> | Validator<T>;
  /**
   * JSON Pointers (RFC 6901) of the members that clients cannot change. A change to one is answered 422.
   * Default none.
   */
  readonly readOnly?: readonly string[];
  /**
   * JSON Pointers (RFC 6901) of read-only members that change with each write, such as `/updatedAt` or
   * `/version`. They show which state a client without If-Match has seen: a request that sends another value
   * than the current one is answered 409 (`stale-state`), and so is a date without fractions of a second
   * until its second is over. The store, the ORM or the database must write these members, and the store must
   * list them in its `readOnly`. A page that keeps using the record that it sent, instead of the one in the
   * answer, is refused at its second save. Default none.
   */
  readonly stateMembers?: readonly string[];
  /**
   * How a PUT, and a PATCH of `application/json`, treat members that the client cannot write: members that
   * are unknown to the store, read-only, hidden, or not in a `writable` list. `'ignore'` leaves them out of
   * the change, as long as the document names any other member. Such members in elements of lists, and
   * members that a `writable` function does not return, are still refused. Other formats are applied as a
   * whole or not at all (RFC 5789 2). `'ignore'` needs `stateMembers`, because stale records are otherwise
   * stopped by the refusal of their read-only members; write `[]` if there are none. Default `'refuse'`.
   */
  readonly unwritable?: 'refuse' | 'ignore';
  /**
   * JSON Pointers (RFC 6901) of the only members that clients can change. Any other change is answered 422. A
   * function returns the members that this request can change, or `'all'`; any other change is then answered
   * 403. It is called once for each state that the patch is applied to, before the patch. `current` is
   * undefined if the resource is being created. Cannot be combined with `readOnly`. Default: everything.
   */
  readonly writable?:
    | readonly string[]
    | ((req: PatchRequest, current: T | undefined) => Awaitable<readonly string[] | 'all'>);
  /**
   * JSON Pointers (RFC 6901) of members that clients can neither see nor change. The path leads through
   * objects only: members inside arrays are not hidden. A patch is applied to the value without them, and
   * they are put back afterwards, as the last members of their object. A request that writes a hidden member
   * or a part of it, or that replaces, moves or removes an object above it, is answered 422. `validate` and
   * `authorize` see them. Default none.
   */
  readonly hidden?: readonly string[];
  /**
   * JSON Pointers (RFC 6901) of members that clients can set but not see, such as a password. The path leads
   * through objects only. No answer and no problem document contains them. A patch is applied to the value
   * without them, so a `test` finds nothing. Members that the request does not set stay unchanged, and none
   * can be removed. `validate` and `authorize` see them. Default none.
   */
  readonly writeOnly?: readonly string[];
  /**
   * Changes the document of a request before it is applied, as middleware does with `req.body`, for example
   * to apply an allow-list or to hash a password. It receives the parsed JSON, which it can modify: the
   * object of a merge patch, or the list of a JSON Patch (RFC 6902). It returns the document to apply, or a
   * promise of it. It is called once for each request, after `may` and the preconditions; a `ProblemError`
   * that it throws is the answer. If the resource is an object, the document must be an object or a list;
   * otherwise the answer is 422 (`patch-kind`), and the function is not called. Default: the document is
   * applied as it was sent.
   */
  readonly prepare?: (document: unknown, req: PatchRequest) => unknown;
  /**
   * Returns whether this client is allowed to make this request; if not, the answer is 403. It is called
   * before anything about the resource is revealed, and before a repeated request is answered. `current` is undefined
   * if the resource does not exist. Default: everything.
   */
  readonly may?: (req: PatchRequest, current: T | undefined) => Awaitable<boolean>;
  /**
   * Returns whether this client is allowed to make this change; if not, the answer is 403. It is called last,
   * with the value that would be written. Default: everything.
   */
  readonly authorize?: (req: PatchRequest, change: ProposedChange<T>) => Awaitable<boolean>;
  /**
   * Supports Idempotency-Key (draft-ietf-httpapi-idempotency-key-header). A PATCH or PUT that is repeated
   * with the same key is carried out once. The repeat gets the first answer, and does not call `validate`,
   * `authorize` or `onPatched`. After the resource has changed again, the repeat gets no body, so a 200
   * becomes a 204. It also gets no ETag if the request is a PUT, or if the ETag is made from something that
   * only the store knows, such as `modified`. Keys belong to one resource; a key that is reused with another
   * method, document, media type, precondition or target URI is answered 422. Refusals are not kept, and
   * deleting the resource forgets its keys. `'required'` answers 400 without a key. Needs an `OutcomeStore`.
   * Default: the header is ignored.
   */
  readonly idempotency?: 'optional' | 'required';
  /**
   * How many outcomes each resource keeps for repeated requests, for each scope and in total, and for how
   * many seconds. Needs `idempotency`. Default: the default of each limit.
   */
  readonly idempotencyLimits?: IdempotencyLimits;
  /**
   * Returns the owner of the idempotency keys, such as the id of the user or account. Without it, one client
   * can use up the `keep` outcomes of a resource, and can find out by guessing which keys another client has
   * used. Needs `idempotency`. Default: one scope for all clients.
   */
  readonly scope?: (req: PatchRequest) => string;
  /**
   * Called after the change is committed. The answer does not wait for it. The first error that it throws
   * becomes a process warning. Default none.
   */
  readonly onPatched?: (event: PatchedEvent<T>) => unknown;
  /**
   * Called with every refusal, for logs and metrics. The first error that it throws becomes a process
   * warning. Default none.
   */
  readonly onRefused?: (refusal: PatchRefusal) => unknown;
  /**
   * How a request is refused: `'answer'` sends the problem document (RFC 9457), and `'next'` passes it to
   * your app's error handler as a `ProblemError`. A function returns a body in your app's own format, which
   * is sent as `application/json` with the status and the headers of the problem:
   * `(problem) => ({ success: false, error: problem.detail })`. It can return `{ status, body }` to change
   * the status, or undefined to send the problem document. An error that it throws goes to your app's error
   * handler. Default `'answer'`.
   */
  readonly errors?: 'answer' | 'next' | ((problem: ProblemDocument, req: PatchRequest) => unknown);
}
