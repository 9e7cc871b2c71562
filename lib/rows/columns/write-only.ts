import { isObject } from '../../config/object';
import type { OptionsCheck } from '../../config/options-check';
import { readMember } from '../../config/prototype-pollution';
import { formatPointer } from '../../json/pointer';
import type { Columns } from './column-options';

/** JSON Pointers of the members that clients can set, but not see; the columns have been compiled. */
export function readWriteOnly(check: OptionsCheck, columns: unknown): readonly string[] {
  return Object.entries(Object(columns) as Columns).flatMap(([member, column]) => {
    if (!isObject(column) || !readMember(column, 'writeOnly')) return [];
    if (readMember(column, 'readOnly')) {
      check.mistake(`columns.${member}.writeOnly`, true, {
        code: 'option-conflict',
        reason: 'cannot be combined with readOnly, because no client could see the member or set it',
        fix: 'Leave the column out.',
      });
    }
    return [formatPointer([member])];
  });
}
