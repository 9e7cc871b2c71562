// The middlewares.
export { patchOptions, type PatchOptions, type MountedResource } from './patch-options';
export {
  optionsListener,
  type Listener,
  type OptionsListener,
  type OptionsListenerOptions,
} from './options-listener';
export type { Middleware, Next } from './http/middleware';
export type { Refusal } from './http/refusal';
export { ConfigurationError } from './config/options-check';
export type { Mistake } from './config/mistake';
export type { MistakeCode } from './config/mistake-code';

// OPTIONS, 405 and the routes from which they are computed.
export { optionsHandler, type OptionsBodyContext, type OptionsHandlerOptions } from './allow/options-handler';
export { methodNotAllowed, type MethodNotAllowedOptions } from './allow/method-not-allowed';
export type { TargetOptions } from './routes/target-methods';
export { declareMethods } from './express/declare-methods';

// CORS.
export { corsPreflight } from './cors/cors-preflight';
export type { PreflightDecision } from './cors/report';
export type { CorsOptions, CorsRefusal, CorsRefusalCode, OriginPredicate } from './cors/options';

// PATCH.
export { patchHandler } from './patch/patch-handler';
export { change } from './patch/change-in-code';
export type { Recipe } from './json/recipe';
export type {
  IdempotencyLimits,
  PatchedEvent,
  PatchHandlerOptions,
  ProposedChange,
} from './patch/handler-options';
export type { PatchRefusal, RequestTrace } from './patch/create-handler';
export type { PatchRequest } from './http/middleware';
export type { StandardSchema } from './patch/rules/standard-schema';
export type { Validator } from './patch/rules/validate';
export type { InvalidMember } from './stores/contract/invalid-result';

// The whole resource.
export { resource, type ResourceHandlers } from './patch/resource/resource';
export type { DeletedEvent, ProposedDeletion, ResourceOptions } from './patch/resource/resource-options';

// Patch formats.
export { jsonPatch, type JsonPatchOptions } from './patch/formats/json-patch';
export { keyedMergePatch } from './patch/formats/keyed-merge-patch';
export { mergePatch, type MergePatchOptions } from './patch/formats/merge-patch';
export type { ParseContext, Patch, PatchLimits, PatchParser } from './patch/formats/patch-parser';
export { PatchError, type PatchErrorCode } from './patch/formats/patch-error';

// Stores without a database, and the interfaces that all stores implement.
export { MemoryStore } from './stores/memory/memory-store';
export type {
  DeleteContext,
  FoundState,
  PendingOutcome,
  ReadContext,
  ResourceStore,
  StoreContext,
  Stored,
  VersionedState,
  WriteContext,
} from './stores/contract/resource-store';
export { outcomesFull, type OutcomeStore } from './stores/contract/outcome-store';
export { NotJsonError } from './json/app-json';

// For your own handlers beside PATCH.
export { entityTag } from './http/entity-tag';
export { checkPreconditions, type PreconditionOptions } from './http/preconditions';
export { ProblemError, type ProblemDocument } from './http/problem';
export { sendProblem } from './http/send-problem';
