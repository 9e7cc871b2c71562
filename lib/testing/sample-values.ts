import { hasNames } from '../configuration';
import { noOptions } from '../prototype-pollution';
import type { ConformanceOptions, MemberSamples } from './conformance-options';

/** Members by name. */
export type Members = Readonly<Record<string, unknown>>;

/** Values of the shape that the store holds, as the options describe it. */
export interface SampleValues {
  readonly wrap: (text: string) => unknown;
  readonly unwrap: (value: unknown) => unknown;
  readonly clearable: Members;
  readonly fixed: Members;
  readonly unique: () => Members;
}

/** Where nothing is said of the values, they are JSON of every kind, and any member may be cleared. */
export function sampleValues<T>({ carrier, members = noOptions }: ConformanceOptions<T>): SampleValues {
  const { clearable, fixed = {}, unique = () => ({}) }: MemberSamples = members;
  return carrier === undefined
    ? {
        wrap: (text) => ({ text }),
        unwrap: (value) => membersOf(value)['text'],
        clearable: clearable ?? { cleared: 'a text' },
        fixed,
        unique,
      }
    : {
        wrap: carrier.wrap,
        unwrap: (value) => carrier.unwrap(value as T),
        clearable: clearable ?? {},
        fixed,
        unique,
      };
}

/** None where it is not an object. */
export function membersOf(value: unknown): Members {
  return hasNames(value) ? (value as Members) : {};
}

/** What a patch makes of a value: other members than those that are given stay as they are. */
export function merged(before: unknown, given: unknown): unknown {
  return hasNames(before) && hasNames(given) ? { ...before, ...given } : given;
}
