import { anything, flag } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import { applyParsedMergePatch } from '../../json/patch/apply-merge-patch';
import { isJsonObject } from '../../json/value';
import { PatchError } from './patch-error';
import { checkMediaTypes } from './format-table';
import { ownParser, type PatchParser } from './patch-parser';
import { readJson } from './read-json';
import { assertMergeReachable } from './refuse-hidden';

/** Options of `mergePatch`. */
export interface MergePatchOptions {
  /**
   * The media types that this parser reads (RFC 5789 3.1). Default `application/merge-patch+json`.
   */
  readonly mediaType?: string | readonly string[];
  /**
   * Reads `application/json` as a merge patch (RFC 7396) as well, for clients that send plain JSON with the
   * members to change. Default false.
   */
  readonly json?: boolean;
  /**
   * Applies every patch as RFC 7396 says, so that an array or a text replaces the whole resource. Without it,
   * the answer is 422 if only one of the patch and the resource is an object, as with a JSON Patch that has
   * the wrong `Content-Type`. Default false.
   */
  readonly allowRootReplacement?: boolean;
}

/**
 * Creates a parser of JSON Merge Patch (RFC 7396), for `patchHandler` or `resource`. A patch that is not an
 * object would replace the whole resource. If the resource is an object, such a patch is refused, unless
 * `allowRootReplacement` is set.
 *
 * @throws ConfigurationError
 */
export function mergePatch(options: MergePatchOptions = {}): PatchParser {
  const check = new OptionsCheck('mergePatch()');
  const expectations = { mediaType: anything, json: flag, allowRootReplacement: flag };
  const {
    mediaType = 'application/merge-patch+json',
    json = false,
    allowRootReplacement = false,
  } = check.options(options, expectations);
  const mediaTypes = checkMediaTypes('mediaType', mediaType, 'application/merge-patch+json', check);
  check.done();

  return ownParser({
    mediaType: json ? [...new Set([...mediaTypes, 'application/json'])] : mediaType,
    parse(document, { limits, hidden }) {
      const patch = readJson(document, limits.depth);
      return (current) => {
        if (!allowRootReplacement) assertSameKind(patch, current);
        assertMergeReachable(hidden, patch, current);
        return applyParsedMergePatch(current, patch);
      };
    },
  });
}

/**
 * A JSON Patch with the wrong Content-Type must not replace the resource by an array.
 *
 * @throws PatchError 422
 */
export function assertSameKind(patch: unknown, current: unknown): void {
  if (isJsonObject(patch) === isJsonObject(current)) return;
  const detail = isJsonObject(patch)
    ? 'The merge patch is an object, but the resource is not, so the patch would replace it as a whole. ' +
      'To change an element of an array, send a JSON Patch as application/json-patch+json.'
    : 'The merge patch is not an object, but the resource is, so the patch would replace it as a whole. ' +
      'Send an object with the members to change; send a JSON Patch as application/json-patch+json.';
  throw new PatchError('patch-kind', detail);
}
