import type { Request } from 'express';
import type { PreconditionOptions } from '../http/check-preconditions';
import type { ReturnPreference } from '../http/prefer';
import type { ProblemDocument } from '../http/problem';
import type { Refusal } from '../http/refusal';
import type { PatchLimits } from '../parsers/patch-parser';
import type { Stored } from '../stores/resource-store';
import type { InvalidMember } from './patch-problems';
import type { StandardSchema } from './standard-schema';

/** The request as the options' functions see it: `req.params.id` is `string | undefined`. */
export type PatchRequest = Request<Record<string, string>>;

type Awaitable<R> = R | Promise<R>;

/** Says what is wrong with the value that a patch would make; nothing, or an empty list: it is valid. */
export type Validator<T> = (
  next: T,
  current: T | undefined,
  req: PatchRequest,
) => Awaitable<readonly InvalidMember[] | undefined>;

/** The change that `authorize` judges. */
export interface ProposedChange<T> {
  /** Undefined where the patch would create the resource. */
  readonly current: T | undefined;
  readonly next: T;
  /** The JSON Pointers of what differs between the two, the deepest that say it. */
  readonly changed: readonly string[];
}

/** A change that was made. */
export interface PatchedEvent<T> {
  readonly key: string;
  /** Undefined where the patch created the resource. */
  readonly before: Stored<T> | undefined;
  readonly after: Stored<T>;
  readonly patch: { readonly mediaType: string; readonly document: Buffer };
  readonly req: PatchRequest;
}

/** A PATCH that was refused. */
export interface PatchRefusal extends Refusal {
  readonly req: PatchRequest;
  /** What the client is answered, with its `operation`, `pointer` or `errors`. */
  readonly problem: ProblemDocument;
}

/** What is kept for repeats. Nothing is forgotten before its time: where there is no room, a new key is answered 503. */
export interface OutcomeBounds {
  /** Requests for each resource. Default 1,000. */
  readonly keep?: number;
  /** Seconds, up to 31,536,000, a year. Default 86,400, a day. */
  readonly maxAge?: number;
}

/** The options of `patchHandler`. */
export interface PatchHandlerOptions<T> extends PreconditionOptions<Stored<T>> {
  /**
   * The store's key of the target resource; undefined: there is none (404). Default: the target's path, `req.baseUrl`
   * and the path of `req.url`. A key that is not well-formed Unicode, holds NUL or has over 1,024 bytes is 404 too.
   */
  readonly key?: (req: PatchRequest) => string | undefined;
  /**
   * What one PATCH may cost, else it is answered 413 (RFC 9110 15.5.14). Default: those of `PatchLimits`, each by
   * itself.
   */
  readonly limits?: Partial<PatchLimits>;
  /** The answer where the client has no preference (RFC 7240 4.2): `'minimal'` (204) or `'representation'` (200). Default minimal. */
  readonly respond?: ReturnPreference;
  /** What a client gets to see of a value. Default: all of it. */
  readonly represent?: (value: T, req: PatchRequest) => unknown;
  /**
   * Whether PATCH on a target that does not exist creates it (RFC 5789 2): `true` patches an empty object, a function
   * gives the value to be patched. Default: 404.
   */
  readonly create?: true | ((req: PatchRequest) => T);
  /**
   * Where the representation lives, for Content-Location (RFC 9110 8.7), and for Location where a resource was
   * created and this is not the target's own path. Default: the target's path.
   */
  readonly location?: (req: PatchRequest, key: string) => string;
  /**
   * Judges the value that a patch would make: a Standard Schema (zod, valibot, arktype …) or a function. What it finds
   * is answered 422 with pointers (RFC 5789 2.2). Default: every value is valid.
   */
  readonly validate?: StandardSchema<T> | Validator<T>;
  /**
   * Stores what the schema returns instead of what it judged. Default false: a schema that strips unknown members would
   * drop stored ones that nobody asked it to.
   */
  readonly transform?: boolean;
  /** JSON Pointers (RFC 6901) of what no patch may change; one that would is answered 422. Default none. */
  readonly readOnly?: readonly string[];
  /**
   * Whether this client may make this change; false is answered 403. Asked last, about what would be written.
   * Default: it may.
   */
  readonly authorize?: (req: PatchRequest, change: ProposedChange<T>) => Awaitable<boolean>;
  /**
   * True: do all but the write, and answer as if it had been done, without an ETag. What only the store can refuse, a
   * value over `limits.result`, is not found out. Default: never.
   */
  readonly dryRun?: (req: PatchRequest) => Awaitable<boolean>;
  /**
   * What Idempotency-Key means (draft-ietf-httpapi-idempotency-key-header): a PATCH that is sent again under its key is
   * carried out once, and the repeat gets the first answer again, without content. `'optional'`: where a request has
   * one; `'required'`: one without is answered 400. Needs an `OutcomeStore`. Default: the field is not looked at.
   *
   * A key is the client's for one request to one resource: with another document, media type, precondition or target
   * URI it is answered 422. Refusals are not kept, and deletion of the resource forgets what was. Of a repeat neither
   * `validate` and `authorize` nor `onPatched` hears: it gets nothing but the status, ETag and Content-Location.
   */
  readonly idempotency?: 'optional' | 'required';
  /** How many answers are kept for repeats, and for how long. Needs `idempotency`. Default: as `OutcomeBounds` says. */
  readonly outcomes?: OutcomeBounds;
  /**
   * Whose key it is, the user's id for instance: one client's keys are then apart from another's, who could else learn
   * by guessing them that a request was made. Needs `idempotency`. Default: all clients share one scope.
   */
  readonly scope?: (req: PatchRequest) => string;
  /**
   * How often a race lost to another process is run again before 409 is answered. The first write, on what was read
   * before the body or remembered, does not count: the state may have been stale. Default 15.
   */
  readonly retries?: number;
  /**
   * Called after the commit, for side effects. The answer neither waits for it nor depends on it. Default
   * none.
   */
  readonly onPatched?: (event: PatchedEvent<T>) => unknown;
  /** Is given what `onPatched` throws or rejects with. Default: a process warning, once a handler. */
  readonly onPatchedError?: (error: unknown, event: PatchedEvent<T>) => unknown;
  /** Told of every refusal, for metrics. Its own errors are ignored. Default: nobody is told. */
  readonly onRefused?: (refusal: PatchRefusal) => unknown;
  /** `'next'`: hand refusals, as a `ProblemError`, to the host's error handler. Default `'answer'`. */
  readonly errors?: 'answer' | 'next';
}
