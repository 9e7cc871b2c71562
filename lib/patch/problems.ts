import { ProblemError } from '../http/problem';
import { shownPointer } from '../stores/contract/invalid-result';

/** The refusals of `patchHandler`, each a sentence for the client and a stable code for its program. */

export function unsupportedMediaType(contentType: string | undefined, acceptPatch: string): ProblemError {
  const sent =
    contentType === undefined
      ? 'No Content-Type was sent'
      : `${JSON.stringify(contentType)} is no patch format here`;
  return new ProblemError(415, 'unsupported-media-type', `${sent}. Send one of: ${acceptPatch}.`, {
    headers: { 'Accept-Patch': acceptPatch },
  });
}

export function unsupportedCharset(charset: string, acceptPatch: string): ProblemError {
  const detail = `The charset ${JSON.stringify(charset)} is not read here. Send UTF-8, without a charset parameter.`;
  return new ProblemError(415, 'unsupported-charset', detail, { headers: { 'Accept-Patch': acceptPatch } });
}

/** RFC 9110 12.5.3: Accept-Encoding says that it was the coding; Accept-Patch would say that it was the media type. */
export function unsupportedCoding(coding: string, acceptEncoding: string): ProblemError {
  const detail = `The content coding ${JSON.stringify(coding)} is not read here. Send none, or one of: ${acceptEncoding}.`;
  return new ProblemError(415, 'unsupported-content-coding', detail, {
    headers: { 'Accept-Encoding': acceptEncoding },
  });
}

export function documentTooLarge(limit: number): ProblemError {
  return new ProblemError(
    413,
    'limit-bytes',
    `The patch document has more than ${limit} bytes. Send a smaller patch.`,
  );
}

/** As the JSON parsers say it of a document that they read themselves, with the place. */
export function documentTooDeep(limit: number): ProblemError {
  const detail = `The patch document nests deeper than ${limit} levels. Send a flatter patch.`;
  return new ProblemError(413, 'limit-depth', detail);
}

export function brokenBody(cause: unknown): ProblemError {
  const detail = 'The body is cut short, or not in the content coding that it names. Send it again.';
  return new ProblemError(400, 'body-broken', detail, { cause });
}

export function targetNotFound(): ProblemError {
  return new ProblemError(
    404,
    'target-not-found',
    'There is no resource here to patch. Look at the address, or create it first.',
  );
}

export function tooManyRaces(): ProblemError {
  const detail = 'Others keep changing the resource, and nothing was written. Send the patch again.';
  return new ProblemError(409, 'lost-race', detail, { headers: { 'Retry-After': '1' } });
}

export function readOnly(whole: string): ProblemError {
  const pointer = shownPointer(whole);
  const detail = `The patch changes ${JSON.stringify(pointer)}, which is read-only. Leave it as it is.`;
  return new ProblemError(422, 'read-only', detail, { extensions: { pointer } });
}

/** `authorize` decides on a list that is complete, or on none. */
export function tooManyChanges(limit: number): ProblemError {
  const detail = `The JSON Pointers of what the patch changes exceed ${limit} bytes. Send it in parts.`;
  return new ProblemError(413, 'limit-changes', detail);
}

/** Said of a resource that is there and of one that is not. */
export function notPermitted(): ProblemError {
  return new ProblemError(403, 'forbidden', 'You may not patch this resource. Ask for the right to.');
}

export function forbidden(): ProblemError {
  const detail = 'You may not make this change. Ask for the right to, or change less.';
  return new ProblemError(403, 'forbidden', detail);
}
