export { resourceClient, type Offer, type ResourceClient } from './resource-client';
export type { Call, PutCall, RemoveCall, SaveCall } from './call';
export type { Fetch, OnConflict, ResourceClientOptions } from './client-options';
export type { Conflict } from './conflict';
export type { Resource } from './connection/resource-cache';
export type { Changed } from './change';
export type { Put } from './put-and-remove';
export {
  ArgumentError,
  ClientError,
  ConflictError,
  ConnectionError,
  ContentError,
  EntityTagError,
  UncertainError,
  type ArgumentErrorCode,
} from './errors';
export { ResponseError } from './connection/response-error';
export type { JsonPatchOperation } from '../json/diff/create-json-patch';
export type { Recipe } from '../json/recipe';
