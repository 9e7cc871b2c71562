// In the order that packs smallest: gzip sees what README.md says alike within 32 KB before it.
export type {
  OutcomeBounds,
  PatchedEvent,
  PatchHandlerOptions,
  PatchRequest,
  ProposedChange,
  PatchRefusal,
  Validator,
} from './patch/patch-handler-options';
export { jsonPatch } from './parsers/json-patch';
export { cachedStore, type CachedStore, type CachedStoreOptions } from './stores/cached-store';
export type { SqliteHandle } from './stores/sqlite-handle';
export { sendProblem } from './http/send-problem';
export type {
  OutcomeToKeep,
  ReadContext,
  ResourceStore,
  StoreContext,
  Stored,
  WriteContext,
} from './stores/resource-store';
export { checkPreconditions, type PreconditionOptions, type Versioned } from './http/check-preconditions';
export { PatchError, type PatchErrorCode, type PatchErrorPlace } from './parsers/patch-error';
export { NotJsonError } from './stores/json-text';
export type { TargetOptions } from './routes/target';
export { RedisStore, type RedisStoreOptions } from './stores/redis-store';
export { patchHandler } from './patch/patch-handler';
export type { ReturnPreference } from './http/prefer';
export { ProblemError, type ProblemDocument } from './http/problem';
export { mergePatch, type MergePatchOptions } from './parsers/merge-patch';
export type { StandardSchema } from './patch/standard-schema';
export { outcomesFull, type OutcomeStore } from './stores/outcome-store';
export type { Explanation, ExplanationCode } from './cors/explain';
export type { Refusal } from './http/refusal';
export { entityTag } from './http/entity-tag';
export type { Middleware, Next } from './http/middleware';
export type { CorsQuestion } from './cors/explain-question';
export type { ParseContext, Patch, PatchLimits, PatchParser } from './parsers/patch-parser';
export { optionsListener, type Listener } from './options-listener';
export { declareMethods } from './routes/declare-methods';
export {
  optionsHandler,
  type OptionsBodyContext,
  type OptionsHandlerOptions,
} from './options/options-handler';
export { methodNotAllowed, type MethodNotAllowedOptions } from './options/method-not-allowed';
export type { InvalidMember } from './patch/patch-problems';
export { MemoryStore } from './stores/memory-store';
export type { PostgresPool } from './stores/postgres-pool';
export { SqliteStore, type SqliteStoreOptions } from './stores/sqlite-store';
export type { RedisClient } from './stores/redis-client';
export { patchOptions, type PatchOptions, type PatchResource } from './patch-options';
export { ConfigurationError, type Mistake } from './configuration';
export type {
  CorsOptions,
  CorsRefusal,
  CorsRefusalCode,
  OriginPredicate,
  OriginRule,
} from './cors/cors-options';
export { PostgresStore, type PostgresStoreOptions } from './stores/postgres-store';
export { corsPreflight, type CorsPreflight } from './cors/cors-preflight';
export type { FrontOptions } from './front';
