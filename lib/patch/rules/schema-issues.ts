import { isObject } from '../../config/object';
import { readMember } from '../../config/prototype-pollution';
import type { SchemaIssue, SchemaResult } from '../../config/standard-schema';
import { formatPointer } from '../../json/pointer';
import type { InvalidMember, InvalidMembers } from '../../stores/contract/invalid-result';

/**
 * The issues that a schema found, with JSON Pointers; undefined if the value is valid. They are made as they
 * are read: there can be thousands, of which an answer shows twenty.
 */
export function readIssues(result: SchemaResult<unknown>): InvalidMembers | undefined {
  // Some schemas have null where Standard Schema has undefined.
  const issues = readMember(result, 'issues') ?? undefined;
  return (
    issues && {
      length: issues.length,
      *[Symbol.iterator]() {
        for (const issue of issues) yield toInvalidMember(issue);
      },
    }
  );
}

function toInvalidMember(issue: SchemaIssue): InvalidMember {
  const path = readMember(issue, 'path') ?? [];
  const names = path.map((segment) => String(isObject(segment) ? segment.key : segment));
  return { detail: issue.message, pointer: formatPointer(names) };
}
