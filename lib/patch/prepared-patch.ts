import { shownResult } from '../config/shown-text';
import { readJson } from '../formats/read-json';
import { parsePatch, type Patch, type PatchParser } from '../formats/patch-parser';
import type { PatchRequest } from '../http/routed-request';
import type { ChosenFormat } from '../request/format';
import type { PatchSettings } from './options/settings';

/**
 * The patch of a request, parsed from the document that the option `prepare` has made of the one that was
 * sent.
 *
 * @throws PatchError if the document is malformed, as it was sent or as it was prepared
 * @throws TypeError if `prepare` returns nothing that is JSON
 */
export async function preparedPatch<T>(
  { prepare, limits, hidden }: PatchSettings<T>,
  req: PatchRequest,
  { format, mediaType, parameters }: ChosenFormat<PatchParser<T>>,
  document: Buffer,
): Promise<Patch<T>> {
  const parse = (bytes: Buffer) =>
    parsePatch(format, mediaType, bytes, { limits, parameters, request: req, hidden: hidden.paths });
  const sent = parse(document);
  if (prepare === undefined) return sent;
  const prepared: unknown = await prepare(readJson(document, limits.depth), req);
  const text: unknown = JSON.stringify(prepared);
  if (typeof text === 'string') return parse(Buffer.from(text));
  throw new TypeError(
    `The option prepare returned ${shownResult(prepared)}. ` +
      'Return the document to apply, which can be the one that it received.',
  );
}
