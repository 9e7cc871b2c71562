import { isJsonObject, ownMember, type JsonObject } from '../json/value';

/** The response to one attempt of a request. */
export interface AnswerOnce {
  readonly status: number;
  /** The value of a header; null if it is missing, or not exposed to the page. */
  readonly field: (name: string) => string | null;
  /** The content; undefined if the connection broke after the head, or if the content never ends. */
  readonly text: string | undefined;
}

/** The response to a request. */
export interface Answer extends AnswerOnce {
  /**
   * Whether the server may have carried out the request, at this attempt or at an earlier one, although this
   * is not a success.
   */
  readonly uncertain: boolean;
}

export function isSuccess(status: number): boolean {
  return status === 200 || status === 201 || status === 204;
}

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
