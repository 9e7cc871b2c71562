import { IncomingMessage, ServerResponse } from 'node:http';
import { S as Stored, R as ResourceStore, a as ReadContext, W as WriteContext } from './resource-store.js';
export { O as OutcomeToKeep, b as StoreContext } from './resource-store.js';
import { Request, RequestHandler, Router } from 'express';

/** One option that cannot be what it is. */
interface Mistake {
    /** The option's name, with a path into it where it has parts: `cors.origin[1]`. */
    readonly option: string;
    readonly value: unknown;
    /** Why it cannot be, as the end of a sentence that begins with the value. */
    readonly reason: string;
    /** What to write instead, as a sentence. */
    readonly fix: string;
}
/**
 * Thrown when a middleware or a store is made with options that cannot work. It names every mistake at once, so that
 * a host mends them in one go, and it is thrown at start, never while a request is served.
 */
declare class ConfigurationError extends Error {
    readonly subject: string;
    readonly mistakes: readonly Mistake[];
    readonly name = "ConfigurationError";
    readonly code = "PATCH_OPTIONS_CONFIGURATION";
    /**
     * @param subject - what was being made, as the host wrote it: `corsPreflight()`
     * @param mistakes - at least one
     */
    constructor(subject: string, mistakes: readonly Mistake[]);
}

/** Goes on to the next middleware, or with an error to the host's error handler. */
type Next = (error?: unknown) => void;
/**
 * A middleware that needs no more than Node's own request and response, and so fits Express 4, Express 5, the
 * standalone `router` and anything else of that shape without a cast.
 */
type Middleware = (req: IncomingMessage, res: ServerResponse, next: Next) => void;

/** What `onRefused` is told, whichever middleware refused: enough for a metric's labels and for a log line. */
interface Refusal {
    /** Stable, for programs: the README's catalogue lists every code. */
    readonly code: string;
    /** The status that was answered; undefined where the request went on to the host's handlers all the same. */
    readonly status: number | undefined;
    /** One sentence for the person who reads the log. */
    readonly detail: string;
    readonly req: IncomingMessage;
    /** What was thrown, where the refusal follows from a fault in the host's own code. */
    readonly error?: unknown;
}

/** Where the routes are found when no path leads from the request to them. */
interface TargetOptions {
    /**
     * The app or router that the server calls with every request. Left out, it is the Express app that handles the
     * request, or the one that this is mounted on. The standalone `router` package and plain `node:http` need it.
     */
    readonly root?: unknown;
}

/**
 * Decides on one origin. It is asked only where the request has an Origin, and only one that a browser could have
 * sent; never about `null`. What it throws or rejects with refuses the origin and is reported to `onRefused`.
 *
 * On the request of an actual call the host's handlers wait for it.
 */
type OriginPredicate = (origin: string, req: IncomingMessage) => boolean | Promise<boolean>;
/**
 * - `'https://app.example'`: this origin, byte for byte as browsers send it
 * - `'https://*.example.com'`: its sub-domains, one or more labels deep, and not `https://example.com` itself
 * - `'http://localhost:*'`: this host on any port, the default one included
 * - `'null'`: pages without an origin, such as sandboxed frames; nothing else allows it
 * - a RegExp, anchored at both ends, without the flags g, y and m
 * - a predicate, sync or async
 */
type OriginRule = string | RegExp | OriginPredicate;
/** Why an origin was refused. */
type CorsRefusalCode = 'cors-origin-repeated' | 'cors-origin-too-long' | 'cors-origin-malformed' | 'cors-origin-not-allowed' | 'cors-predicate-failed';
/** An origin that was refused: a preflight with 403, an actual request by leaving the CORS headers out. */
interface CorsRefusal extends Refusal {
    readonly code: CorsRefusalCode;
    /** 403 for a preflight; undefined for an actual request, which is never blocked. */
    readonly status: 403 | undefined;
    /** As the request had it. It is a stranger's: keep it out of a metric's labels. */
    readonly origin: string;
    /** The middleware that refused, the very function that `corsPreflight` returned. */
    readonly instance: Middleware;
}
/** Options of `corsPreflight`. Lists are arrays or comma-separated strings, as in npm `cors`. */
interface CorsOptions extends TargetOptions {
    /**
     * Whose pages may read the answers (Fetch, CORS check): one rule, or a list of them, of which any may allow.
     * Default `'*'`.
     */
    readonly origin?: OriginRule | readonly OriginRule[];
    /**
     * May the browser send cookies and HTTP authentication (Fetch, CORS protocol and credentials)? Not with the origin
     * `'*'`. Default false.
     */
    readonly credentials?: boolean;
    /**
     * The request header fields that pages may send (Fetch, Access-Control-Allow-Headers). `'*'`, without credentials, is
     * every one but Authorization.
     * Default Content-Type, If-Match, If-None-Match, If-Unmodified-Since, Prefer, Idempotency-Key, Authorization.
     */
    readonly allowedHeaders?: string | readonly string[];
    /**
     * The response header fields that pages may read, beside those that Fetch lets them read anyway.
     * Default ETag, Accept-Patch, Allow, Content-Location, Location, Preference-Applied, Retry-After.
     */
    readonly exposedHeaders?: string | readonly string[];
    /**
     * For how many seconds browsers may keep the answer to a preflight (Fetch, Access-Control-Max-Age): a whole number
     * up to 86,400. Default 600.
     */
    readonly maxAge?: number;
    /**
     * Narrows the methods that are computed from the routes (Fetch, Access-Control-Allow-Methods); it can add none. Left
     * out, they are all allowed.
     */
    readonly methods?: string | readonly string[];
    /** The request header fields, beside Origin, that an origin predicate reads: they are named in Vary. Default none. */
    readonly vary?: string | readonly string[];
    /**
     * Told of every origin that was refused, after the answer; for metrics. What it throws becomes a process warning.
     * Default: nobody is told.
     */
    readonly onRefused?: (refusal: CorsRefusal) => void | Promise<void>;
    /**
     * Dangerous: lets `http:` origins outside localhost (Secure Contexts 3.1) have credentials. Whoever is on the
     * network of a user can write such a page, and so act as that user. Only strings are judged: which origins a RegExp
     * or a function admits cannot be known at start. Default false.
     */
    readonly dangerouslyAllowInsecureOrigins?: boolean;
    /** Dangerous: lets patterns like `https://*.com` name the domains of strangers. Default false. */
    readonly dangerouslyAllowPublicSuffixes?: boolean;
    /**
     * Dangerous: lets `'*'` and `'null'` go with credentials, by sending back whichever origin asks. Every page that a
     * user opens can then act as that user (Fetch, CORS protocol and credentials). Default false.
     */
    readonly dangerouslyAllowAnyOriginWithCredentials?: boolean;
}

/** What a browser would make of a request, for programs: each is stable. */
type ExplanationCode = 'cors-allowed' | 'cors-method-forbidden' | 'cors-credentials-not-allowed' | 'cors-no-route' | 'cors-method-not-allowed' | 'cors-header-not-allowed' | 'cors-headers-too-many' | CorsRefusalCode;
/** Whether a browser lets a page make a request and read its answer, and if not, where it gives up. */
interface Explanation {
    readonly allowed: boolean;
    /** Whether the browser asks before it sends the request. */
    readonly preflight: boolean;
    readonly code: ExplanationCode;
    /** The step of the Fetch standard that fails; undefined where none does. */
    readonly step: string | undefined;
    /** What is wrong and what to do, for the person who reads it. */
    readonly reason: string;
}

/** A request that a page might make. */
interface CorsQuestion {
    /** The page's origin. */
    readonly origin: string;
    readonly method: string;
    /**
     * The names of the header fields that the page sets beyond the CORS-safelisted ones, as a browser lists them in
     * Access-Control-Request-Headers: in one string or several.
     */
    readonly headers?: string | readonly string[];
    /** As the server receives it: from the root, with every mount path in it. */
    readonly path: string;
    /** Whether the page asks with `credentials: 'include'`. Default false. */
    readonly credentials?: boolean;
    /** The app or router whose routes count. Default: the option `root`, or the app that requests come through. */
    readonly root?: unknown;
}

/** What `corsPreflight` returns: the middleware, which can also explain what it does. */
interface CorsPreflight extends Middleware {
    /**
     * Says what a browser would make of a request: whether it lets the page send it and read the answer, and if not, at
     * which step of the Fetch standard it gives up, and why.
     *
     * @throws ConfigurationError (as a rejection) where the app whose routes count is not known: before its first
     *   request, and outside Express, name it as `root`
     */
    explain(question: CorsQuestion): Promise<Explanation>;
}
/**
 * Middleware that answers CORS preflights with the methods that the target's routes handle, and puts the CORS fields
 * on every other response, errors included. Mount it first: a preflight carries no login. Requests are never blocked:
 * what a page of another origin may read is for the browser to enforce (Fetch, CORS protocol).
 *
 * Several may be mounted, on routers too: the first that a request reaches claims it, preflight and actual request
 * alike, so the policy of a path stands before that of the whole.
 *
 * @param options - see CorsOptions; left out, every origin is allowed, without credentials
 * @throws ConfigurationError with every mistake in the options
 */
declare function corsPreflight(options?: CorsOptions): CorsPreflight;

/** What `body` is told of the target. */
interface OptionsBodyContext {
    /** The path of the target, without a query. */
    readonly path: string;
    readonly methods: readonly string[];
    readonly acceptPatch: readonly string[];
}
/** Options of `optionsHandler`. */
interface OptionsHandlerOptions extends TargetOptions {
    /**
     * Makes the content of the answer, which is sent as JSON; undefined: none. RFC 9110 9.3.7 leaves its format open.
     * Default: no content.
     */
    readonly body?: (target: OptionsBodyContext) => unknown;
    /** Default 200, as the examples of RFC 9110 and RFC 5789 have it. 204 has no content, and so goes without `body`. */
    readonly status?: 200 | 204;
}
/**
 * Answers OPTIONS (RFC 9110 9.3.7) with the methods of the target's routes in `Allow` and, where PATCH is registered
 * with `patchHandler`, its media types in `Accept-Patch` (RFC 5789 3.1). `OPTIONS *` lists the methods of the whole
 * server, without `Accept-Patch`: that field says that PATCH is allowed on the resource that the request names, and an
 * asterisk names none.
 *
 * Mount it first: at the end of any router Express answers OPTIONS by itself, with that router's routes alone. An
 * OPTIONS handler of the host's for the target wins, and a target without routes goes on to the host's 404.
 *
 * @throws ConfigurationError where an option is none, or cannot be what it is
 */
declare function optionsHandler(options?: OptionsHandlerOptions): Middleware;

/** What stands in front of the host's routes: the answers to OPTIONS, and CORS where there is a policy. */
interface FrontOptions extends OptionsHandlerOptions {
    /** The CORS policy, see `CorsOptions`; `{}` takes its defaults. Left out: no CORS at all. */
    readonly cors?: CorsOptions;
}

/**
 * The strong entity tag of a stored representation, made from its version by npm `etag`, so that it is legal whatever
 * the version holds. Send it from GET, so that what a client read there is what its `If-Match` names here: the tags
 * that Express makes by itself are weak and never satisfy If-Match (RFC 9110 13.1.1).
 */
declare function entityTag(stored: {
    readonly version: string;
}): string;

/** A problem document, RFC 9457. `type` is left out, which means `about:blank`: the status says what kind it is. */
interface ProblemDocument {
    readonly status: number;
    /** The status code's own phrase, RFC 9457 4.2.1. */
    readonly title: string;
    /** One sentence for the person who reads it: what was sent, and what to do. Never a stored value. */
    readonly detail: string;
    /** Stable, for programs: the README's catalogue lists every code. */
    readonly code: string;
    /** Further members, RFC 9457 3.2: `operation`, `pointer`, `errors`. */
    readonly [extension: string]: unknown;
}
/**
 * A request that the protocol refuses, as an error: answered as `application/problem+json`, or under
 * `errors: 'next'` handed to the host's error handler, which finds `status` and `headers` where Express's own
 * handler looks for them.
 */
declare class ProblemError extends Error {
    readonly name: string;
    readonly status: number;
    readonly code: string;
    /** Response header fields that belong to the answer: `Allow`, `Accept-Patch`, `ETag`. */
    readonly headers: Readonly<Record<string, string>>;
    readonly problem: ProblemDocument;
    constructor(status: number, code: string, detail: string, more?: {
        headers?: Record<string, string>;
        extensions?: Record<string, unknown>;
        cause?: unknown;
    });
}

/** How preconditions are judged; the same names and meanings as in `patchHandler`. */
interface PreconditionOptions<S> {
    /** The entity tag (RFC 9110 8.8.3) that the host's GET sends for a stored representation. Default: `entityTag`. */
    readonly entityTag?: (stored: S) => string;
    /**
     * `'required'`: a write without If-Match (or, to create, `If-None-Match: *`) is answered 428 (RFC 6585 3). Default
     * `'optional'`.
     */
    readonly precondition?: 'optional' | 'required';
    /**
     * Compare If-Match weakly, for hosts behind a proxy that turns `"x"` into `W/"x"`. Default false. It deviates from
     * RFC 9110 13.1.1, and does no harm only where one tag never stands for two states.
     */
    readonly weakMatch?: boolean;
}
/** The least that a stored representation must show to be compared. */
interface Versioned {
    readonly version: string;
    readonly modified?: Date;
}
/**
 * The first step of a host's own PUT, DELETE or GET handler: are the request's preconditions true of what is stored?
 * (RFC 9110 13.2)
 *
 * @param stored - what the store holds; undefined where the target does not exist
 * @returns undefined: go on. Otherwise what to answer, with `sendProblem(res, problem)` or `next(problem)`: 412 with
 * the current ETag, 428, 400 for an If-Match that is no list of quoted tags, and 304 for GET and HEAD.
 *
 * @example
 * ```ts
 * const problem = checkPreconditions(req, stored);
 * if (problem !== undefined) return sendProblem(res, problem);
 * ```
 */
declare function checkPreconditions<S extends Versioned>(req: IncomingMessage, stored: S | undefined, options?: PreconditionOptions<S>): ProblemError | undefined;

/** What the answer to a change holds: no more than it must, or the representation (RFC 7240 4.2). */
type ReturnPreference = 'minimal' | 'representation';

/**
 * Ends a response with a problem: its status, its header fields and, as `application/problem+json`, its document.
 * A 304 (from `checkPreconditions` on GET) has no content; to HEAD, Node itself sends none.
 *
 * The answer leaves at once, also while the client is still sending. The response is ended only when the rest of the
 * request has been read and dropped, up to a bound: ended earlier, a connection that is to be closed would be reset
 * under the client's upload, before it has read why.
 */
declare function sendProblem(res: ServerResponse, error: ProblemError): void;

/** Options of `methodNotAllowed`. */
interface MethodNotAllowedOptions extends TargetOptions {
    /** `'next'`: hand the 405, as a `ProblemError`, to the host's error handler. Default `'answer'`. */
    readonly errors?: 'answer' | 'next';
}
/**
 * Answers 405 with the computed `Allow` (RFC 9110 15.5.6) where the target has routes, but none for the request's
 * method. Mount it after the routes: a request that reaches it was let pass by every route for all verbs, proxy and
 * static file server, so those never count here. A target without routes, and a method that a handler passed on,
 * remain the host's 404.
 *
 * @throws ConfigurationError where an option is none, or cannot be what it is
 */
declare function methodNotAllowed(options?: MethodNotAllowedOptions): Middleware;

/**
 * Why a patch document cannot be applied, and the status that says so (RFC 5789 2.2).
 *
 * - malformed: the document is not one of its media type
 * - conflict: it is, but not for the resource's present state (a path that is not there, an index out of range)
 * - test: a `test` operation found something else
 * - limit-*: it would cost more than the host allows; the name is the option's, `limits.operations` and so on
 */
declare const statusOf: {
    readonly 'patch-malformed': 400;
    readonly 'patch-conflict': 409;
    readonly 'patch-test-failed': 409;
    readonly 'limit-operations': 413;
    readonly 'limit-depth': 413;
    readonly 'limit-copied': 413;
};
/** The codes of a `PatchError`: stable, for programs. */
type PatchErrorCode = keyof typeof statusOf;
/** Where in the patch document the fault lies. */
interface PatchErrorPlace {
    /** The zero-based index of the operation. */
    readonly operation?: number;
    /** The JSON Pointer, as the client wrote it; cut after 1,000 characters, with an ellipsis. */
    readonly pointer?: string;
}
/**
 * Thrown by a patch parser, and by the patches it returns, for a document that cannot be applied. The detail is sent
 * to the client: it may quote the patch document, never the stored value.
 */
declare class PatchError extends ProblemError {
    readonly name = "PatchError";
    constructor(code: PatchErrorCode, detail: string, place?: PatchErrorPlace);
}

/** What one PATCH may cost. Each is an option of `patchHandler`; each, when passed, is a 413 that names it. */
interface PatchLimits {
    /** Bytes of the patch document, counted after a content coding is undone. Default 1 MiB. */
    readonly bytes: number;
    /** Operations in one JSON Patch. Default 1,000. */
    readonly operations: number;
    /** Levels of nesting, of the patch document and of the value that it makes. Default 100. */
    readonly depth: number;
    /** Bytes, as JSON, that the `copy` operations of one patch may add. Default 1 MiB. */
    readonly copied: number;
    /**
     * Bytes of the resulting value as its store writes it. Default 16 MiB. Stores that do not serialise do not
     * count.
     */
    readonly result: number;
}
/** What a parser is told beside the document. */
interface ParseContext {
    readonly limits: PatchLimits;
    /** The parameters of the request's Content-Type, names in lower case. */
    readonly parameters: Readonly<Record<string, string>>;
    readonly request: IncomingMessage;
}
/**
 * A patch that was read and is ready to apply. It is pure: it never changes its input, and it may be applied
 * again to a fresh value after a lost race. What it makes is `unknown`: a patch can turn a value into any other,
 * and whether the result is a `T` is for `validate` to say.
 *
 * @throws PatchError where the current value is in no state that it fits
 */
type Patch<T> = (current: T) => unknown;
/** A patch format: the media type that names it and the reader of its documents. */
interface PatchParser<T = unknown> {
    /** One or several, each listed in `Accept-Patch` in this order. */
    readonly mediaType: string | readonly string[];
    /** @throws PatchError where the document is not one of its media type */
    parse(document: Buffer, context: ParseContext): Patch<T>;
}

/** JSON Patch, RFC 6902: `application/json-patch+json`. */
declare function jsonPatch(): PatchParser;

/** Options of `mergePatch`. */
interface MergePatchOptions {
    /**
     * The media type, or types, under which the documents are taken (RFC 5789 3.1). Default
     * `application/merge-patch+json`; with `application/json` clients are served that send plain JSON.
     */
    readonly mediaType?: string | readonly string[];
}
/**
 * JSON Merge Patch, RFC 7396.
 *
 * @throws ConfigurationError where an option cannot be what it is
 */
declare function mergePatch(options?: MergePatchOptions): PatchParser;

/** One thing that is wrong with the value that a patch would make. */
interface InvalidMember {
    readonly detail: string;
    /** The JSON Pointer of the member. */
    readonly pointer?: string;
}

/**
 * The part of Standard Schema v1 (standardschema.dev) that is needed to judge a value. Schemas of zod, valibot, arktype
 * and others are of this shape; its authors ask libraries to copy the type rather than depend on a package.
 */
interface StandardSchema<T> {
    readonly '~standard': {
        readonly version: 1;
        readonly vendor: string;
        readonly validate: (value: unknown) => SchemaResult<T> | Promise<SchemaResult<T>>;
    };
}
type SchemaResult<T> = {
    readonly value: T;
    readonly issues?: undefined;
} | {
    readonly issues: readonly SchemaIssue[];
};
interface SchemaIssue {
    readonly message: string;
    readonly path?: readonly (PropertyKey | {
        readonly key: PropertyKey;
    })[] | undefined;
}

/** The request as the options' functions see it: `req.params.id` is `string | undefined`. */
type PatchRequest = Request<Record<string, string>>;
type Awaitable<R> = R | Promise<R>;
/** Says what is wrong with the value that a patch would make; nothing, or an empty list: it is valid. */
type Validator<T> = (next: T, current: T | undefined, req: PatchRequest) => Awaitable<readonly InvalidMember[] | undefined>;
/** The change that `authorize` judges. */
interface ProposedChange<T> {
    /** Undefined where the patch would create the resource. */
    readonly current: T | undefined;
    readonly next: T;
    /** The JSON Pointers of what differs between the two, the deepest that say it. */
    readonly changed: readonly string[];
}
/** A change that was made. */
interface PatchedEvent<T> {
    readonly key: string;
    /** Undefined where the patch created the resource. */
    readonly before: Stored<T> | undefined;
    readonly after: Stored<T>;
    readonly patch: {
        readonly mediaType: string;
        readonly document: Buffer;
    };
    readonly req: PatchRequest;
}
/** A PATCH that was refused. */
interface PatchRefusal extends Refusal {
    readonly req: PatchRequest;
    /** What the client is answered, with its `operation`, `pointer` or `errors`. */
    readonly problem: ProblemDocument;
}
/** What is kept for repeats. Nothing is forgotten before its time: where there is no room, a new key is answered 503. */
interface OutcomeBounds {
    /** Requests for each resource. Default 1,000. */
    readonly keep?: number;
    /** Seconds, up to 31,536,000, a year. Default 86,400, a day. */
    readonly maxAge?: number;
}
/** The options of `patchHandler`. */
interface PatchHandlerOptions<T> extends PreconditionOptions<Stored<T>> {
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

/**
 * Answers PATCH (RFC 5789) on the route it is mounted on, and is found there by `optionsHandler` for Accept-Patch.
 *
 * A patch document in one of the parsers' media types is applied to what the store holds under the target's key, if the
 * request's preconditions hold, and written if nobody else has written meanwhile. Answered 204 with the new ETag and
 * Content-Location, or 200 with the representation under `Prefer: return=representation`; every refusal is a problem
 * document (RFC 9457), and leaves the stored value as it was.
 *
 * @param store - where the resources live
 * @param parsers - the patch formats, in the order of Accept-Patch: `[jsonPatch(), mergePatch()]`
 * @param options - see `PatchHandlerOptions`; each has a default
 * @throws ConfigurationError with every mistake in the options, when it is made
 *
 * @example
 * ```ts
 * app.patch('/notes/:id', patchHandler(notes, [jsonPatch(), mergePatch()], { key: (req) => req.params.id }));
 * ```
 */
declare function patchHandler<T>(store: ResourceStore<T>, parsers: readonly PatchParser<NoInfer<T>>[], options?: PatchHandlerOptions<NoInfer<T>>): Middleware;

/** What `http.createServer` calls with every request; an Express app is one. */
type Listener = (req: IncomingMessage, res: ServerResponse) => unknown;
/**
 * The answers of `patchOptions` in front of the app, for servers that get many of them: preflights and OPTIONS are
 * answered on Node's own request and response, before Express prepares them for its handlers and walks its stack, which
 * costs several times what the answer does. Every other response is decorated, and the app gets every other request.
 *
 * It stands before everything in the app, so its CORS policy is that of every path. What `body` throws does not reach
 * the app's error handlers: it is answered with 500 and becomes a warning of the process.
 *
 * @param app - an Express app, or any function that `http.createServer` takes; then `root` names the app or router
 *   whose routes count
 * @param options - see `FrontOptions`; left out: OPTIONS alone, no CORS
 * @throws ConfigurationError with every mistake, when it is made
 *
 * @example
 * ```ts
 * http.createServer(optionsListener(app, { cors: { origin: 'https://app.example' } })).listen(3000);
 * ```
 */
declare function optionsListener(app: Listener, options?: FrontOptions): Listener;

/** One resource, or one pattern of them, whose PATCH is answered by `patchOptions` itself. */
interface PatchResource {
    /**
     * The middlewares that run before PATCH here, or `'none'`. It must be said: `patchOptions` stands in front of the
     * host's authentication, because preflights carry no credentials, and what it answers itself has not passed that.
     */
    readonly guard: 'none' | RequestHandler | readonly RequestHandler[];
    /** A `patchHandler`. */
    readonly patch: Middleware;
}
/** The options of `patchOptions`. */
interface PatchOptions extends FrontOptions {
    /** Resources whose PATCH is answered here, by Express path. Left out: none, and Express is not loaded. */
    readonly resources?: Readonly<Record<string, PatchResource>>;
}
/**
 * All of it in one `app.use`, in front of everything else: CORS preflights, OPTIONS for every target and, for the
 * `resources` given, PATCH.
 *
 * @param options - see `PatchOptions`
 * @throws ConfigurationError with every mistake in the options, when it is made
 *
 * @example
 * ```ts
 * app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
 * ```
 */
declare function patchOptions(options: PatchOptions & Required<Pick<PatchOptions, 'resources'>>): Router;
/** The same without `resources`: one middleware, for which Express is not loaded. */
declare function patchOptions(options?: PatchOptions): Middleware;

/**
 * Names what a middleware answers that the walk over the routes cannot see into: static files, proxies, a router
 * behind a function of one's own. What is declared is part of Allow, of preflights and of the 405 for every path under
 * the middleware's mount, so mount it under the path that it serves.
 *
 * ```ts
 * app.use('/files', declareMethods(['GET'], express.static('files')));
 * const transactional: RequestHandler = (req, res, next) => inTransaction(() => api(req, res, next));
 * app.use('/api', declareMethods(api, transactional));
 * ```
 *
 * @param declared - the methods, in upper case (GET brings HEAD along; with OPTIONS among them the middleware answers
 *   OPTIONS itself), or the router or app that the middleware passes its requests to
 * @param middleware - any middleware; it is not changed
 * @returns a middleware that does the same
 * @throws ConfigurationError where a method is none that Node parses, or where the first argument is neither
 */
declare function declareMethods<Arguments extends unknown[], Result>(declared: readonly string[] | ((...args: never[]) => unknown), middleware: (...args: Arguments) => Result): (...args: Arguments) => Result;

/** Options of `cachedStore`. */
interface CachedStoreOptions {
    /**
     * How many resources are remembered, those used last: a whole number from 1 to 16,777,216. Memory is bounded by this
     * alone: a value takes about three times its JSON, and every place 28 bytes from the start.
     */
    readonly max: number;
}
/** What a wrapped store may have beside the two operations. */
interface WrappedStore<T> extends ResourceStore<T> {
    delete?(key: string, expected?: string): Promise<unknown>;
    setup?(): Promise<unknown>;
}
/** A store that remembers, with `delete` and `setup` just as the wrapped one has them, and an `OutcomeStore` where it is. */
type CachedStore<T, S> = ResourceStore<T> & Pick<S, Extract<keyof S, 'delete' | 'setup' | 'keepsOutcomes'>>;
/**
 * A store around another that remembers the last state seen of each resource. A PATCH then costs one round trip, the
 * conditional write, as long as nobody else writes; where somebody has, that write does nothing, and the patch is made
 * again on what the engine then says. Nothing is refused for what was only remembered.
 *
 * A plain `get` asks the engine, so that GET, PUT and DELETE handlers work on the present state, whichever process wrote
 * it; the PATCH that follows finds it remembered. Only `get` with `mayBeStale` is answered from memory.
 *
 * Values are deeply frozen, whoever asks.
 *
 * @param store - any that keeps the contract; each process may have a cache of its own around one engine
 * @throws ConfigurationError
 *
 * @example
 * ```ts
 * const notes = cachedStore(new PostgresStore<Note>(pool, { table: 'notes' }), { max: 10_000 });
 * ```
 */
declare function cachedStore<T, S extends WrappedStore<T>>(store: S & WrappedStore<T>, options: CachedStoreOptions): CachedStore<T, S>;

/** Thrown where a value has no JSON text: it holds itself, a BigInt, too many levels, or is nothing that JSON has. */
declare class NotJsonError extends TypeError {
    readonly name = "NotJsonError";
    readonly code = "PATCH_OPTIONS_NOT_JSON";
    constructor(reason: string, options?: ErrorOptions);
}

/**
 * A store that keeps outcomes beside the value: what a request with an idempotency key has led to, written in the same
 * step as the change itself, so that no crash can separate the two. `storeConformance` proves each clause.
 *
 * An outcome is a text that belongs to a key and to the id of a request there. `get` with `context.outcome` gives it in
 * `Stored.outcome`, in one step with the state (with `mayBeStale`, perhaps not); `replace` with `context.outcome` keeps
 * it if, and only if, it writes.
 *
 * - **Once an id**: `replace` writes nothing, as if the version were another, while there is an outcome of that id.
 * - **As long as it was promised**: an outcome is there for `maxAge` seconds, by the engine's clock, whatever else is
 *   written to the key, and gone after them.
 * - **Bounded**: where the key has `keep` outcomes that are not over their age, a `replace` that would write throws
 *   `outcomesFull` and writes nothing. A store that tells the age of only the oldest may count others that are over it.
 * - **With the resource**: deletion forgets its outcomes.
 */
interface OutcomeStore<T = unknown> extends ResourceStore<T> {
    /** By this it is known. */
    readonly keepsOutcomes: true;
}
/**
 * What a `replace` throws that cannot keep its outcome: 503 with Retry-After.
 *
 * @param seconds - until the oldest outcome of the key is over its age
 */
declare function outcomesFull(seconds: number): ProblemError;

/**
 * Resources in this process's memory: for tests, for one process that may forget, and as the measure of the others.
 *
 * Values are deeply frozen copies, treated as JSON would treat them, and what `get` returns is the frozen value itself:
 * a patch costs what it changes and not the size of the document. What is stored is not counted, so `context.maxBytes`
 * has no say.
 *
 * @throws NotJsonError from `replace`, for a value that JSON cannot write
 */
declare class MemoryStore<T = unknown> implements OutcomeStore<T> {
    #private;
    readonly keepsOutcomes = true;
    get(key: string, context?: ReadContext): Promise<Stored<T> | undefined>;
    replace(key: string, expected: string | null, next: T, context?: WriteContext): Promise<Stored<T> | undefined>;
    /**
     * @param expected - delete only while the version is this one; left out, whatever it is
     * @returns whether there was something to delete
     */
    delete(key: string, expected?: string): Promise<boolean>;
    /** Every key with what is stored there, in the order of creation, for the host's lists. */
    entries(): Generator<[key: string, stored: Stored<T>], undefined>;
}

/** What is asked of a `Pool` of pg: to run one statement on a connection of its choice. */
interface PostgresPool {
    query(statement: {
        name?: string;
        text: string;
        values?: string[];
    }): Promise<{
        rows: unknown[];
    }>;
}

/** The table that resources are in. */
interface PostgresTable {
    /** The table, in any spelling: it is quoted. */
    readonly table: string;
    /** The schema, quoted too. Left out, the connection's `search_path` finds the table. */
    readonly schema?: string;
}

/** Options of `PostgresStore`. */
interface PostgresStoreOptions extends PostgresTable {
    /**
     * Whether the statements are prepared, by name, once a connection. False for a pool in front of the engine that gives
     * each transaction another connection (PgBouncer before 1.21, or without `max_prepared_statements`). Default true.
     */
    readonly prepare?: boolean;
}
/**
 * Resources in a table of PostgreSQL, over the host's own pool: one round trip to read, one to write.
 *
 * It asks for little, so that engines which speak PostgreSQL's protocol serve as well: a primary key,
 * `INSERT … ON CONFLICT DO NOTHING RETURNING`, `UPDATE … WHERE … RETURNING`, each one row found by its key in a
 * transaction of its own. No extension, no advisory lock, no trigger, no sequence, and no volatile function.
 *
 * The table is the host's to query, for its lists; every UPDATE by hand needs a new `version`.
 *
 * | column | holds |
 * |---|---|
 * | `key` | text, the primary key |
 * | `value` | text, the value as JSON: jsonb loses the order of members, and refuses `\u0000` and lone surrogates |
 * | `version` | text |
 * | `modified` | timestamptz(3) |
 *
 * Outcomes are in the table `<table>_outcomes`, whose rows go with their resource's.
 */
declare class PostgresStore<T = unknown> implements OutcomeStore<T> {
    #private;
    readonly keepsOutcomes = true;
    /**
     * @param pool - of `pg`, or of its shape; ended by the host, who also listens to its `error` event
     * @throws ConfigurationError for names that cannot be a table's and a schema's
     */
    constructor(pool: PostgresPool, options: PostgresStoreOptions);
    /**
     * Creates the schema and the tables where they are missing; several may do it at once. Where they are there it needs
     * no right but to read.
     */
    setup(): Promise<void>;
    /**
     * The SQL that `setup` runs, for hosts that migrate by hand.
     * @throws ConfigurationError as the constructor does
     */
    static setupSql(table: PostgresTable): string;
    get(key: string, context?: ReadContext): Promise<Stored<T> | undefined>;
    replace(key: string, expected: string | null, next: T, context?: WriteContext): Promise<Stored<T> | undefined>;
    /**
     * @param expected - delete only while the version is this one; left out, whatever it is
     * @returns whether there was something to delete
     */
    delete(key: string, expected?: string): Promise<boolean>;
}

/** A `Redis` or `Cluster` of ioredis. */
interface IoRedisClient {
    evalsha(sha: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
    eval(script: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
}
/** What `createClient`, `createClientPool`, `createCluster` or `createSentinel` of node-redis (npm `redis`) made. */
interface NodeRedisClient {
    evalSha(sha: string, options: ScriptParameters): Promise<unknown>;
    eval(script: string, options: ScriptParameters): Promise<unknown>;
}
interface ScriptParameters {
    keys: string[];
    arguments: string[];
}
/** A client of either driver, as the host made it. */
type RedisClient = IoRedisClient | NodeRedisClient;

/** Options of `RedisStore`. */
interface RedisStoreOptions {
    /** What every key begins with: `notes:`. May be empty, said out loud. */
    readonly prefix: string;
}
/**
 * Resources in Redis 5 or later, or a Redis Cluster: each a hash at prefix + key, with the fields `value` (the value as
 * JSON), `version` and `modified` (milliseconds of the epoch), and beside them, where outcomes are kept, `first`, `last` and
 * two fields for each: `id:<number>` and `outcome:<id>`. So they are written, expire and are deleted with their resource,
 * and in a cluster they move with it: a script has one key.
 *
 * Redis acknowledges what it has in memory. Without an append-only file a restart loses everything since the last
 * snapshot; with `appendfsync everysec` a loss of power loses the last second, with `always` nothing. A failover loses
 * what the replica had not heard of yet, whatever is set. And it needs `maxmemory-policy noeviction`.
 */
declare class RedisStore<T = unknown> implements OutcomeStore<T> {
    #private;
    readonly keepsOutcomes = true;
    /**
     * @param client - of ioredis or of node-redis, connected and closed by the host
     * @throws ConfigurationError
     */
    constructor(client: RedisClient, options: RedisStoreOptions);
    get(key: string, context?: ReadContext): Promise<Stored<T> | undefined>;
    replace(key: string, expected: string | null, next: T, context?: WriteContext): Promise<Stored<T> | undefined>;
    /**
     * @param expected - delete only while the version is this one; left out, whatever it is
     * @returns whether there was something to delete
     */
    delete(key: string, expected?: string): Promise<boolean>;
}

/**
 * An open database of `node:sqlite`, better-sqlite3 or any driver of their shape.
 *
 * `all` alone is asked, also for one row: `get` stops at the first row, and where the statement's commit then fails
 * (SQLITE_BUSY under a reader, a full disk) both drivers drop that error and return the row as if it had been kept.
 */
interface SqliteHandle {
    exec(sql: string): unknown;
    prepare(sql: string): {
        all(...parameters: string[]): unknown[];
    };
}

/** Options of `SqliteStore`. */
interface SqliteStoreOptions {
    /** The table, in any spelling: it is quoted. */
    readonly table: string;
    /**
     * Milliseconds for which an operation is tried again, without blocking the process, while another connection holds
     * the lock; then SQLite's own error is thrown. This comes after `PRAGMA busy_timeout`, for which SQLite itself
     * waits and the process stands still. Default 5,000.
     */
    readonly busyTimeout?: number;
    /** Take a file in WAL mode also under a release of SQLite with the WAL-reset fault. Default false. */
    readonly acceptWalResetFault?: boolean;
}
/**
 * Resources in a table of an SQLite database that the host opened, with `node:sqlite` or better-sqlite3, in this process
 * and any number of others.
 *
 * The table is the host's to query, for its lists; to write to it, leave `version` out of no UPDATE: every write needs
 * a new one.
 *
 * | column | holds |
 * |---|---|
 * | `key` | TEXT, the primary key |
 * | `value` | TEXT, the value as JSON |
 * | `version` | TEXT |
 * | `modified` | TEXT, UTC in milliseconds, as `Date.toISOString` writes it |
 *
 * Outcomes are in the table `<table>_outcomes`. Whoever deletes a resource by hand deletes its rows there too, unless
 * `PRAGMA foreign_keys` is on, as it is by default in both drivers.
 *
 * A handle of the store's own is best: while the host has a transaction open on it, nothing is written, for its ROLLBACK
 * would undo what was acknowledged; after `busyTimeout` an OpenTransactionError is thrown.
 *
 * Set before the store is made, once per connection: `PRAGMA journal_mode = WAL` (readers and the writer do not wait for
 * each other) and `PRAGMA synchronous = FULL` (what was acknowledged outlives a loss of power, not only of the process).
 */
declare class SqliteStore<T = unknown> implements OutcomeStore<T> {
    #private;
    readonly keepsOutcomes = true;
    /**
     * @param db - open, and closed by the host
     * @throws ConfigurationError for a table name that cannot be one, and for a file in WAL mode under a release of SQLite
     *   with the WAL-reset fault (https://sqlite.org/wal.html#walresetbug)
     */
    constructor(db: SqliteHandle, options: SqliteStoreOptions);
    /** Creates the tables where they are missing; throws SQLite's own error where one of other columns has the name. */
    setup(): Promise<void>;
    /**
     * The SQL that `setup` runs, for hosts that migrate by hand.
     * @throws ConfigurationError for a name that cannot be a table's
     */
    static setupSql(options: Pick<SqliteStoreOptions, 'table'>): string;
    get(key: string, context?: ReadContext): Promise<Stored<T> | undefined>;
    replace(key: string, expected: string | null, next: T, context?: WriteContext): Promise<Stored<T> | undefined>;
    /**
     * @param expected - delete only while the version is this one; left out, whatever it is
     * @returns whether there was something to delete
     */
    delete(key: string, expected?: string): Promise<boolean>;
}

export { ConfigurationError, MemoryStore, NotJsonError, PatchError, PostgresStore, ProblemError, ReadContext, RedisStore, ResourceStore, SqliteStore, Stored, WriteContext, cachedStore, checkPreconditions, corsPreflight, declareMethods, entityTag, jsonPatch, mergePatch, methodNotAllowed, optionsHandler, optionsListener, outcomesFull, patchHandler, patchOptions, sendProblem };
export type { CachedStore, CachedStoreOptions, CorsOptions, CorsPreflight, CorsQuestion, CorsRefusal, CorsRefusalCode, Explanation, ExplanationCode, FrontOptions, InvalidMember, Listener, MergePatchOptions, MethodNotAllowedOptions, Middleware, Mistake, Next, OptionsBodyContext, OptionsHandlerOptions, OriginPredicate, OriginRule, OutcomeBounds, OutcomeStore, ParseContext, Patch, PatchErrorCode, PatchErrorPlace, PatchHandlerOptions, PatchLimits, PatchOptions, PatchParser, PatchRefusal, PatchRequest, PatchResource, PatchedEvent, PostgresPool, PostgresStoreOptions, PreconditionOptions, ProblemDocument, ProposedChange, RedisClient, RedisStoreOptions, Refusal, ReturnPreference, SqliteHandle, SqliteStoreOptions, StandardSchema, TargetOptions, Validator, Versioned };
