/**
 * JSON documents and their changes: pure functions, which run wherever JavaScript does. None of them modifies
 * its arguments; results share unchanged parts with them.
 */
export { applyJsonPatch } from './patch/apply-json-patch';
export type { JsonPatchLimits } from './patch/apply-json-patch';
export { applyMergePatch } from './patch/apply-merge-patch';
export { createJsonPatch, type JsonPatchOperation } from './diff/create-json-patch';
export { createMergePatch } from './diff/create-merge-patch';
export { merge, type MergeOptions, type MergeResult } from './diff/merge';
export type { Identity } from './diff/identity';
export { parsePointer, valueAt, type JsonPointer } from './pointer';
export { JsonError, type JsonErrorCode } from './json-error';
