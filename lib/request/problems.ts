import { ProblemError } from '../http/problem';

/** The refusals of what a request sends, each a sentence for the client and a stable code for its program. */

/** The header field that lists what is taken. */
type Accepted = Readonly<Record<string, string>>;

export function unsupportedMediaType(
  contentType: string | undefined,
  mediaTypes: readonly string[],
  accepted: Accepted,
): ProblemError {
  const sent =
    contentType === undefined
      ? 'No Content-Type was sent'
      : `${JSON.stringify(contentType)} is not taken here`;
  const detail = `${sent}. Send one of: ${mediaTypes.join(', ')}.`;
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

export function contentTooLarge(limit: number): ProblemError {
  return new ProblemError(413, 'limit-bytes', `The body has more than ${limit} bytes. Send a smaller one.`);
}

/** As the JSON parsers say it of a document that they read themselves, with the place. */
export function contentTooDeep(limit: number): ProblemError {
  const detail = `The body nests deeper than ${limit} levels. Send a flatter one.`;
  return new ProblemError(413, 'limit-depth', detail);
}

export function brokenBody(cause: unknown): ProblemError {
  const detail = 'The body is cut short, or not in the content coding that it names. Send it again.';
  return new ProblemError(400, 'body-broken', detail, { cause });
}
