import type { PatchRequest } from '../request/routed-request';
import type { PatchSettings } from './options/settings';

/** What clients get to see of a value, as JSON text: of what GET sends under an entity tag, byte for byte. */
export async function representationOf<T>(
  { represent, hidden }: Pick<PatchSettings<T>, 'represent' | 'hidden'>,
  value: T,
  req: PatchRequest,
): Promise<string> {
  const text: unknown = JSON.stringify(await represent(hidden.visible(value), req));
  if (typeof text === 'string') return text;
  throw new TypeError('The option represent gave nothing that JSON can write. Return a value, or null.');
}
