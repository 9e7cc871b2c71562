import { applyMergePatch } from '../json/patch/apply-merge-patch';
import { anything } from '../config/expectation';
import { OptionsCheck } from '../config/options-check';
import { assertMergeReachable } from './refuse-hidden';
import { readJson } from './read-json';
import { checkMediaTypes } from './format-table';
import type { PatchParser } from './patch-parser';

/** Options of `mergePatch`. */
export interface MergePatchOptions {
  /**
   * The media types that this parser reads (RFC 5789 3.1). Add `application/json` for clients that send plain
   * JSON. Default `application/merge-patch+json`.
   */
  readonly mediaType?: string | readonly string[];
}

/**
 * Creates a parser of JSON Merge Patch (RFC 7396), for `patchHandler` or `resource`.
 *
 * @throws ConfigurationError
 */
export function mergePatch(options: MergePatchOptions = {}): PatchParser {
  const check = new OptionsCheck('mergePatch()');
  const { mediaType = 'application/merge-patch+json' } = check.options(options, { mediaType: anything });
  checkMediaTypes('mediaType', mediaType, 'application/merge-patch+json', check);
  check.done();

  return {
    mediaType,
    parse(document, { limits, hidden }) {
      const patch = readJson(document, limits.depth);
      return (current) => {
        assertMergeReachable(hidden, patch, current);
        return applyMergePatch(current, patch);
      };
    },
  };
}
