import type { OptionsCheck } from '../../config/options-check';
import { isEngineText } from '../contract/key';

/** What the name of the table of outcomes adds to that of the resources. */
export const outcomesSuffix = '_outcomes';

/**
 * Reports a name that cannot be the name of a table or schema in this engine. Names are quoted, so all others
 * work.
 *
 * @param reserved - matches the names that the engine reserves
 * @param maxBytes - of UTF-8
 */
export function checkName(
  check: OptionsCheck,
  option: string,
  name: unknown,
  reserved: RegExp | undefined,
  maxBytes = Infinity,
): void {
  if (typeof name !== 'string' || name === '') {
    check.mistake(option, name, {
      code: name === '' ? 'store-name-invalid' : 'option-type',
      reason: 'must be a non-empty string',
      fix: "Write a name such as 'notes'.",
    });
  } else if (!isEngineText(name)) {
    check.mistake(option, name, {
      code: 'store-name-invalid',
      reason: 'contains NUL or a lone surrogate',
      fix: 'Remove that character.',
    });
  } else if (reserved?.test(name)) {
    check.mistake(option, name, {
      code: 'store-name-invalid',
      reason: 'begins with a prefix that the database reserves',
      fix: 'Choose another name.',
    });
  } else if (Buffer.byteLength(name) > maxBytes) {
    check.mistake(option, name, {
      code: 'store-name-invalid',
      reason: `is longer than ${maxBytes} bytes`,
      fix: 'Choose a shorter name.',
    });
  }
}

/**
 * The same for a name that MySQL is to create: in it, no name ends in a space, and characters beyond U+FFFF
 * do not exist.
 */
export function checkMysqlName(check: OptionsCheck, option: string, name: unknown, maxBytes: number): void {
  if (typeof name === 'string' && /[\t-\r ]$|[\u{10000}-\u{10ffff}]/u.test(name)) {
    check.mistake(option, name, {
      code: 'store-name-invalid',
      reason: 'ends in a space, or contains a character beyond U+FFFF, which MySQL does not allow in names',
      fix: 'Remove that character.',
    });
  } else checkName(check, option, name, /^#/, maxBytes);
}

/** A delimited identifier of standard SQL (ISO 9075-2, 5.2). */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A quoted name in MySQL and MariaDB: in backticks, which do not depend on sql_mode. */
export function backticked(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
