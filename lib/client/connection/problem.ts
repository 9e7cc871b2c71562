import { isJsonObject, ownMember, type JsonObject } from '../../json/value';
import type { AnswerOnce } from './answer';

/** The problem document (RFC 9457) in an answer; empty if there is none. */
export function problemIn({ text }: AnswerOnce): JsonObject {
  try {
    const problem: unknown = JSON.parse(text ?? '');
    return isJsonObject(problem) ? problem : {};
  } catch {
    return {};
  }
}

export function textIn(object: JsonObject, name: string): string | undefined {
  const text = ownMember(object, name);
  return typeof text === 'string' ? text : undefined;
}
