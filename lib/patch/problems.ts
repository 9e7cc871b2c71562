import { ProblemError } from '../http/problem';
import { shownPointer } from '../stores/contract/invalid-result';

/** The refusals of PATCH, and of the other methods of `resource`, each a sentence for the client and a stable code for its program. */

/** The media types that are taken, in the field that lists them for the method. */
type Accepted = Readonly<Record<string, string>>;

export function unsupportedMediaType(contentType: string | undefined, accepted: Accepted): ProblemError {
  const sent =
    contentType === undefined
      ? 'No Content-Type was sent'
      : `${JSON.stringify(contentType)} is not taken here`;
  const detail = `${sent}. Send one of: ${Object.values(accepted).join(', ')}.`;
  return new ProblemError(415, 'unsupported-media-type', detail, { headers: { ...accepted } });
}

export function unsupportedCharset(charset: string, accepted: Accepted): ProblemError {
  const detail = `The charset ${JSON.stringify(charset)} is not read here. Send UTF-8, without a charset parameter.`;
  return new ProblemError(415, 'unsupported-charset', detail, { headers: { ...accepted } });
}

/** RFC 9110 12.5.3: Accept-Encoding says that it was the coding; Accept-Patch would say that it was the media type. */
export function unsupportedCoding(coding: string, acceptEncoding: string): ProblemError {
  const detail = `The content coding ${JSON.stringify(coding)} is not read here. Send none, or one of: ${acceptEncoding}.`;
  return new ProblemError(415, 'unsupported-content-coding', detail, {
    headers: { 'Accept-Encoding': acceptEncoding },
  });
}

export function documentTooLarge(limit: number): ProblemError {
  return new ProblemError(413, 'limit-bytes', `The body has more than ${limit} bytes. Send a smaller one.`);
}

/** As the JSON parsers say it of a document that they read themselves, with the place. */
export function documentTooDeep(limit: number): ProblemError {
  const detail = `The body nests deeper than ${limit} levels. Send a flatter one.`;
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
    'There is no resource here. Look at the address, or create it first.',
  );
}

export function tooManyRaces(): ProblemError {
  const detail = 'Others keep changing the resource, and nothing was written. Send the request again.';
  return new ProblemError(409, 'lost-race', detail, { headers: { 'Retry-After': '1' } });
}

export function readOnly(whole: string): ProblemError {
  const pointer = shownPointer(whole);
  const detail = `The request changes ${JSON.stringify(pointer)}, which is read-only. Leave it as it is.`;
  return new ProblemError(422, 'read-only', detail, { extensions: { pointer } });
}

/** `authorize` decides on a list that is complete, or on none. */
export function tooManyChanges(limit: number): ProblemError {
  const detail = `The JSON Pointers of what the request changes exceed ${limit} bytes. Send it in parts.`;
  return new ProblemError(413, 'limit-changes', detail);
}

/** Said of a resource that is there and of one that is not. */
export function notPermitted(method: string): ProblemError {
  return new ProblemError(403, 'forbidden', `You may not ${method} this resource. Ask for the right to.`);
}

export function forbidden(): ProblemError {
  const detail = 'You may not make this change. Ask for the right to, or change less.';
  return new ProblemError(403, 'forbidden', detail);
}
