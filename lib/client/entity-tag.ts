import { EntityTagError } from './errors';

/** A strong entity tag (RFC 9110 8.8.3). */
const strong = /^"[\x21\x23-\x7e\x80-\xff]*"$/;

export function isStrong(tag: string): boolean {
  return strong.test(tag);
}

/**
 * The entity tag of a resource that was read, in its strong form: nginx and HAProxy weaken the tags of
 * answers that they compress. A tag that the server itself made weak is detected when If-Match fails.
 *
 * @throws EntityTagError
 */
export function requireEntityTag(url: string, tag: string | null): string {
  if (tag === null) {
    throw new EntityTagError(
      'entity-tag-missing',
      `The response to GET ${url} has no readable ETag. ${advice}, and make sure that no proxy removes it. ` +
        'For pages of another origin, list ETag in the CORS option exposedHeaders.',
    );
  }
  const form = toStrong(tag);
  if (isStrong(form)) return form;
  throw new EntityTagError(
    'entity-tag-malformed',
    `The ETag ${tag} of GET ${url} is malformed. ${advice}, with the quotes.`,
  );
}

/**
 * The value of If-Match or If-None-Match for an entity tag that was received.
 *
 * Apache and Caddy append `-gzip` or the like to the tags of answers that they compress, to any method, and
 * Apache does not remove it from If-Match, so such a tag is sent with and without it. Both identify the state
 * that was read: no app makes the tag of another state by appending the name of a content coding.
 */
export function toCondition(tag: string): string {
  const form = toStrong(tag);
  const plain = form.replace(/--?(?:gzip|br|zstd)"$/, '"');
  return plain === form ? form : `${form}, ${plain}`;
}

function toStrong(tag: string): string {
  return tag.replace(/^W\//, '');
}

/** @param refused - the tag of the 412 */
export function tagMismatch(
  url: string,
  condition: string,
  refused: string | null | undefined,
): EntityTagError {
  return new EntityTagError(
    'entity-tag-mismatch',
    `GET ${url} returns the ETag ${condition}, but If-Match with it fails again: ` +
      `the ETag of the 412 is ${refused ?? 'missing'}. ` +
      `${advice}, and make sure that no proxy changes it, and that no cache returns old states.`,
  );
}

const advice = 'Send the entity tag that PATCH compares, such as entityTag(stored)';
