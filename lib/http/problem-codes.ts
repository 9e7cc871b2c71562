/**
 * The problems that handlers and stores answer, by their code, each with its status. The comment of each is
 * its text in docs/errors.md: the cause, and after "Fix:" the remedy for the client or the app. A code does
 * not change when a detail is reworded.
 */
export interface Problems {
  // The request.
  /**
   * `Content-Type` is missing, or is not a format that the resource accepts.
   *
   * Fix: Send a media type of `Accept-Patch` (PUT: `application/json`). To accept `application/json` for PATCH, see
   * [media types](patch.md#media-types).
   */
  readonly 'unsupported-media-type': 415;
  /**
   * The document is not in UTF-8.
   *
   * Fix: Send UTF-8.
   */
  readonly 'unsupported-charset': 415;
  /**
   * The request has a `Content-Encoding`, such as gzip.
   *
   * Fix: Send the body without it. In the app, [decode it in front of the handler](patch.md#compressed-bodies).
   */
  readonly 'unsupported-content-coding': 415;
  /**
   * The body is incomplete.
   *
   * Fix: Send it again.
   */
  readonly 'body-broken': 400;
  /**
   * The document is larger than `limits.bytes`.
   *
   * Fix: Send less, or raise the limit.
   */
  readonly 'limit-bytes': 413;
  /**
   * A partial PUT (RFC 9110 14.5).
   *
   * Fix: Send the whole representation, or a PATCH.
   */
  readonly 'content-range': 400;
  /**
   * The document is not JSON, has a [duplicate name or a number that JavaScript cannot
   * hold](patch.md#the-body), or is not a patch of its media type. `pointer` is the place in the document, or
   * in the resource if a body parser has already read the document.
   *
   * Fix: Correct the place that `detail` names.
   */
  readonly 'patch-malformed': 400;
  /**
   * The document of a PUT is not valid JSON, or has a [duplicate name or a number that JavaScript cannot
   * hold](patch.md#the-body).
   *
   * Fix: Correct the place that `detail` names.
   */
  readonly 'representation-malformed': 400;
  /**
   * The target has routes, but none for this method.
   *
   * Fix: Use a method of `Allow`.
   */
  readonly 'method-not-allowed': 405;
  /**
   * OPTIONS for a path that has only error handlers.
   *
   * Fix: Check the URL.
   */
  readonly 'not-found': 404;
  /**
   * The option `body` of `optionsListener` failed.
   *
   * Fix: Correct the function.
   */
  readonly 'options-failed': 500;

  // The resource and its preconditions.
  /**
   * The resource does not exist, or `key` does not return its key.
   *
   * Fix: Check [`key`](patch.md#key): without it, the key is the whole path. To let PATCH create it, set
   * [`create`](patch.md#create).
   */
  readonly 'target-not-found': 404;
  /**
   * [`may`](patch.md#may) or [`authorize`](patch.md#authorize) returned false.
   *
   * Fix: Ask for permission.
   */
  readonly forbidden: 403;
  /**
   * `If-Match` or `If-None-Match` is neither `*` nor a list of quoted tags.
   *
   * Fix: Send the `ETag` exactly as it was received, quotes included.
   */
  readonly 'precondition-malformed': 400;
  /**
   * The resource requires a precondition, and the request has none.
   *
   * Fix: Send `If-Match` with the `ETag` of a GET, or `If-None-Match: *` to create.
   */
  readonly 'precondition-required': 428;
  /**
   * The resource has changed since the client read it, or the tag in `If-Match` is weak, or it is the current
   * tag with `-gzip` or the like appended (`detail` says which). If every request gets 412, GET and PATCH use
   * different entity tags.
   *
   * Fix: Read it again (or use `current`, with the option [`conflict`](patch.md#conflict)), reapply the
   * change, and send that. If that never succeeds, answer GET with `resource(…).get`, and see [entity tags
   * behind a proxy](#entity-tags-behind-a-proxy).
   */
  readonly 'precondition-failed': 412;
  /** `checkPreconditions` on GET or QUERY: the client already has this representation. */
  readonly 'not-modified': 304;
  /**
   * The request sends a value of a member in [`stateMembers`](patch.md#statemembers) that is not the current
   * one, or is a date without fractions whose second is not over. `pointer` names the member.
   *
   * Fix: Read the resource again (or use `current`, with the option [`conflict`](patch.md#conflict)), reapply
   * the change, and send that.
   */
  readonly 'stale-state': 409;
  /**
   * At every attempt, another write came first.
   *
   * Fix: Send it again after `Retry-After`.
   */
  readonly 'lost-race': 409;
  /**
   * `rowStore`: the write took longer than [`timeout`](rows.md#timeout), and was rolled back.
   *
   * Fix: Send it again after `Retry-After`. In the app: see the warning `PATCH_OPTIONS_WRITE_TIMEOUT`.
   */
  readonly 'write-timeout': 503;

  // The change.
  /**
   * A path does not exist in the current state, or an array index is out of range: `detail` names the first
   * part of the path that is missing, and the remedy. Or a list that a [keyed merge
   * patch](patch.md#lists-by-key) names does not have unique keys, or lacks the element while the patch does
   * not send its key.
   *
   * Fix: Do what `detail` says, or read the resource, and make a new patch from its current state.
   */
  readonly 'patch-conflict': 409;
  /**
   * A `test` operation found another value.
   *
   * Fix: Read the resource, and make a new patch from its current state.
   */
  readonly 'patch-test-failed': 409;
  /**
   * The request changes a member in [`readOnly`](patch.md#readonly), or outside the list
   * [`writable`](patch.md#writable). With [`unwritable: 'ignore'`](patch.md#unwritable), it names only such
   * members.
   *
   * Fix: Leave it out.
   */
  readonly 'read-only': 422;
  /**
   * The request changes members that the function [`writable`](patch.md#writable) did not return for it.
   * `errors` has a `pointer` to each.
   *
   * Fix: Leave them out, or ask for permission.
   */
  readonly 'member-forbidden': 403;
  /**
   * A merge patch is an array or a text and the resource is an object, or the reverse: it would replace the
   * whole resource. Often it is a JSON Patch with the wrong `Content-Type`. Or the option
   * [`prepare`](patch.md#prepare) is set, the resource is an object, and the document is null, a text or a
   * number. Or a [keyed merge patch](patch.md#lists-by-key) does not have an object by key for the list at
   * `pointer`.
   *
   * Fix: Send a JSON Patch as `application/json-patch+json`. To replace the resource, send a PUT, or see
   * [`allowRootReplacement`](patch.md#allowrootreplacement).
   */
  readonly 'patch-kind': 422;
  /**
   * A [keyed merge patch](patch.md#lists-by-key) would change the key of an element.
   *
   * Fix: Leave the key out, or remove the element and add a new one.
   */
  readonly 'element-key': 422;
  /**
   * The request writes a [`hidden`](patch.md#hidden) member, or replaces an object above one.
   *
   * Fix: Write the members beside it one by one.
   */
  readonly 'hidden-member': 422;
  /**
   * `validate`, or a column of `rowStore`, rejected the result. `errors` lists the first 20 errors; if there
   * are more, `total` is their number. With the option `hidden`, errors that `validate` finds have no
   * `total`, and all errors of hidden members are reported as one, at the end.
   *
   * Fix: Correct the members that `errors` lists.
   */
  readonly 'invalid-result': 422;
  /**
   * `rowStore`: the database would store the key of a new row differently. For example, a CHAR column cuts
   * off spaces, and an integer column stores `007` as 7.
   *
   * Fix: Write the key as the database does. In the app: make [`key`](rows.md#keys) a function that accepts
   * one spelling.
   */
  readonly 'invalid-key': 422;
  /**
   * `rowStore`: another row has the value of a column that must be unique, or an EXCLUDE constraint refuses
   * it. `pointer` names its member, if the error [names](rows.md#what-becomes-of-errors) the column, or if
   * the request changed only one.
   *
   * Fix: Choose another value.
   */
  readonly 'unique-violation': 409;
  /**
   * `rowStore`: other rows refer to the row to be deleted.
   *
   * Fix: Delete the other rows first.
   */
  readonly 'still-referenced': 409;
  /**
   * The patch has more operations than [`limits.operations`](patch.md#limitsoperations).
   *
   * Fix: Split the patch.
   */
  readonly 'limit-operations': 413;
  /**
   * The document, or the result, nests deeper than [`limits.depth`](patch.md#limitsdepth).
   *
   * Fix: Send a flatter document, or raise the limit.
   */
  readonly 'limit-depth': 413;
  /**
   * `copy` operations add more bytes than [`limits.bytes`](patch.md#limitsbytes).
   *
   * Fix: Copy less, or split the patch.
   */
  readonly 'limit-copied': 413;
  /**
   * Insertions and removals of one patch shift more than 10,000,000 array elements.
   *
   * Fix: Replace the array as a whole, or insert at its end.
   */
  readonly 'limit-shifted': 413;
  /**
   * The JSON Pointers of all changes, which `authorize` receives, have more bytes than
   * [`limits.bytes`](patch.md#limitsbytes).
   *
   * Fix: Split the request.
   */
  readonly 'limit-changes': 413;
  /**
   * The result has more bytes than [`limits.result`](patch.md#limitsresult), in a store that serialises it.
   *
   * Fix: Make it smaller, or raise the limit.
   */
  readonly 'limit-result': 413;

  // Repeated requests.
  /**
   * The resource has `idempotency: 'required'`, and the request has no `Idempotency-Key`.
   *
   * Fix: Send a new key with each change.
   */
  readonly 'idempotency-key-required': 400;
  /**
   * `Idempotency-Key` is empty, or not a string in double quotes.
   *
   * Fix: Send a string in double quotes, such as a UUID.
   */
  readonly 'idempotency-key-malformed': 400;
  /**
   * A different request to the resource already had this key.
   *
   * Fix: Use a new key for each request.
   */
  readonly 'idempotency-key-reused': 422;
  /**
   * The first request with this key is still in progress. **It may still be carried out.**
   *
   * Fix: Retry after `Retry-After`.
   */
  readonly 'idempotency-key-in-flight': 409;
  /**
   * There is no room to store another outcome.
   *
   * Fix: Retry after `Retry-After`, with the same key. In the app: set [`scope`](idempotency.md#scope), or raise
   * [`idempotencyLimits`](idempotency.md#idempotencylimits).
   */
  readonly 'outcomes-full': 503;
}
