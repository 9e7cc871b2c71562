import type * as Words from '../explain/words';

/** The sentences about CORS, loaded by the first decision that is told: most requests need none. */
export function loadWords(): typeof Words {
  return require('../explain/words') as typeof Words;
}
