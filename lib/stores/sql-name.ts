import type { OptionsCheck } from '../configuration';
import { isEngineText } from './key';

/** What an engine takes as the name of a table or schema, once it is quoted. */
export interface NameRules {
  /** In bytes of UTF-8. */
  readonly maxBytes: number;
  /** What the longest name adds that is made of this one. */
  readonly suffix?: string;
  /** The beginning that the engine keeps for itself. */
  readonly reserved: RegExp;
}

/** Notes why a name cannot be one in this engine, at start: quoted, every other one can be. */
export function checkName(check: OptionsCheck, option: string, name: unknown, rules: NameRules): void {
  if (typeof name !== 'string' || name === '') {
    check.mistake(option, name, 'is no name', `Give the ${option}'s name as a string.`);
  } else if (!isEngineText(name)) {
    check.mistake(option, name, 'holds a NUL or a lone surrogate', 'Leave it out.');
  } else if (rules.reserved.test(name)) {
    check.mistake(option, name, 'begins as the names that the engine keeps for itself', 'Choose another.');
  } else if (Buffer.byteLength(name + (rules.suffix ?? '')) > rules.maxBytes) {
    const longest = rules.suffix === undefined ? '' : `, with ${rules.suffix} behind it,`;
    const reason = `takes${longest} more than the ${rules.maxBytes} bytes that the engine keeps of a name`;
    check.mistake(option, name, reason, 'Choose a shorter one.');
  }
}

/** A delimited identifier, as standard SQL has it (ISO 9075-2, 5.2). */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
