import { ConfigurationError } from '../../lib/config/options-check';

/** The mistakes that are told where `make` is called; none where it makes what it should. */
export function mistakesOf(make: () => unknown): ConfigurationError['mistakes'] {
  try {
    make();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.mistakes;
    throw error;
  }
  return [];
}
