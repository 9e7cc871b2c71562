import { markHandler, markOf, type HandlerMark } from './handler-metadata';

const mark: HandlerMark = { label: 'patchHandler accepts', key: 'patch-options:acceptPatch' };

/**
 * Marks a PATCH handler with the media types of the patch documents that it takes, so that every answer about its
 * target can list them in Accept-Patch (RFC 5789 3.1).
 *
 * @param handler - is itself marked, and returned
 * @param mediaTypes - in the order in which Accept-Patch shall list them
 */
export function declareAcceptPatch<T extends object>(handler: T, mediaTypes: readonly string[]): T {
  return markHandler(handler, mark, mediaTypes);
}

/** The media types that a handler was declared with; empty where it was not, as for every handler of the host's own. */
export function acceptPatchOf(handler: unknown): readonly string[] {
  return markOf(handler, mark) ?? [];
}
