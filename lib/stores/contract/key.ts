/** The longest key that every store holds, in bytes of UTF-8. */
export const maxKeyBytes = 1_024;

/**
 * Whether stores can hold this key, and could have made this version. All stores and patchHandler use the
 * same rule, so no key exists in one store but not in another:
 *
 * - no NUL: PostgreSQL refuses it (22021), and SQLite drivers cut the key off there, so `a\0b` would become
 *   `a`
 * - no lone surrogate: in UTF-8 each becomes U+FFFD, so two keys would name one resource
 * - at most 1,024 bytes of UTF-8, which every engine can index: an index entry holds up to 2,704 bytes in
 *   PostgreSQL (error 54000 beyond), and 3,072 in MySQL
 *
 * Keys are not normalized: `é` as one code point and `é` as two are different keys.
 */
export function isStorableKey(key: string, version?: string | null): boolean {
  return isEngineText(key) && Buffer.byteLength(key) <= maxKeyBytes && isEngineText(version ?? '');
}

/** Whether every engine stores this text unchanged. */
export function isEngineText(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

/**
 * One key of several parts, such as tenant and id; undefined if one of them cannot be in a key. No two lists
 * of parts have the same key.
 */
export function joinKey(parts: readonly string[]): string | undefined {
  return parts.every(isEngineText) ? parts.map(encodeURIComponent).join('/') : undefined;
}

/** The parts of a key that `joinKey` made of `count` parts; undefined for any other key. */
export function splitKey(key: string, count: number): readonly string[] | undefined {
  const parts = key.split('/');
  if (parts.length !== count) return undefined;
  try {
    const decoded = parts.map(decodeURIComponent);
    // Each part has one spelling, so that no two keys lead to one row.
    return joinKey(decoded) === key ? decoded : undefined;
  } catch {
    return undefined;
  }
}
