import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { ProblemDocument } from '../../lib/http/problem';
import { JsonError } from '../../lib/json/json-error';
import { PatchError, toPatchError } from '../../lib/patch/formats/patch-error';
import {
  type ParseContext,
  type Patch,
  patchLimits,
  type PatchLimits,
  type PatchParser,
} from '../../lib/patch/formats/patch-parser';

/** What patchHandler tells a parser beside the document. */
export function parseContext(limits: Partial<PatchLimits> = {}): ParseContext {
  return {
    limits: patchLimits(limits),
    parameters: {},
    request: new IncomingMessage(new Socket()),
    hidden: [],
  };
}

/** Reads a patch document that is given as text. */
export function parseText<T>(
  parser: PatchParser<T>,
  text: string,
  limits: Partial<PatchLimits> = {},
): Patch<T> {
  return parser.parse(Buffer.from(text), parseContext(limits));
}

/** The problem that a client gets for what is thrown; anything else that happens fails the test. */
export function refusal(run: () => unknown): ProblemDocument {
  try {
    run();
  } catch (error) {
    const refused = error instanceof JsonError ? toPatchError(error) : error;
    if (refused instanceof PatchError) return refused.problem;
    throw error;
  }
  throw new Error('nothing was refused');
}
