import { sayNotJson, toJson } from '../json/to-json';
import { copyJson } from '../json/value';
import { ArgumentError } from './errors';

/**
 * A copy of what `JSON.stringify` would write of a value.
 *
 * @throws ArgumentError for a value that it cannot write, or would write as something else
 */
export function copyAsJson(value: unknown): unknown {
  const refuse = (what: string, pointer: string) =>
    new ArgumentError('value-not-json', sayNotJson('The value to send', what, pointer), pointer);
  return copyJson(toJson(value, refuse));
}
