import { OptionsCheck } from '../config/options-check';
import { assertMergeReachable } from './hidden-members';
import { readJson } from './read-json';
import { isJsonObject, ownMember, setMember, type JsonObject } from '../json/value';
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
  const { mediaType = 'application/merge-patch+json' } = check.names(options, ['mediaType']);
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

/**
 * Applies a parsed merge patch: the MergePatch function of RFC 7396 2, with copy-on-write. Neither argument
 * is modified. The result shares parts with both, and is the target itself if nothing changes.
 *
 * The result nests no deeper than the deeper of the two, so a patch within the depth limit needs no further
 * check.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const before: JsonObject = isJsonObject(target) ? target : {};
  let after = before;
  for (const name of Object.keys(patch)) {
    const change = patch[name];
    const old = ownMember(before, name);
    const next = change === null ? undefined : applyMergePatch(old, change);
    if (next === old) continue;
    if (after === before) after = { ...before };
    if (next === undefined) Reflect.deleteProperty(after, name);
    else setMember(after, name, next);
  }
  return after;
}
