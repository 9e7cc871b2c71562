import { EntityTagError } from '../errors';

/** A strong entity tag (RFC 9110 8.8.3). */
const strong = /^"[\x21\x23-\x7e\x80-\xff]*"$/;

export function isStrong(tag: string): boolean {
  return strong.test(tag);
}

/**
 * The strong entity tag of a resource that was read.
 *
 * @throws EntityTagError
 */
export function entityTagOf(url: string, tag: string | null): string {
  if (tag === null) {
    throw new EntityTagError(
      'entity-tag-missing',
      `The answer to GET ${url} has no ETag that can be read. Let the GET send the entity tag that PATCH compares, as by ` +
        'entityTag(stored); for pages of another origin, let exposedHeaders of the CORS policy name ETag.',
    );
  }
  if (isStrong(tag)) return tag;
  throw new EntityTagError(
    'entity-tag-weak',
    `The ETag of GET ${url}, ${tag}, is weak or malformed, and satisfies no If-Match. Let the GET send the entity tag that ` +
      'PATCH compares, as by entityTag(stored), and let no proxy weaken it.',
  );
}

/** The same state is there still, and If-Match with its tag was refused. */
export function tagMismatch(url: string, tag: string): EntityTagError {
  return new EntityTagError(
    'entity-tag-mismatch',
    `GET ${url} has the ETag ${tag}, and If-Match with it does not hold. Let the GET send the entity tag that PATCH ` +
      'compares, as by entityTag(stored).',
  );
}
