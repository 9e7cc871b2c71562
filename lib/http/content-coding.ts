import { parseFieldList } from './field-list';

/**
 * The codings in a Content-Encoding header, in lower case, in the order in which they were applied (RFC 9110
 * 8.4). Empty elements are ignored (5.6.1.2), and so is `identity`, which SHOULD NOT be sent here (8.4) and
 * means no encoding (12.5.3).
 *
 * @returns undefined if the list exceeds the limits of `parseFieldList`
 */
export function contentCodings(field: string | undefined): string[] | undefined {
  return parseFieldList(field)
    ?.map((coding) => coding.toLowerCase())
    .filter((coding) => coding !== 'identity');
}
