export { resourceClient, type Capabilities, type ResourceClient } from './resource-client';
export type {
  Call,
  Fetch,
  OnConflict,
  PutCall,
  RemoveCall,
  ResourceClientOptions,
  SaveCall,
} from './client-options';
export type { ChangeResult } from './save';
export type { Put } from './put-and-remove';
export type { Resource } from './resource-cache';
export {
  ArgumentError,
  ClientError,
  ConflictError,
  ConnectionError,
  ContentError,
  EntityTagError,
  ResponseError,
  UncertainError,
  type ArgumentErrorCode,
  type Conflict,
} from './errors';
export type { JsonPatchOperation } from '../json/diff/create-json-patch';
export type { Recipe } from '../json/recipe';
