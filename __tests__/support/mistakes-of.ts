import { ConfigurationError } from '../../lib/config/options-check';
import { inspectShort, inspectValue } from '../../lib/config/inspect';

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

/** A value as a mistake shows it. Whether a text is hidden, the snapshot of all messages says. */
export function shown(value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return inspectValue(value);
  return expect.stringMatching(
    new RegExp(`^(?:a string|${inspectShort(value).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')})$`),
  );
}
