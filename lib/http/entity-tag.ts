import etag from 'etag';
import { inspectResult } from '../config/inspect';

/**
 * The strong entity tag of a stored representation, for your own GET handler to send as `ETag`. The tags that
 * Express generates are weak and never satisfy If-Match (RFC 9110 13.1.1).
 *
 * @param stored - the state that `get` of a store returns, or any object with a `version`
 * @returns the tag in quotes, as the header's value
 * @throws TypeError for a state without a version: use `entityTag` of a `resource`, which makes the tag from
 *   the members that clients see
 */
export function entityTag(stored: { readonly version?: string | undefined }): string {
  if (typeof stored.version === 'string') return etag(stored.version);
  throw new TypeError(
    'entityTag() received a state without a version. ' +
      'Make its entity tag with the handlers of the resource: resource(…).entityTag(stored, req).',
  );
}

/** `*`, or entity tags as they appear in the header: `"x"`, `W/"x"`. */
export type EntityTagList = '*' | readonly string[];

/** RFC 9110 8.8.3: entity-tag = [ weak ] opaque-tag. */
const grammar = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const everyTag = new RegExp(grammar, 'g');
const wholeTag = new RegExp(`^${grammar}$`);
/**
 * Empty elements are ignored (RFC 9110 5.6.1.2). The first character after a tag decides what follows, so
 * matching takes one pass.
 */
const tagList = new RegExp(String.raw`^[\t ,]*(?:${grammar}[\t ]*(?:,[\t ,]*|$))*$`);

/**
 * Reads the value of If-Match or If-None-Match, `"*" / #entity-tag` (RFC 9110 13.1.1), with several lines
 * joined by commas, as Node does.
 *
 * @returns undefined if it is malformed. The list can be empty, as the grammar has no minimum (5.6.1): no tag
 *   matches it.
 */
export function parseEntityTags(field: string): EntityTagList | undefined {
  if (field.trim() === '*') return '*';
  return tagList.test(field) ? (field.match(everyTag) ?? []) : undefined;
}

/** Whether the text is one entity tag, strong or weak. */
function isEntityTag(text: string): boolean {
  return wholeTag.test(text);
}

/**
 * The tag that the option `entityTag` returned.
 *
 * @throws TypeError for anything else, which would be sent but never match
 */
export function checkedTag(tag: unknown): string {
  if (typeof tag === 'string' && isEntityTag(tag)) return tag;
  throw new TypeError(
    `The option entityTag returned ${inspectResult(tag)}, which is not an entity tag. Return '"…"', ` +
      'with the quotes.',
  );
}

/** RFC 9110 8.8.3.2: equal, and neither is weak. */
export function strongMatch(a: string, b: string): boolean {
  return a === b && !a.startsWith('W/');
}

/** RFC 9110 8.8.3.2: equal opaque tags, weak or not. */
export function weakMatch(a: string, b: string): boolean {
  return opaqueTag(a) === opaqueTag(b);
}

/**
 * The suffix that a proxy has appended to the current tag when it compressed the answer: Apache and Caddy append
 * `-gzip` or the like, Jetty `--gzip`. Apps do not make the tag of another state in this way.
 *
 * @returns undefined for any other tag
 */
export function appendedCoding(tag: string, current: string): string | undefined {
  const start = current.slice(0, -1);
  const opaque = opaqueTag(tag);
  const rest = opaque.startsWith(start) ? opaque.slice(start.length, -1) : '';
  return /^--?(?:gzip|br|zstd)$/.test(rest) ? rest : undefined;
}

function opaqueTag(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
