import type { PatchRequest } from '../http/routed-request';
import type { PatchSettings } from './options/settings';

/**
 * What clients see of a value, as JSON text. For one entity tag it has the same bytes as the answer to GET.
 */
export async function createRepresentation<T>(
  { represent, hidden }: Pick<PatchSettings<T>, 'represent' | 'hidden'>,
  value: T,
  req: PatchRequest,
): Promise<string> {
  const text: unknown = JSON.stringify(await represent(hidden.visible(value), req));
  if (typeof text === 'string') return text;
  throw new TypeError(
    'The option represent returned undefined or another value that is not JSON. ' +
      'Return a JSON value, such as an object or null.',
  );
}
