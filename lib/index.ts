export { patchHandler } from './patch/patch-handler';
export type {
  OutcomeBounds,
  PatchedEvent,
  PatchHandlerOptions,
  PatchRequest,
  ProposedChange,
  PatchRefusal,
  Validator,
} from './patch/patch-handler-options';
export type { InvalidMember } from './patch/patch-problems';
export type { StandardSchema } from './patch/standard-schema';
export { patchOptions, type PatchOptions, type PatchResource } from './patch-options';
export { ConfigurationError, type Mistake } from './configuration';
export type {
  CorsOptions,
  CorsRefusal,
  CorsRefusalCode,
  OriginPredicate,
  OriginRule,
} from './cors/cors-options';
export { corsPreflight, type CorsPreflight } from './cors/cors-preflight';
export type { Explanation, ExplanationCode } from './cors/explain';
export type { CorsQuestion } from './cors/explain-question';
export type { FrontOptions } from './front';
export type { Refusal } from './http/refusal';
export { checkPreconditions, type PreconditionOptions, type Versioned } from './http/check-preconditions';
export { entityTag } from './http/entity-tag';
export type { Middleware, Next } from './http/middleware';
export type { ReturnPreference } from './http/prefer';
export { ProblemError, type ProblemDocument } from './http/problem';
export { sendProblem } from './http/send-problem';
export { methodNotAllowed, type MethodNotAllowedOptions } from './options/method-not-allowed';
export {
  optionsHandler,
  type OptionsBodyContext,
  type OptionsHandlerOptions,
} from './options/options-handler';
export { jsonPatch } from './parsers/json-patch';
export { mergePatch, type MergePatchOptions } from './parsers/merge-patch';
export { PatchError, type PatchErrorCode, type PatchErrorPlace } from './parsers/patch-error';
export type { ParseContext, Patch, PatchLimits, PatchParser } from './parsers/patch-parser';
export { optionsListener, type Listener } from './options-listener';
export { declareMethods } from './routes/declare-methods';
export type { TargetOptions } from './routes/target';
export { cachedStore, type CachedStore, type CachedStoreOptions } from './stores/cached-store';
export { NotJsonError } from './stores/json-text';
export { MemoryStore } from './stores/memory-store';
export { outcomesFull, type OutcomeStore } from './stores/outcome-store';
export type { PostgresPool } from './stores/postgres-pool';
export { PostgresStore, type PostgresStoreOptions } from './stores/postgres-store';
export type { RedisClient } from './stores/redis-client';
export { RedisStore, type RedisStoreOptions } from './stores/redis-store';
export type {
  OutcomeToKeep,
  ReadContext,
  ResourceStore,
  StoreContext,
  Stored,
  WriteContext,
} from './stores/resource-store';
export type { SqliteHandle } from './stores/sqlite-handle';
export { SqliteStore, type SqliteStoreOptions } from './stores/sqlite-store';
