import { isThenable, notAwaited, shownResult } from '../config/app-callbacks';
import { JsonError } from '../json/json-error';
import { toPatchError } from './patch-error';
import type { ParseContext, Patch, PatchParser } from './patch-parser';

/**
 * Parses a document with a parser that can be the app's own. A promise is an error, before any rule sees it:
 * it has no members, so a rule would find nothing to refuse in it.
 *
 * @param mediaType - of the document, for messages
 * @throws TypeError if the parser returns no function; so does the patch if it returns a promise
 */
export function parsePatch<T>(
  parser: PatchParser<T>,
  mediaType: string,
  document: Buffer,
  context: ParseContext,
): Patch<T> {
  const patch: unknown = withStatus(() => parser.parse(document, context));
  if (!isPatch<T>(patch)) {
    throw new TypeError(
      `parse of the parser for ${mediaType} returned ${shownResult(patch)}. ` +
        'Return a function that takes the current value and returns the next one.',
    );
  }
  return (current) => {
    const next = notAwaited(withStatus(() => patch(current)));
    if (!isThenable(next)) return next;
    throw new TypeError(
      `The patch of the parser for ${mediaType} returned a promise. ` +
        'Return the next value itself, and await what it needs in a middleware before this handler.',
    );
  };
}

/** Runs a parser or a patch. What it throws of json/ becomes an answer to the client. */
function withStatus<R>(run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw error instanceof JsonError ? toPatchError(error) : error;
  }
}

function isPatch<T>(value: unknown): value is Patch<T> {
  return typeof value === 'function';
}
