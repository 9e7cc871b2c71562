import { ProblemError } from '../http/problem';

/** The refusals that concern the content of a request. */

/** The header that lists the accepted formats. */
type Accepted = Readonly<Record<string, string>>;

/** A header value in quotation marks: it can have thousands of characters, and an answer stays small. */
function quoted(value: string): string {
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
}

export function unsupportedMediaType(
  contentType: string | undefined,
  mediaTypes: readonly string[],
  accepted: Accepted,
): ProblemError {
  const sent =
    contentType === undefined
      ? 'The request has no Content-Type'
      : `The media type ${quoted(contentType)} is not supported`;
  const detail = `${sent}. Send one of: ${mediaTypes.join(', ')}.`;
  return new ProblemError(415, 'unsupported-media-type', detail, { headers: { ...accepted } });
}

export function unsupportedCharset(charset: string, accepted: Accepted): ProblemError {
  const detail = `The charset ${quoted(charset)} is not supported. Send UTF-8, without a charset parameter.`;
  return new ProblemError(415, 'unsupported-charset', detail, { headers: { ...accepted } });
}

/**
 * RFC 9110 12.5.3: Accept-Encoding shows that the coding was refused; Accept-Patch would mean the media type.
 */
export function unsupportedCoding(coding: string): ProblemError {
  const detail =
    `The content coding ${quoted(coding)} is not supported. Send the body without Content-Encoding. ` +
    'In the app, decode it in front of the handler, for example by express.raw().';
  return new ProblemError(415, 'unsupported-content-coding', detail, {
    headers: { 'Accept-Encoding': 'identity' },
  });
}

export function contentTooLarge(limit: number): ProblemError {
  return new ProblemError(
    413,
    'limit-bytes',
    `The body is larger than the limit of ${limit} bytes. Send a smaller one.`,
  );
}

/** For bodies that the app has parsed. The JSON parsers report the position too. */
export function contentTooDeep(limit: number): ProblemError {
  const detail = `The body nests deeper than the limit of ${limit} levels. Send a flatter one.`;
  return new ProblemError(413, 'limit-depth', detail);
}

export function brokenBody(cause: unknown): ProblemError {
  const detail = 'The body is incomplete. Send it again.';
  return new ProblemError(400, 'body-broken', detail, { cause });
}
