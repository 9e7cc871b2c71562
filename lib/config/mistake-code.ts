/**
 * The kind of a mistake in the options. Each code has one cause and one fix, and does not change when
 * messages are reworded.
 */
export type MistakeCode =
  /** Not a known option: correct the name, or leave it out. */
  | 'option-unknown'
  /** A value of the wrong type, such as a string instead of a function. */
  | 'option-type'
  /** A value that is not in the list or the range of numbers that the option takes. */
  | 'option-value'
  /** Present but undefined, for instance because a setting is missing: set it, or leave the option out. */
  | 'option-undefined'
  /** An empty list, object or name: add at least one entry. */
  | 'option-empty'
  /** Two options exclude each other: leave one out. */
  | 'option-conflict'
  /** The option has no effect without another one: set both, or leave this one out. */
  | 'option-dependency'

  /** The option `resources` needs Express, which is not installed: install it. */
  | 'express-missing'
  /** The routes cannot be found: pass the app or router as `root`. */
  | 'root-unknown'
  /** A resource without a `guard`: set it to the middlewares that run before its methods, or to `'none'`. */
  | 'resource-unguarded'
  /** A resource has no methods: add `patch`, or spread the result of `resource`. */
  | 'resource-without-methods'
  /** Not a valid Express path: correct it. */
  | 'resource-path-invalid'
  /**
   * A middleware with four parameters, which Express treats as an error handler: pass one with three, or
   * mount it directly.
   */
  | 'middleware-handles-errors'
  /** Not a method that Node parses, as in `http.METHODS`: correct it, or leave it out. */
  | 'method-unknown'
  /** Methods are case-sensitive: write it in upper case. */
  | 'method-case'

  /** Two parsers for one media type: keep one of them. */
  | 'parser-duplicate'
  /** Not a media type: write `type/subtype`, without parameters or wildcards. */
  | 'media-type-invalid'
  /** Not a JSON Pointer (RFC 6901): write `/id` for the member `id`. */
  | 'json-pointer-invalid'

  /** `'*'` with credentials would let every page act as its user: list the origins. */
  | 'cors-origin-any'
  /** `true` and `false` are not origins: list the origins or write `'*'`, or leave `corsPreflight` out. */
  | 'cors-origin-boolean'
  /**
   * Not an origin as browsers send it, so it can never match, such as an empty setting, or one with quotes:
   * write the origin that browsers send.
   */
  | 'cors-origin-form'
  /** An `http:` origin with credentials: anyone on the network could act as the user. Write `https:`. */
  | 'cors-origin-insecure'
  /** Several origins in one string, separated by a comma, a semicolon or a space, or as JSON: write a list. */
  | 'cors-origin-list'
  /** `'null'` with credentials: any page can have that origin. Remove it. */
  | 'cors-origin-null'
  /**
   * A star before a public suffix, as in `https://*.co.uk`, matches domains you do not own: write your own
   * domain after it.
   */
  | 'cors-origin-public-suffix'
  /** `'*'` in a list makes the other rules redundant: write only `'*'`, or remove it. */
  | 'cors-origin-redundant'
  /**
   * A star in the wrong place: it can replace labels at the start of a domain, `https://*.example.com`, or
   * the port. For `moz-extension://*`, write a function.
   */
  | 'cors-origin-wildcard'
  /**
   * A RegExp, which easily matches domains that you do not own: write a pattern with a star, an origin or a
   * function.
   */
  | 'cors-origin-regexp'
  /** A method that browsers do not let pages send: leave it out. */
  | 'cors-method-forbidden'
  /** `'*'` is not a wildcard for headers with `credentials: true`: list the headers. */
  | 'cors-header-any'
  /** A header that browsers do not let pages send, or read: leave it out. */
  | 'cors-header-forbidden'
  /** Not a valid header name: correct it, or leave it out. */
  | 'header-name-invalid'

  /** `idempotency` with a store that keeps no outcomes: use one that keeps them. */
  | 'store-without-outcomes'
  /** `resource` with a store that has no `delete`: use a store that deletes, or do not mount DELETE. */
  | 'store-without-delete'
  /** Not a client, pool or database handle of a supported driver: create one and pass it to the store. */
  | 'store-client-unknown'
  /**
   * A Redis client that resends writes after its connection broke: create it with the option that the message
   * names.
   */
  | 'store-client-resends'
  /**
   * A column that the ORM does not know by this name: correct the name, or add the column to the schema of
   * the ORM.
   */
  | 'column-unknown'
  /** Not a path of the Mongoose schema, or not where the option needs it: write it as in the schema. */
  | 'path-unknown'
  /** The paths of the key have no unique index: declare one, or use a path that has one. */
  | 'key-not-unique'
  /**
   * The rows that `transaction` passes to `run` lack one of the app's functions that the store has: create
   * both with one function. Or they write outside the transaction: create them from it.
   */
  | 'transaction-rows'
  /** A name that the database cannot hold or reserves for itself: choose another. */
  | 'store-name-invalid'
  /** An SQLite database in UTF-16, which does not keep every string: create it in UTF-8. */
  | 'sqlite-encoding'
  /** An SQLite release that can lose commits in WAL mode: use a later one, or another journal mode. */
  | 'sqlite-wal-reset';
