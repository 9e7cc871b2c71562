import { noOptions } from '../config/prototype-pollution';
import type { ConformanceOptions, MemberSamples } from './conformance-options';
import { type Members, readMembers } from './members';

/** Values in the form that the store holds, which the options describe. */
export interface SampleValues {
  readonly wrap: (text: string) => unknown;
  readonly unwrap: (value: unknown) => unknown;
  readonly clearable: Members;
  readonly fixed: Members;
  readonly unique: () => Members;
}

/** Without options, values are any JSON, and every member can be cleared. */
export function createSampleValues<T>({ carrier, members = noOptions }: ConformanceOptions<T>): SampleValues {
  const { clearable, fixed = {}, unique = () => ({}) }: MemberSamples = members;
  const memberSamples = { fixed, unique };
  if (carrier !== undefined) {
    const unwrap = (value: unknown) => carrier.unwrap(value as T);
    return { ...memberSamples, wrap: carrier.wrap, unwrap, clearable: clearable ?? {} };
  }
  const unwrap = (value: unknown) => readMembers(value)['text'];
  return {
    ...memberSamples,
    wrap: (text) => ({ text }),
    unwrap,
    clearable: clearable ?? { cleared: 'a text' },
  };
}
