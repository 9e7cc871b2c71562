import { isObject, type OptionsCheck } from '../configuration';
import { isArray } from './json/value';

/** How documents of some media types are read. */
export interface Format {
  readonly mediaType: string | readonly string[];
}

/** The formats of one handler by media type, made once. */
export interface FormatTable<F extends Format> {
  /** Every media type in lower case, in the order of the formats. */
  readonly mediaTypes: readonly string[];
  /** @param type - `type/subtype` without parameters, in any case (RFC 9110 8.3.1) */
  find(type: string): F | undefined;
}

/** What the formats of a handler are called, and how one writes them. */
interface FormatOption {
  readonly option: 'parsers' | 'formats';
  readonly kind: string;
  readonly example: string;
}

/** What is wrong with the formats goes to `check`; the table then is not to be used. */
export function compileFormats<F extends Format>(
  formats: readonly F[],
  { option: name, kind, example }: FormatOption,
  check: OptionsCheck,
): FormatTable<F> {
  const byType = new Map<string, F>();
  const list = isArray(formats) ? formats : [];
  if (list.length === 0) {
    check.mistake(name, formats, {
      code: isArray(formats) ? 'option-empty' : 'option-type',
      reason: `is no list of ${kind}s`,
      fix: `Write [${example}].`,
    });
  }
  list.forEach((format, index) => {
    const option = `${name}[${index}]`;
    if (!isFormat(format)) {
      check.mistake(option, format, {
        code: 'option-type',
        reason: `is no ${kind}`,
        fix: `Call it: ${example}.`,
      });
      return;
    }
    for (const type of checkMediaTypes(`${option}.mediaType`, format.mediaType, check)) {
      if (byType.has(type)) {
        const fix = `Keep one ${kind} for each media type.`;
        check.mistake(option, type, {
          code: 'parser-duplicate',
          reason: `is read by an earlier ${kind} already`,
          fix,
        });
      }
      byType.set(type, format);
    }
  });
  return { mediaTypes: [...byType.keys()], find: (type) => byType.get(type.toLowerCase()) };
}

/**
 * The media types in lower case; those that are none go to `check`. A parameter would never match, for a patch
 * document is chosen by type and subtype alone; nor would a wildcard, which is for `Accept`.
 */
export function checkMediaTypes(
  option: string,
  given: string | readonly string[],
  check: OptionsCheck,
): string[] {
  const types: readonly unknown[] = isArray(given) ? given : [given];
  if (types.length === 0) {
    check.mistake(option, given, {
      code: 'option-empty',
      reason: 'names no media type',
      fix: "Write 'application/merge-patch+json'.",
    });
  }
  return types.flatMap((type) => {
    if (typeof type === 'string' && mediaType.test(type)) return [type.toLowerCase()];
    const fix = "Write type/subtype alone, as in 'application/merge-patch+json'.";
    check.mistake(option, type, { code: 'media-type-invalid', reason: 'is no media type', fix });
    return [];
  });
}

/** RFC 6838 4.2, which leaves out the wildcard and some other characters that RFC 9110 5.6.2 has in a token. */
const mediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i;

function isFormat(format: unknown): boolean {
  return isObject(format) && 'mediaType' in format && 'parse' in format && typeof format.parse === 'function';
}
