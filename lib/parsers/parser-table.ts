import { isObject, type OptionsCheck } from '../configuration';
import { isArray } from './json/value';
import type { PatchParser } from './patch-parser';

/** The parsers of one `patchHandler` by media type, made once. */
export interface ParserTable<T> {
  /** Every media type in lower case, in the order of the parsers: the value of `Accept-Patch` (RFC 5789 3.1). */
  readonly acceptPatch: readonly string[];
  /** @param type - `type/subtype` without parameters, in any case (RFC 9110 8.3.1) */
  find(type: string): PatchParser<T> | undefined;
}

/**
 * What is wrong with the parsers goes to `check`, under the option name `parsers`; the table then is not to be
 * used.
 */
export function compileParsers<T>(parsers: readonly PatchParser<T>[], check: OptionsCheck): ParserTable<T> {
  const byType = new Map<string, PatchParser<T>>();
  const list = isArray(parsers) ? parsers : [];
  if (list.length === 0) {
    check.mistake('parsers', parsers, {
      code: isArray(parsers) ? 'option-empty' : 'option-type',
      reason: 'is no list of patch parsers',
      fix: 'Write [jsonPatch(), mergePatch()].',
    });
  }
  list.forEach((parser, index) => {
    const option = `parsers[${index}]`;
    if (!isParser(parser)) {
      check.mistake(option, parser, {
        code: 'option-type',
        reason: 'is no patch parser',
        fix: 'Call it: jsonPatch(), mergePatch().',
      });
      return;
    }
    for (const type of checkMediaTypes(`${option}.mediaType`, parser.mediaType, check)) {
      if (byType.has(type)) {
        const fix = 'Keep one parser for each media type.';
        check.mistake(option, type, {
          code: 'parser-duplicate',
          reason: 'is read by an earlier parser already',
          fix,
        });
      }
      byType.set(type, parser);
    }
  });
  return { acceptPatch: [...byType.keys()], find: (type) => byType.get(type.toLowerCase()) };
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

function isParser(parser: unknown): boolean {
  return isObject(parser) && 'mediaType' in parser && 'parse' in parser && typeof parser.parse === 'function';
}
