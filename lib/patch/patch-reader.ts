import { shownResult } from '../config/shown-text';
import { PatchError } from '../formats/patch-error';
import type { HiddenPath } from '../formats/refuse-hidden';
import { parsePatch, type Patch, type PatchParser } from '../formats/patch-parser';
import { readJson } from '../formats/read-json';
import type { PatchRequest } from '../http/routed-request';
import { readAppJson } from '../json/app-json';
import { isContainer, isJsonObject } from '../json/value';
import type { ChosenFormat } from '../request/format';
import type { PatchSettings } from './options/settings';

/**
 * Makes the function that parses the document of a request, or the one that the option `prepare` has made of it.
 * It is called for each attempt: a rule of the app can have modified the values of an attempt that lost its race,
 * and the next one must begin from the values that were sent.
 *
 * @param base - the value that the patch is applied to
 * @param hidden - the paths that the parser must refuse
 * @throws PatchError if the document is malformed, as it was sent or as it was prepared
 * @throws TypeError if `prepare` returns undefined or a function, NotJsonError if JSON cannot hold its result
 */
export async function createPatchReader<T>(
  { prepare, limits }: PatchSettings<T>,
  req: PatchRequest,
  { format, mediaType, parameters }: ChosenFormat<PatchParser<T>>,
  document: Buffer,
  base: T,
  hidden: readonly HiddenPath[],
): Promise<() => Patch<T>> {
  const parse = (bytes: Buffer) =>
    parsePatch(format, mediaType, bytes, { limits, parameters, request: req, hidden });
  if (prepare === undefined) return () => parse(document);
  parse(document);
  const sent = readJson(document, limits.depth);
  // An allow-list reads the members of the document, and null has none.
  if (isJsonObject(base) && !isContainer(sent)) throw notAnObject();
  const prepared: unknown = await prepare(sent, req);
  if (prepared === undefined || typeof prepared === 'function') {
    throw new TypeError(
      `The option prepare returned ${shownResult(prepared)}. ` +
        'Return the document to apply, which can be the one that it received.',
    );
  }
  const bytes = Buffer.from(
    JSON.stringify(readAppJson(prepared, 'The document that the option prepare returned')),
  );
  return () => parse(bytes);
}

function notAnObject(): PatchError {
  const detail =
    'The document is null, a text, a number, true or false, but the resource is an object. ' +
    'Send an object with the members to change.';
  return new PatchError('patch-kind', detail);
}
