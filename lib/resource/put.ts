import type { Middleware } from '../http/middleware';
import { ProblemError } from '../http/problem';
import { readJson } from '../formats/read-json';
import type { FormatTable } from '../formats/format-table';
import type { PatchParser } from '../formats/patch-parser';
import { changeTarget, type DocumentMethod } from '../patch/change-target';
import { createHandler } from '../request/exchange';
import type { PatchSettings } from '../patch/options/settings';
import { createRepresentation } from '../patch/representation';
import { chosenFormat } from '../request/format';
import { shareParts } from './share-parts';

const mediaType = 'application/json';
const source = { name: 'The representation', malformed: 'representation-malformed' } as const;

/** The representation that a PUT sends, as a patch: it replaces the current value. */
const representation: PatchParser = {
  mediaType,
  parse(document, { limits }) {
    const sent = readJson(document, limits.depth, source);
    return (current) => shareParts(sent, current);
  },
};

const formats: FormatTable<PatchParser> = {
  mediaTypes: [mediaType],
  find: (type) => (type.toLowerCase() === mediaType ? representation : undefined),
};

/**
 * The handler of PUT (RFC 9110 9.3.4). It works like PATCH, with a whole representation instead of a patch.
 *
 * An answer has an entity tag only if GET returns exactly the bytes that were sent, because a client can use
 * the tag for the representation that it has.
 */
export function createPut<T>(settings: PatchSettings<T>): Middleware {
  const method: DocumentMethod<T> = {
    chooseFormat(req) {
      if (req.headers['content-range'] !== undefined) throw partialPut();
      return chosenFormat(formats, req, { Accept: mediaType }); // RFC 9110 12.5.1
    },
    async maySendTag(state, document, req) {
      return Buffer.from(await createRepresentation(settings, state.value, req)).equals(document);
    },
    isWhole: true,
  };
  return createHandler(settings, ['PUT'], (exchange) => changeTarget(settings, method, exchange));
}

/** RFC 9110 14.5 */
function partialPut(): ProblemError {
  const detail =
    'A partial PUT with Content-Range is not supported. ' +
    'Send the whole representation without Content-Range, or use PATCH.';
  return new ProblemError(400, 'content-range', detail);
}
