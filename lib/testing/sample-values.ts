import { noOptions } from '../prototype-pollution';
import type { ConformanceOptions, MemberSamples } from './conformance-options';
import { type Members, membersOf } from './members';

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
