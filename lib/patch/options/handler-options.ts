import type { PreconditionOptions } from '../../http/check-preconditions';
import type { ReturnPreference } from '../../http/prefer';
import type { PatchLimits } from '../../parsers/patch-parser';
import type { Stored } from '../../stores/contract/resource-store';
import type { InvalidMember } from '../../stores/contract/invalid-result';
import type { PatchRefusal } from '../../request/exchange';
import type { PatchRequest } from '../../request/routed-request';
import type { StandardSchema } from '../../request/standard-schema';

type Awaitable<R> = R | Promise<R>;

/** Says what is wrong with `next`; nothing, or an empty list: it is valid. */
export type Validator<T> = (
  next: T,
  current: T | undefined,
  req: PatchRequest,
) => Awaitable<readonly InvalidMember[] | undefined>;

/** What `authorize` judges. */
export interface ProposedChange<T> {
  /** Undefined where the patch would create the resource. */
  readonly current: T | undefined;
  readonly next: T;
  /** The JSON Pointers of what differs, the deepest that say it: complete, or the PATCH is 413. Made when they are read. */
  readonly changed: readonly string[];
}

/** What `onPatched` is told. */
export interface PatchedEvent<T> {
  readonly key: string;
  /** Undefined where the patch created the resource. */
  readonly before: Stored<T> | undefined;
  readonly after: Stored<T>;
  readonly patch: { readonly mediaType: string; readonly document: Buffer };
  readonly req: PatchRequest;
}

/** Nothing is forgotten before its time: where there is no room, a new key is answered 503. */
export interface OutcomeBounds {
  /** Outcomes that a resource keeps for each `scope`: nobody uses up another's. Default 1,000. */
  readonly keep?: number;
  /** Outcomes that a resource keeps for all scopes together, at least `keep`. Default: ten times `keep`. */
  readonly total?: number;
  /** Seconds, up to 31,536,000. Default 86,400, a day. */
  readonly maxAge?: number;
}

/** Options of `patchHandler`. */
export interface PatchHandlerOptions<T> extends PreconditionOptions<Stored<T>> {
  /**
   * The store's key of the target; undefined is 404, as is a key that is not well-formed Unicode, holds NUL or has over
   * 1,024 bytes. Default: `req.baseUrl` and the path of `req.url`.
   */
  readonly key?: (req: PatchRequest) => string | undefined;
  /** What one request may cost, else 413 (RFC 9110 15.5.14). Default: each as `PatchLimits` says. */
  readonly limits?: Partial<PatchLimits>;
  /** The answer without Prefer (RFC 7240 4.2): `'minimal'` (204) or `'representation'` (200). Default `'minimal'`. */
  readonly respond?: ReturnPreference;
  /** What clients get to see of a value, without its hidden members. Default: all of it. */
  readonly represent?: (value: T, req: PatchRequest) => unknown;
  /**
   * A PATCH (RFC 5789 2) or PUT creates an absent target, from `{}` (`true`) or what the function gives; undefined is 404.
   * Default: 404.
   */
  readonly create?:
    true | ((req: PatchRequest) => T | undefined) | ((req: PatchRequest) => Promise<T | undefined>);
  /**
   * Where the representation lives, for Content-Location (RFC 9110 8.7), and for Location of what was created
   * elsewhere. Default: the target's path.
   */
  readonly location?: (req: PatchRequest, key: string) => string;
  /** Judges the next value: what it finds is answered 422 with pointers (RFC 5789 2.2). Default: all are valid. */
  readonly validate?: StandardSchema<T> | Validator<T>;
  /** Stores what the schema returns: one that strips unknown members drops stored ones. Default false. */
  readonly transform?: boolean;
  /** JSON Pointers (RFC 6901) of what clients may not change, else 422. Default none. */
  readonly readOnly?: readonly string[];
  /**
   * JSON Pointers (RFC 6901) of all that clients may change; a change beside them is 422. Not with `readOnly`. Default: they
   * may change anything.
   */
  readonly writable?: readonly string[];
  /**
   * JSON Pointers (RFC 6901), through objects alone, of members that clients neither see nor reach: a patch is applied to the
   * value without them, and they are put back. To write at or below one, or to replace, move or remove an object above one,
   * is 422. `validate` and `authorize` see them; what is within arrays is not hidden by this. Default none.
   */
  readonly hidden?: readonly string[];
  /**
   * Whether this client may make this request at all, else 403, whatever it sends: asked before anything else is told of
   * the resource, and before a repeat is answered. `current` is undefined where nothing is there. Default: it may.
   */
  readonly may?: (req: PatchRequest, current: T | undefined) => Awaitable<boolean>;
  /** Whether this client may make this change, else 403. Asked last, about what would be written. Default: it may. */
  readonly authorize?: (req: PatchRequest, change: ProposedChange<T>) => Awaitable<boolean>;
  /**
   * True: does all but the write, which alone could refuse a value over `limits.result`, and sends no ETag. Default:
   * never.
   */
  readonly dryRun?: (req: PatchRequest) => Awaitable<boolean>;
  /**
   * Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): a PATCH or PUT sent again under its key is carried out
   * once, and the repeat gets the first status, ETag (unless made of `modified`) and Content-Location, unseen by `validate`,
   * `authorize` and `onPatched`. Each resource has keys of its own: with another method, document, media type, precondition or
   * target URI it is answered 422. Refusals are not kept, and deletion forgets. `'required'`: without a key 400. Needs
   * an `OutcomeStore`. Default: ignored.
   */
  readonly idempotency?: 'optional' | 'required';
  /**
   * How many answers each resource keeps for repeats, for each scope and in total, and for how many seconds. Needs
   * `idempotency`. Default: as `OutcomeBounds` says.
   */
  readonly outcomes?: OutcomeBounds;
  /**
   * Whose keys these are: the id of the user, or of the account. Without it, one client can use up the `keep` answers
   * of a resource, and learn by guessing a key that another's request was made. Needs `idempotency`. Default: one scope
   * for all.
   */
  readonly scope?: (req: PatchRequest) => string;
  /**
   * How often a race lost to another process is run again before 409, not counting the first write, whose state may be
   * stale. Default 15.
   */
  readonly retries?: number;
  /**
   * What becomes of a request that changes nothing: `'write'` makes a new state all the same, with an ETag of its own;
   * `'keep'` writes nothing and answers with the ETag there is, unless the request has an Idempotency-Key. Default `'write'`.
   */
  readonly unchanged?: 'write' | 'keep';
  /** Called after the commit; the answer does not wait for it. Default none. */
  readonly onPatched?: (event: PatchedEvent<T>) => unknown;
  /** Given what `onPatched` throws or rejects with. Default: a process warning, once a handler. */
  readonly onPatchedError?: (error: unknown, event: PatchedEvent<T>) => unknown;
  /** Told of every refusal, for metrics. What it throws becomes a process warning, once. Default none. */
  readonly onRefused?: (refusal: PatchRefusal) => unknown;
  /** `'next'` hands refusals to the host's error handler, as a `ProblemError`. Default `'answer'`. */
  readonly errors?: 'answer' | 'next';
}
