import { anything } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import { applyOperations } from '../../json/patch/apply-json-patch';
import { type Operation, readOperations } from '../../json/patch/operation';
import type { JsonPointer } from '../../json/pointer';
import { checkMediaTypes } from './format-table';
import { ownParser, type PatchParser } from './patch-parser';
import { readJson } from './read-json';
import { assertReachable } from './refuse-hidden';

/** Options of `jsonPatch`. */
export interface JsonPatchOptions {
  /**
   * The media types that this parser reads (RFC 5789 3.1). Default `application/json-patch+json`.
   */
  readonly mediaType?: string | readonly string[];
}

/**
 * Creates a parser of JSON Patch (RFC 6902), for `patchHandler` or `resource`.
 *
 * @throws ConfigurationError
 */
export function jsonPatch(options: JsonPatchOptions = {}): PatchParser {
  const check = new OptionsCheck('jsonPatch()');
  const { mediaType = 'application/json-patch+json' } = check.options(options, { mediaType: anything });
  checkMediaTypes('mediaType', mediaType, 'application/json-patch+json', check);
  check.done();

  return ownParser({
    mediaType,
    parse(document, { limits, hidden }) {
      const operations = readOperations(readJson(document, limits.depth), limits.operations);
      return (current, originals) => {
        for (const operation of hidden.length === 0 ? [] : operations) {
          for (const { tokens } of writtenBy(operation)) assertReachable(hidden, tokens, current);
        }
        return applyOperations(current, operations, limits, originals);
      };
    },
  });
}

/** The locations that an operation writes or removes. */
function writtenBy(operation: Operation): readonly JsonPointer[] {
  if (operation.op === 'test') return [];
  return operation.op === 'move' ? [operation.from, operation.path] : [operation.path];
}
