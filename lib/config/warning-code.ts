/**
 * The code of a process warning. The comment is its text in docs/errors.md: the cause, and after "Fix:" the
 * remedy for the app.
 */
export type WarningCode =
  /**
   * No Express app handled the request, so its routes cannot be seen.
   *
   * Fix: Pass the router that the server calls to each middleware, as `root`.
   */
  | 'PATCH_OPTIONS_ROOT'
  /**
   * `methodNotAllowed` is mounted before routes of its router. It does not refuse requests that those routes
   * handle, but it may refuse requests that later middleware would handle.
   *
   * Fix: Mount it last. If a framework adds its routes later, call it from an exception filter.
   */
  | 'PATCH_OPTIONS_405_BEFORE_ROUTES'
  /**
   * `patchOptions` or `corsPreflight` is mounted after the route that a preflight asks about, which answers without
   * CORS headers. If that route is in a router of its own, there is no warning, because Express answers OPTIONS there
   * and the middleware never sees the preflight: ask [`explainCors`](cors.md#why-does-the-browser-refuse).
   *
   * Fix: Mount it before all routes.
   */
  | 'PATCH_OPTIONS_CORS_BEHIND_ROUTES'
  /**
   * A page of an allowed origin sends a header that `patchOptions` or `corsPreflight` does not allow, so the
   * browser refuses the request. Emitted once for each header, and for at most ten.
   *
   * Fix: If pages may send it, add the option that the warning shows, such as
   * `allowedHeaders: ['x-request-id']`.
   */
  | 'PATCH_OPTIONS_CORS_HEADER'
  /**
   * The option `key` of `rowStore` returned a number beyond 2^53 - 1, such as a snowflake id, or NaN: it can
   * represent several keys, so the request was answered 404.
   *
   * Fix: Return `BigInt(key)` if there are such keys, or undefined for them.
   */
  | 'PATCH_OPTIONS_UNSAFE_KEY'
  /**
   * npm `cors` is mounted beside `patchOptions` or `corsPreflight`; or your app, or a server whose answers it
   * passes on, sets CORS headers itself. A response then allows an origin that the policy refuses, or the
   * app's headers make a browser refuse a request that the policy allows, such as by credentials with `'*'`.
   * The app's headers are kept, and the warning names both values. Or an instance of `corsPreflight` never
   * decides, because each request has already passed an instance with [another
   * policy](cors.md#one-policy-per-path).
   *
   * Fix: Remove npm `cors`, `cors: true` of Nest, and the CORS headers of your own; or change the option
   * `origin`. Of two instances, mount the one for fewer paths first, or keep one.
   */
  | 'PATCH_OPTIONS_CORS_TWICE'
  /**
   * A function in the option `origin` threw, or did not return a boolean, like a function with the callback
   * of npm `cors`. The origin is refused.
   *
   * Fix: Write `(origin, req) => boolean`, or return a promise of a boolean.
   */
  | 'PATCH_OPTIONS_ORIGIN'
  /**
   * The route has a parameter that `key` leaves out, or that is not used because `key` is not set: the key is then the
   * whole path.
   *
   * Fix: Set [`key`](patch.md#key) to the parameters that identify the resource.
   */
  | 'PATCH_OPTIONS_KEY'
  /**
   * A client sent `If-Match` with a weak tag, as Express makes them, which never matches (RFC 9110 13.1.1).
   *
   * Fix: Answer GET with `resource(…).get`, or set `ETag` to `entityTag(stored)`. If a proxy weakens strong tags, see
   * [below](#entity-tags-behind-a-proxy).
   */
  | 'PATCH_OPTIONS_WEAK_TAG'
  /**
   * A client sent `If-Match` with the current tag and `-gzip` or the like appended, as a proxy appends it when it
   * compresses an answer. It never matches.
   *
   * Fix: See [below](#entity-tags-behind-a-proxy): in Apache, `DeflateAlterETag NoChange`.
   */
  | 'PATCH_OPTIONS_TAG_SUFFIX'
  /**
   * The option `may` or `authorize` returned undefined, null, 0 or an empty text, which refuses the request. A
   * function that forgets its `return` refuses everyone.
   *
   * Fix: Return true or false.
   */
  | 'PATCH_OPTIONS_DECISION'
  /**
   * The schema of the option `validate` refused a request, and it also refuses the stored value, so every
   * change of another member is answered 422.
   *
   * Fix: Let the schema describe the resource rather than the patch, or correct the stored value: the warning
   * names the first member.
   */
  | 'PATCH_OPTIONS_VALIDATE'
  /**
   * A write has changed a resource, but not a member of [`stateMembers`](patch.md#statemembers). Stale
   * records then still have its current value, and are written.
   *
   * Fix: Name a member that changes with each write, or let [`modified`](rows.md#modified), `timestamps` of
   * Mongoose, a hook or a trigger change it.
   */
  | 'PATCH_OPTIONS_STATE_MEMBER'
  /**
   * After a write was committed, the option `entityTag` failed: the answer has no `ETag`.
   *
   * Fix: Correct the function.
   */
  | 'PATCH_OPTIONS_ENTITY_TAG'
  /**
   * After a write was committed, the option `represent` failed: the answer has no body. Or with the option `conflict`:
   * a 412 has no `current`.
   *
   * Fix: Correct the function.
   */
  | 'PATCH_OPTIONS_REPRESENT'
  /**
   * A write of `rowStore` took longer than [`timeout`](rows.md#timeout): its `onWrite`, or a hook of the ORM,
   * waits for the row that the write has locked, or for the pool; or no connection was free. The warning says
   * which.
   *
   * Fix: Use `tx` for every statement in [`onWrite`](rows.md#onwrite). If all connections were in use, raise
   * the size of the pool.
   */
  | 'PATCH_OPTIONS_WRITE_TIMEOUT'
  /**
   * `onPatched` threw or rejected. The write was made.
   *
   * Fix: Correct the function. To see each failure, catch errors in it.
   */
  | 'PATCH_OPTIONS_ON_PATCHED'
  /**
   * `onDeleted` threw or rejected. The resource was deleted.
   *
   * Fix: Correct the function.
   */
  | 'PATCH_OPTIONS_ON_DELETED'
  /**
   * `onRefused` threw or rejected.
   *
   * Fix: Correct the function.
   */
  | 'PATCH_OPTIONS_ON_REFUSED'
  /**
   * The option `body` of `optionsListener` threw; the request was answered 500.
   *
   * Fix: Correct the function.
   */
  | 'PATCH_OPTIONS_LISTENER'
  /**
   * An error handler of your app threw asynchronously, where nothing would catch it; the request was ended.
   *
   * Fix: Correct the handler.
   */
  | 'PATCH_OPTIONS_NEXT';
