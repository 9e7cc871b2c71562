import type { OptionsCheck } from '../../configuration';
import { isEngineText } from '../contract/key';

/**
 * Notes why a name cannot be that of a table or schema in this engine, at start: quoted, every other one can be.
 *
 * @param reserved - the beginning that the engine keeps for itself
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
      reason: 'is no name',
      fix: `Give the ${option}'s name as a string.`,
    });
  } else if (!isEngineText(name)) {
    check.mistake(option, name, {
      code: 'store-name-invalid',
      reason: 'holds a NUL or a lone surrogate',
      fix: 'Leave it out.',
    });
  } else if (reserved?.test(name)) {
    check.mistake(option, name, {
      code: 'store-name-invalid',
      reason: 'begins as the names that the engine keeps for itself',
      fix: 'Choose another.',
    });
  } else if (Buffer.byteLength(name) > maxBytes) {
    check.mistake(option, name, {
      code: 'store-name-invalid',
      reason: `takes more than the ${maxBytes} bytes that there is room for`,
      fix: 'Choose a shorter one.',
    });
  }
}

/** A delimited identifier, as standard SQL has it (ISO 9075-2, 5.2). */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The same in MySQL and MariaDB, whatever sql_mode says of double quotes. */
export function backticked(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
