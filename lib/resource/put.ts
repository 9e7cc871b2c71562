import type { OptionsCheck } from '../configuration';
import type { Middleware } from '../http/middleware';
import { ProblemError } from '../http/problem';
import { readJson } from '../parsers/json/parse';
import { compileParsers, type ParserTable } from '../parsers/parser-table';
import { changeTarget, type DocumentMethod } from '../patch/change-target';
import { handlerOf } from '../patch/exchange';
import type { PatchSettings } from '../patch/options/settings';
import { representationOf } from '../patch/representation';
import { chosenFormat } from '../patch/request/format';
import type { Complete } from './kept-members';

/** What a PUT sends, as a format: whatever is there is replaced by the representation, but for what has to stay. */
export function representationFormat<T>(complete: Complete, check: OptionsCheck): ParserTable<T> {
  const source = { name: 'The representation', malformed: 'representation-malformed' } as const;
  return compileParsers<T>(
    [
      {
        mediaType: 'application/json',
        parse(document, { limits }) {
          const sent = readJson(document, limits.depth, source);
          return (visible) => complete(visible, sent);
        },
      },
    ],
    check,
  );
}

/**
 * The handler of PUT (RFC 9110 9.3.4): what PATCH does, with the whole representation in place of a patch document.
 *
 * An answer has an entity tag only where GET gives byte for byte what was sent: a client may take the tag for that of the
 * representation which it holds.
 */
export function putOf<T>(settings: PatchSettings<T>, formats: ParserTable<T>): Middleware {
  const method: DocumentMethod<T> = {
    formatOf(req) {
      if (req.headers['content-range'] !== undefined) throw partialPut();
      return chosenFormat(formats, req, 'Accept');
    },
    async mayTellTag(made, document, req) {
      return Buffer.from(await representationOf(settings, made.value, req)).equals(document);
    },
  };
  return handlerOf(settings, ['PUT'], (exchange) => changeTarget(settings, method, exchange));
}

/** RFC 9110 14.5 */
function partialPut(): ProblemError {
  const detail =
    'Content-Range makes this a partial PUT, which is not carried out here. Send the whole representation, or a PATCH.';
  return new ProblemError(400, 'content-range', detail);
}
