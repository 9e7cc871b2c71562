import { isObject } from '../config/object';
import type { OptionsCheck } from '../config/options-check';
import { isArray } from '../json/value';

/** The media types that a parser or a query format reads. */
export interface Format {
  readonly mediaType: string | readonly string[];
}

/** The formats of one handler, by media type. */
export interface FormatTable<F extends Format> {
  /** In lower case, in the order of the formats. */
  readonly mediaTypes: readonly string[];
  /** @param type - `type/subtype` without parameters, in any letter case (RFC 9110 8.3.1) */
  find(type: string): F | undefined;
}

/** How messages name the formats of a handler. */
interface FormatOption {
  readonly option: 'parsers' | 'formats';
  readonly kind: string;
  readonly example: string;
  /** A media type that it can read. */
  readonly mediaType: string;
}

/** Reports every mistake in the formats to `check`. The table must not be used if there are any. */
export function compileFormats<F extends Format>(
  formats: readonly F[],
  { option: name, kind, example, mediaType }: FormatOption,
  check: OptionsCheck,
): FormatTable<F> {
  const byType = new Map<string, F>();
  const list = isArray(formats) ? formats : [];
  if (list.length === 0) {
    check.mistake(name, formats, {
      code: isArray(formats) ? 'option-empty' : 'option-type',
      reason: `must be a non-empty list of ${kind}s`,
      fix: `Write [${example}].`,
    });
  }
  list.forEach((format, index) => {
    const option = `${name}[${index}]`;
    if (!isFormat(format)) {
      check.mistake(option, format, {
        code: 'option-type',
        reason: `is not a ${kind}`,
        fix: `Call the function: ${example}.`,
      });
      return;
    }
    for (const type of checkMediaTypes(`${option}.mediaType`, format.mediaType, mediaType, check)) {
      if (byType.has(type)) {
        const fix = `Keep one ${kind} for each media type.`;
        check.mistake(option, type, {
          code: 'parser-duplicate',
          reason: `is already read by an earlier ${kind}`,
          fix,
        });
      }
      byType.set(type, format);
    }
  });
  return { mediaTypes: [...byType.keys()], find: (type) => byType.get(type.toLowerCase()) };
}

/**
 * The media types in lower case; invalid ones are reported to `check`. Parameters are refused because a
 * format is chosen by type and subtype alone, wildcards because only `Accept` has them.
 *
 * @param example - a media type that the option can have
 */
export function checkMediaTypes(
  option: string,
  value: string | readonly string[],
  example: string,
  check: OptionsCheck,
): string[] {
  const types: readonly unknown[] = isArray(value) ? value : [value];
  if (types.length === 0) {
    check.mistake(option, value, {
      code: 'option-empty',
      reason: 'must contain a media type',
      fix: `Write '${example}'.`,
    });
  }
  return types.flatMap((type) => {
    if (typeof type === 'string' && mediaTypeForm.test(type)) return [type.toLowerCase()];
    const fix = `Write type/subtype without parameters or wildcards: '${example}'.`;
    check.mistake(option, type, { code: 'media-type-invalid', reason: 'is not a media type', fix });
    return [];
  });
}

/**
 * RFC 6838 4.2. Unlike a token of RFC 9110 5.6.2, a registered name cannot contain `*` and some other
 * characters.
 */
const mediaTypeForm = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i;

function isFormat(format: unknown): boolean {
  return isObject(format) && 'mediaType' in format && 'parse' in format && typeof format.parse === 'function';
}
