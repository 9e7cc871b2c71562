/**
 * What Object.prototype is given, one at a time: the name of every option, and of every member that some object of the library
 * may have or not. Left out are those that Node and Express themselves read of every object: `get`, `set`, `value` and the
 * other members of a property descriptor, `then`, `url`, `method`, `path`, `params`, `next`, `headers`, `signal`, and `id`,
 * which is the parameter of the routes here.
 */
export const names: readonly string[] = [
  // Options.
  ...['allowedHeaders', 'authorize', 'body', 'bytes', 'cors', 'create', 'credentials', 'deletes'],
  ...['carrier', 'depth', 'entityTag', 'errors', 'exposedHeaders', 'guard', 'idempotency', 'keep'],
  ...['dangerouslyAllowAnyOriginWithCredentials'],
  ...['key', 'limits', 'max', 'maxAge', 'mediaType', 'methods'],
  ...['onPatched', 'onRefused', 'operations', 'origin', 'outcomes', 'patch'],
  ...['precondition', 'readOnly', 'represent', 'resources', 'respond', 'result', 'root', 'scope'],
  ...['status', 'validate', 'may', 'hidden', 'writeOnly', 'json', 'total'],
  ...['acceptWalResetFault', 'busyTimeout', 'prefix', 'prepare', 'schema', 'table', 'commandTimeout'],

  // Of what is found out about a request, and of what is answered.
  ...['allowOrigin', 'code', 'error', 'target', 'fields', 'step', 'reason'],
  ...[
    'allVerbs',
    'bareWildcard',
    'certain',
    'literal',
    'literalAllVerbs',
    'specific',
    'positions',
    'answersOptions',
    'answeredByExpress',
    'malformed',
    'optionsHandler',
    'routes',
    'acceptPatch',
  ],
  ...['after', 'before', 'content', 'fingerprint', 'outcome', 'preference', 'tag', 'text'],
  ...['cause', 'detail', 'extensions', 'operation', 'pointer', 'problem', 'issues', '~standard'],
  ...['ifMatch', 'ifModifiedSince', 'ifNoneMatch', 'ifUnmodifiedSince', 'modified', 'version'],
  ...['current', 'changed', 'document', 'parameters', 'request', 'op', 'from'],

  // Of what stores are told, and have.
  ...['keepsOutcomes', 'maxBytes', 'setup', 'throwIfAborted'],

  // Of what is made at start.
  ...['fix', 'mended', 'matches', 'hostname', 'option', 'isExpected', 'caseSensitive', 'strict'],
];

/** What each is given: words that options know, and what else JSON has. */
export const values: readonly { readonly what: string; readonly value: unknown }[] = [
  { what: "'none'", value: 'none' },
  { what: "'*'", value: '*' },
  { what: 'true', value: true },
  { what: 'a number', value: 1 },
  { what: 'an object', value: { id: 'x', keep: 1, maxAge: 1 } },
  { what: 'a list', value: ['*'] },
];
