import type { Awaitable } from '../config/object';
import type { PreconditionOptions } from '../http/preconditions';
import type { ReturnPreference } from '../http/prefer';
import type { ProblemDocument } from '../http/problem';
import type { PatchLimits } from './formats/patch-parser';
import type { Stored } from '../stores/contract/resource-store';
import type { PatchRefusal } from './exchange';
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
  /** What the client sent: the patch, or the representation of a PUT. */
  readonly patch: { readonly mediaType: string; readonly document: Buffer };
  /** The request that made the change. */
  readonly req: PatchRequest;
}

/**
 * How many outcomes of requests with an Idempotency-Key are kept, and for how long. None is dropped early:
 * while there is no room, a request with a new key is answered 503.
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
   * The key of the resource in the store: the name of a route parameter, such as `'id'`, or a list of names,
   * such as `['org', 'id']`, whose values are percent-encoded and joined with `/`, so that no two pairs have
   * the same key. Or a function that returns the key; if it returns undefined, the answer is 404, as it is
   * for a key that is not well-formed Unicode, contains NUL or is longer than 1,024 bytes. Default: the path of the
   * target, as it was sent.
   */
  readonly key?: string | readonly string[] | ((req: PatchRequest) => string | undefined);
  /**
   * The method that the handler answers, on a route of that method: `'PATCH'`, or `'PUT'` for clients whose PUT
   * changes only the members that it names. RFC 9110 9.3.4 has PUT replace the whole, as the `put` of a
   * `resource` does. Default `'PATCH'`.
   */
  readonly method?: 'PATCH' | 'PUT';
  /**
   * Limits on a request. A request that exceeds one is answered 413 (RFC 9110 15.5.14). Default: those of each limit.
   */
  readonly limits?: Partial<PatchLimits>;
  /**
   * The answer to a request without Prefer (RFC 7240 4.2): `'minimal'` (204) or `'representation'` (200).
   * Default `'minimal'`.
   */
  readonly respond?: ReturnPreference;
  /**
   * What a write learns that is refused for the state of the resource. `'representation'`: the problem
   * document of a 412 (RFC 9110 15.5.13), of the 409 of a stale state, and of that of a request that lost every race,
   * has the member `current` with what `Prefer: return=representation` would show, under the tag in ETag, unless it
   * exceeds `limits.result`. Whoever can write can then read, so check the right to read in `may`. Default `'minimal'`.
   */
  readonly conflict?: ReturnPreference;
  /**
   * Returns what clients see of a stored value, or a promise of it. It receives the value without its hidden members.
   * Default: the whole value.
   */
  readonly represent?: (value: T, req: PatchRequest) => unknown;
  /**
   * Lets PATCH (RFC 5789 2) and PUT create a missing resource, from `{}` (`true`) or from what the function
   * returns; if that is undefined, the answer is 404. Default: a missing resource is answered 404.
   */
  readonly create?:
    | true
    | ((req: PatchRequest) => T | undefined)
    | ((req: PatchRequest) => Promise<T | undefined>);
  /**
   * Checks the next value. Errors that it finds are answered 422, each with a JSON Pointer (RFC 5789 2.2). At
   * the members that the request changes, what a schema returns is stored; where that lacks one, the answer is
   * 422 as well. Default: everything is valid.
   */
  readonly validate?: StandardSchema<T> | Validator<T>;
  /**
   * JSON Pointers (RFC 6901) of the members that clients cannot change. A change to one is answered 422.
   * Default none.
   */
  readonly readOnly?: readonly string[];
  /**
   * JSON Pointers (RFC 6901) of read-only members that move with each write, such as `/updatedAt` or `/version`, by
   * which a client without If-Match says which state it has seen. A request that sends another value of one is answered
   * 409 (`stale-state`), and so is a date without fractions of a second until its second is over. The store, the ORM or
   * the database must write them: a store names them in `readOnly`. A page that goes on with the record that it has
   * sent, instead of the one in the answer, is refused at its second save. Default none.
   */
  readonly stateMembers?: readonly string[];
  /**
   * What becomes of members that the client cannot write, in a PUT and in a PATCH of `application/json`: unknown to
   * the store, read-only, hidden, or outside of a list in `writable`. `'ignore'` leaves them out of the change, as
   * long as the document names anything else; in elements of lists they are refused all the same, and so is what a
   * `writable` function does not name. In other formats, RFC 5789 2 has the whole set of changes applied, or
   * nothing. It needs `stateMembers`, because a refused read-only member is what stops a stale record otherwise;
   * `[]` says that there are none. Default `'refuse'`.
   */
  readonly unwritable?: 'refuse' | 'ignore';
  /**
   * JSON Pointers (RFC 6901) of the only members that clients can change. Any other change is answered 422.
   * A function returns those that this request can change, or `'all'`: any other change is then answered 403.
   * It is called once for each state that the patch is applied to, before the patch, with `current` undefined
   * if the resource is being created.
   * Cannot be combined with `readOnly`. Default: everything.
   */
  readonly writable?:
    | readonly string[]
    | ((req: PatchRequest, current: T | undefined) => Awaitable<readonly string[] | 'all'>);
  /**
   * JSON Pointers (RFC 6901) of members that clients can neither see nor change, through objects only:
   * members inside arrays are not hidden. A patch is applied to the value without them, and they are put back
   * afterwards, behind the members beside them. Writing at or below one, and replacing, moving or removing
   * an object above one, is answered 422. `validate` and `authorize` see them. Default none.
   */
  readonly hidden?: readonly string[];
  /**
   * JSON Pointers (RFC 6901) of members that clients can set, but not see, such as a password, through objects
   * only. They are in no answer and no problem document. A patch is applied to the value without them, so a
   * `test` finds nothing; one that the request does not set stays as it is, and none can be removed.
   * `validate` and `authorize` see them. Default none.
   */
  readonly writeOnly?: readonly string[];
  /**
   * Changes the document of a request before it is applied, as middleware does with `req.body`: an allow-list,
   * a password to hash. It gets the parsed JSON, which it can modify, such as the object of a merge patch or
   * the list of a JSON Patch (RFC 6902), and returns the document to apply, or a promise of it. It is called
   * once for each request, after `may` and the preconditions; a `ProblemError` that it throws is the answer.
   * If the resource is an object, the document must be an object or a list: `null`, a text or a number gets 422
   * (`patch-kind`), and the function is not called. Default: the document is applied as it was sent.
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
   * `authorize` or `onPatched`. Once the resource has changed again, it gets no body, so that a 200 becomes a
   * 204, and no ETag if the request is a PUT or if the ETag is made from what only the store knows, such as
   * `modified`. Keys belong to one resource; a key that is reused with another method, document, media type,
   * precondition or target URI is answered 422. Refusals are not kept, and deleting the resource forgets its
   * keys. `'required'` answers 400 without a key. Needs an `OutcomeStore`. Default: the header is ignored.
   */
  readonly idempotency?: 'optional' | 'required';
  /**
   * How many outcomes each resource keeps for repeated requests, for each scope and in total, and for how
   * many seconds. Needs `idempotency`. Default: those of each limit.
   */
  readonly idempotencyLimits?: IdempotencyLimits;
  /**
   * Returns whose idempotency keys these are, such as the id of the user or account. Without it, one client
   * can use up the `keep` outcomes of a resource, and can find out by guessing a key that another client has
   * used it. Needs `idempotency`. Default: one scope for all clients.
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
   * What becomes of a refusal: `'answer'` sends the problem document (RFC 9457), and `'next'` passes it to your app's
   * error handler, as a `ProblemError`. A function returns the body of the answer in the form of your app, which is
   * sent as `application/json` with the status and the headers of the problem:
   * `(problem) => ({ success: false, error: problem.detail })`. It can return `{ status, body }` with another status,
   * or undefined for the problem document. What it throws goes to your app's error handler. Default `'answer'`.
   */
  readonly errors?: 'answer' | 'next' | ((problem: ProblemDocument, req: PatchRequest) => unknown);
}
