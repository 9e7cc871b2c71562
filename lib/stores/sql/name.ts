import type { Expectation } from '../../config/expectation';
import type { Fault } from '../../config/mistake';
import { isEngineText } from '../contract/key';

/**
 * The name of a table or schema in an engine. Names are quoted, so all that these do not exclude work.
 *
 * @param reserved - matches the names that the engine reserves
 * @param maxBytes - of UTF-8
 */
export function nameWithin(maxBytes = Infinity, reserved?: RegExp): Expectation {
  return { findFault: (name) => findNameFault(name, maxBytes, reserved) };
}

function findNameFault(name: unknown, maxBytes: number, reserved?: RegExp): Fault | undefined {
  if (typeof name !== 'string' || name === '') {
    const code = name === '' ? 'store-name-invalid' : 'option-type';
    return { code, reason: 'must be a non-empty string', fix: "Write a name such as 'notes'." };
  }
  if (!isEngineText(name)) return invalid('contains NUL or a lone surrogate', 'Remove that character.');
  if (reserved?.test(name))
    return invalid('begins with a prefix that the database reserves', 'Choose another name.');
  if (Buffer.byteLength(name) > maxBytes)
    return invalid(`is longer than ${maxBytes} bytes`, 'Choose a shorter name.');
  return undefined;
}

function invalid(reason: string, fix: string): Fault {
  return { code: 'store-name-invalid', reason, fix };
}

/** A delimited identifier of standard SQL (ISO 9075-2, 5.2). */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A quoted name in MySQL and MariaDB: in backticks, which do not depend on sql_mode. */
export function backtickName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
