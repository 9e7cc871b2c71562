import { inspect } from 'node:util';
import createDebug from 'debug';

/** Writes a line where the environment variable DEBUG names this log. */
export interface DebugLog {
  (format: string, ...values: readonly unknown[]): void;
  readonly enabled: boolean;
}

/**
 * A log of npm `debug`. Its values may come from a request (URL, Content-Type, Origin), and it is read on a terminal: of text,
 * every value is made `printable`.
 *
 * @param name - what follows `patch-options:` in DEBUG
 */
export function debugLog(name: string): DebugLog {
  const debug = createDebug(`patch-options:${name}`);
  const log = (format: string, ...values: readonly unknown[]): void => {
    if (debug.enabled) debug(format, ...values.map(shown));
  };
  return Object.defineProperty(log, 'enabled', { get: () => debug.enabled }) as DebugLog;
}

/** The stack of an error keeps its lines. What an app throws may quote the request. */
function shown(value: unknown): unknown {
  if (typeof value === 'string') return printable(value);
  if (typeof value !== 'object' && typeof value !== 'function') return value;
  try {
    return inspect(value).split('\n').map(printable).join('\n');
  } catch {
    return 'something that cannot be shown';
  }
}

/**
 * Text in which nothing is left that a terminal would obey or hide: control characters (C0, DEL, C1, of which U+009B begins
 * sequences as ESC [ does), characters that change the direction of text or are not seen, lone surrogates, and line ends, with
 * which a value could forge a line. Each stands as `\u{9b}`.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
