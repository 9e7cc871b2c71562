/** The longest key that a store need hold, in bytes of UTF-8. */
export const maxKeyBytes = 1_024;

/**
 * Whether stores hold this key, and could have given it this version. All draw one line, and patchHandler the same, so that no
 * key is there under one store and absent under another:
 *
 * - no NUL: PostgreSQL refuses it (22021), and drivers of SQLite cut the key off there, which makes `a\0b` the key `a`
 * - no lone surrogate: in UTF-8 each becomes U+FFFD, so that two keys would be one resource
 * - at most 1,024 bytes of UTF-8, which every engine can index: an entry of PostgreSQL's holds at most 2,704 (54000
 *   beyond), one of MySQL's 3,072
 *
 * Keys are not normalized: an `é` of one code point and one of two are two keys.
 */
export function isHeld(key: string, version?: string | null): boolean {
  return isEngineText(key) && Buffer.byteLength(key) <= maxKeyBytes && isEngineText(version ?? '');
}

/** Whether every engine keeps this text as it is. */
export function isEngineText(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}
