import { ConfigurationError } from '../../lib/config/options-check';
import { shownText } from '../../lib/config/shown-text';
import { shownValue } from '../../lib/config/shown-value';

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
  if (typeof value !== 'string' || value === '') return shownValue(value);
  return expect.stringMatching(
    new RegExp(`^(?:a string|${shownText(value).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')})$`),
  );
}
