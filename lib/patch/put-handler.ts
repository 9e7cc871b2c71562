import type { Middleware } from '../http/middleware';
import { changeTarget, type DocumentMethod } from './change-target';
import { createHandler } from './exchange';
import type { FormatTable, PatchParser } from './formats/patch-parser';
import type { PatchSettings } from './options/settings';
import { partialPut } from './refusals';
import { createRepresentation } from './representation';
import { chosenFormat } from './request';

/**
 * The handler of PUT (RFC 9110 9.3.4), from checked options. It works like that of PATCH.
 *
 * An answer has an entity tag only if GET returns exactly the bytes that were sent, because a client can use
 * the tag for the representation that it has.
 *
 * @param isWhole - whether the documents are whole representations, rather than patches
 */
export function createPutHandler<T>(
  settings: PatchSettings<T>,
  formats: FormatTable<PatchParser<T>>,
  isWhole: boolean,
): Middleware {
  const accepted = { Accept: formats.mediaTypes.join(', ') }; // RFC 9110 12.5.1
  const method: DocumentMethod<T> = {
    chooseFormat(req) {
      if (req.headers['content-range'] !== undefined) throw partialPut();
      return chosenFormat(formats, req, accepted);
    },
    async maySendTag(state, document, req) {
      return Buffer.from(await createRepresentation(settings, state.value, req)).equals(document);
    },
    isWhole,
  };
  return createHandler(settings, ['PUT'], (exchange) => changeTarget(settings, method, exchange));
}
