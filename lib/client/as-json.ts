import { sayNotJson, toJson } from '../json/to-json';
import { copyJson } from '../json/value';
import { ArgumentError } from './errors';

/**
 * A copy of a value as `JSON.stringify` would write it.
 *
 * @throws ArgumentError for a value that `JSON.stringify` cannot write, or would write as another one
 */
export function copyAsJson(value: unknown): unknown {
  const refuse = (what: string, pointer: string) =>
    new ArgumentError('value-not-json', sayNotJson('The value to send', what, pointer), pointer);
  return copyJson(toJson(value, refuse));
}
