import { EntityTagError } from '../errors';

/** A strong entity tag (RFC 9110 8.8.3). */
const strong = /^"[\x21\x23-\x7e\x80-\xff]*"$/;

export function isStrong(tag: string): boolean {
  return strong.test(tag);
}

/**
 * Checks the entity tag of a resource that was read.
 *
 * @throws EntityTagError
 */
export function requireEntityTag(url: string, tag: string | null): string {
  if (tag === null) {
    throw new EntityTagError(
      'entity-tag-missing',
      `The response to GET ${url} has no readable ETag. Send the entity tag that PATCH compares, such as ` +
        'entityTag(stored). For pages of another origin, list ETag in the CORS option exposedHeaders.',
    );
  }
  if (isStrong(tag)) return tag;
  throw new EntityTagError(
    'entity-tag-weak',
    `The ETag ${tag} of GET ${url} is weak or malformed, so it can never satisfy If-Match. ` +
      'Send the entity tag that PATCH compares, such as entityTag(stored), ' +
      'and make sure that no proxy weakens it.',
  );
}

/**
 * The error for a 412 although GET still returns the tag of If-Match.
 *
 * @param refused - the tag of the 412, or that of If-Match if the 412 has none
 */
export function tagMismatch(url: string, sent: string, refused: string): EntityTagError {
  const why =
    refused === sent
      ? '. Send the entity tag that PATCH compares, such as entityTag(stored).'
      : `: the 412 has the ETag ${refused}. Make sure that no proxy changes it ` +
        '(Apache: DeflateAlterETag NoChange), and that no cache returns old states.';
  return new EntityTagError(
    'entity-tag-mismatch',
    `GET ${url} returns the ETag ${sent}, but If-Match with this tag fails${why}`,
  );
}
