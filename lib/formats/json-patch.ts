import { applyOperations } from '../json/patch/apply-json-patch';
import { readOperations, type Operation } from '../json/patch/operation';
import { assertReachable } from './refuse-hidden';
import { readJson } from './read-json';
import type { JsonPointer } from '../json/pointer';
import type { PatchParser } from './patch-parser';

/**
 * Creates a parser of JSON Patch (RFC 6902), `application/json-patch+json`, for `patchHandler` or `resource`.
 */
export function jsonPatch(): PatchParser {
  return {
    mediaType: 'application/json-patch+json',
    parse(document, { limits, hidden }) {
      const operations = readOperations(readJson(document, limits.depth), limits.operations);
      return (current) => {
        for (const operation of hidden.length === 0 ? [] : operations) {
          for (const { tokens } of writtenBy(operation)) assertReachable(hidden, tokens, current);
        }
        return applyOperations(current, operations, limits);
      };
    },
  };
}

/** The locations that an operation writes or removes. */
function writtenBy(operation: Operation): readonly JsonPointer[] {
  if (operation.op === 'test') return [];
  return operation.op === 'move' ? [operation.from, operation.path] : [operation.path];
}
