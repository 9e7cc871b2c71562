import { isObject } from '../../config/object';
import type { OptionsCheck } from '../../config/options-check';
import { isArray } from '../../json/value';

/** The media types that a parser reads. */
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

const example = 'jsonPatch(), mergePatch()';
const exampleType = 'application/merge-patch+json';

/**
 * The parsers of one handler by media type, in the order of Accept-Patch (RFC 5789 3.1). Every mistake in
 * them is reported to `check`; if there are any, the table must not be used.
 */
export function compileParsers<F extends Format>(parsers: readonly F[], check: OptionsCheck): FormatTable<F> {
  const byType = new Map<string, F>();
  const list = isArray(parsers) ? parsers : [];
  if (list.length === 0) {
    check.mistake('parsers', parsers, {
      code: isArray(parsers) ? 'option-empty' : 'option-type',
      reason: 'must be a non-empty list of patch parsers',
      fix: `Write [${example}].`,
    });
  }
  list.forEach((parser, index) => {
    const option = `parsers[${index}]`;
    if (!isParser(parser)) {
      check.mistake(option, parser, {
        code: 'option-type',
        reason: 'is not a patch parser',
        fix: `Call the function: ${example}.`,
      });
      return;
    }
    for (const type of checkMediaTypes(`${option}.mediaType`, parser.mediaType, exampleType, check)) {
      if (byType.has(type)) {
        check.mistake(option, type, {
          code: 'parser-duplicate',
          reason: 'is already read by an earlier patch parser',
          fix: 'Keep one patch parser for each media type.',
        });
      }
      byType.set(type, parser);
    }
  });
  return { mediaTypes: [...byType.keys()], find: (type) => byType.get(type.toLowerCase()) };
}

/**
 * The media types in lower case; invalid ones are reported to `check`. Parameters are refused because a
 * format is chosen by its type and subtype alone; wildcards because only `Accept` has them.
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

function isParser(parser: unknown): boolean {
  return isObject(parser) && 'mediaType' in parser && 'parse' in parser && typeof parser.parse === 'function';
}
