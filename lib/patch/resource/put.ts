import type { Middleware } from '../../http/middleware';
import { type FormatTable, ownParser, type PatchParser, readJson } from '../formats/patch-parser';
import type { PatchSettings } from '../options/settings';
import { createPutHandler } from '../put-handler';
import { shareParts } from './share-parts';

const mediaType = 'application/json';
const source = { name: 'The representation', malformed: 'representation-malformed' } as const;

/** The representation that a PUT sends, as a patch: it replaces the current value. */
const representation = ownParser({
  mediaType,
  parse(document, { limits }) {
    const sent = readJson(document, limits.depth, source);
    return (current) => shareParts(sent, current);
  },
});

const formats: FormatTable<PatchParser> = {
  mediaTypes: [mediaType],
  find: (type) => (type.toLowerCase() === mediaType ? representation : undefined),
};

/** The handler of PUT, with a whole representation instead of a patch. */
export function createPut<T>(settings: PatchSettings<T>): Middleware {
  return createPutHandler(settings, formats, true);
}
