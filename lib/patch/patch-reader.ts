import { shownResult } from '../config/shown-text';
import type { PatchRequest } from '../http/routed-request';
import { readAppJson } from '../json/app-json';
import { isContainer, isJsonObject } from '../json/value';
import { PatchError } from './formats/patch-error';
import { parsePatch, type Patch, type PatchParser, readJson } from './formats/patch-parser';
import type { HiddenPath } from './formats/refuse-hidden';
import type { PatchSettings } from './options/settings';
import type { ChosenFormat } from './request';

/** Reads the document of a request, or the one that the option `prepare` has made of it. */
export interface PatchReader<T> {
  readonly parse: () => Patch<T>;
  /** The members that the document names; none if it is no object. */
  readonly names: () => readonly string[];
}

/**
 * Makes the functions that read the document of a request, or the one that the option `prepare` has made of it.
 * `parse` is called for each attempt: a rule of the app can have modified the values of an attempt that lost its race,
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
): Promise<PatchReader<T>> {
  const parse = (bytes: Buffer) =>
    parsePatch(format, mediaType, bytes, { limits, parameters, request: req, hidden });
  const readerOf = (bytes: Buffer): PatchReader<T> => ({
    parse: () => parse(bytes),
    names() {
      const value = readJson(bytes, limits.depth);
      return isJsonObject(value) ? Object.keys(value) : [];
    },
  });
  if (prepare === undefined) return readerOf(document);
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
  return readerOf(bytes);
}

function notAnObject(): PatchError {
  const detail =
    'The document is null, a text, a number, true or false, but the resource is an object. ' +
    'Send an object with the members to change.';
  return new PatchError('patch-kind', detail);
}
