import { parseFieldList } from './field-list';

/**
 * The codings that a Content-Encoding names, in lower case and in the order in which they were applied (RFC 9110 8.4). Empty
 * elements count for nothing (5.6.1.2), and neither does `identity`: it SHOULD NOT be sent here (8.4), and says that nothing
 * was done (12.5.3).
 *
 * @returns undefined where the list is longer than is read
 */
export function contentCodings(field: string | undefined): string[] | undefined {
  return parseFieldList(field)
    ?.map((coding) => coding.toLowerCase())
    .filter((coding) => coding !== 'identity');
}
