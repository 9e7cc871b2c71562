/** What kind of mistake it is, for programs and for whoever looks it up: one cause, and one way to put it right. */
export type MistakeCode =
  /** No option has this name: correct it, or leave it out. */
  | 'option-unknown'
  /** Another kind of value than the option takes, such as a string in place of a function. */
  | 'option-type'
  /** None of the words, or not in the range of numbers, that the option takes. */
  | 'option-value'
  /** Present but undefined, as from a setting that is missing: set it, or leave the option out. */
  | 'option-undefined'
  /** A list with nothing in it: name one thing at least. */
  | 'option-empty'
  /** Two options exclude each other: leave one out. */
  | 'option-conflict'
  /** Has no effect without another option: give that too, or leave this out. */
  | 'option-dependency'

  /** `resources` are answered on a router of Express, which is not installed: install it. */
  | 'express-missing'
  /** Nothing says whose routes count: give the app or router as `root`. */
  | 'root-unknown'
  /** A resource does not say which middlewares run before its methods: give them as `guard`, or `'none'`. */
  | 'resource-unguarded'
  /** A resource names no method to answer: give it `patch`, or what `resource` makes. */
  | 'resource-without-methods'
  /** Not a path that Express can match: correct it. */
  | 'resource-path-invalid'
  /** Not a path of whole segments: text, parameters, and a wildcard at the end alone. */
  | 'route-path-invalid'
  /** Four parameters, as an error handler has: Express calls it for no request. Give one of three, or mount it as it is. */
  | 'middleware-handles-errors'
  /** Not a method that Node parses, as in `http.METHODS`: correct it, or leave it out. */
  | 'method-unknown'
  /** Methods are case-sensitive: write it in upper case. */
  | 'method-case'

  /** Two parsers read one media type: keep one of them. */
  | 'parser-duplicate'
  /** Not a media type: write `type/subtype` alone, without parameters and wildcards. */
  | 'media-type-invalid'
  /** Not a JSON Pointer (RFC 6901): write `/id` for the member `id`. */
  | 'json-pointer-invalid'

  /** `'*'` with credentials would let every page act as its user: name the origins. */
  | 'cors-origin-any'
  /** `true` and `false` name no origin: write origins or `'*'`, or leave `corsPreflight` out. */
  | 'cors-origin-boolean'
  /** Not an origin as browsers send it, and so equal to none: write what they send. */
  | 'cors-origin-form'
  /** An origin of `http:` with credentials: whoever is on the network could act as the user. Write `https:`. */
  | 'cors-origin-insecure'
  /** Several origins in one string: write a list. */
  | 'cors-origin-list'
  /** `'null'` with credentials: any page can have that origin. Leave it out. */
  | 'cors-origin-null'
  /** A star before a public suffix, as in `https://*.co.uk` and `https://*.github.io`, matches domains of strangers: name yours after it. */
  | 'cors-origin-public-suffix'
  /** `'*'` in a list makes the other rules redundant: write it alone, or leave it out. */
  | 'cors-origin-redundant'
  /** A star stands only for labels at the start of a domain, `https://*.example.com`, or for the port. */
  | 'cors-origin-wildcard'
  /** A RegExp with the flag g, y or m, which changes what it matches: leave the flag out. */
  | 'regexp-flag'
  /** A RegExp that matches a part of the origin: begin it with `^` and end it with `$`. */
  | 'regexp-unanchored'
  /** Browsers let no page send this method: leave it out. */
  | 'cors-method-forbidden'
  /** `'*'` stands for no header where credentials is true: name the headers. */
  | 'cors-header-any'
  /** Browsers let no page send this header, or read it: leave it out. */
  | 'cors-header-forbidden'
  /** Not the name of a header: correct it, or leave it out. */
  | 'header-name-invalid'

  /** `idempotency` with a store that keeps no outcomes: take one that does. */
  | 'store-without-outcomes'
  /** The `delete` of a `resource` whose store has none: take a store that deletes, or mount no DELETE. */
  | 'store-without-delete'
  /** Not a client, pool or database handle of a driver that the store can use: make one, and give that. */
  | 'store-client-unknown'
  /** A client of Redis that sends writes again after its connection broke: make it with the option that is named. */
  | 'store-client-resends'
  /** A name that the engine cannot hold, or keeps for itself: choose another. */
  | 'store-name-invalid'
  /** A database of SQLite in UTF-16, which does not keep every text: make it in UTF-8. */
  | 'sqlite-encoding'
  /** A release of SQLite that can lose commits in WAL mode: take a later one, or another journal mode. */
  | 'sqlite-wal-reset';
