import type { Exchange } from '../exchange.js';

/** A refusal as a problem document says it, as far as it is shown. */
export interface Problem {
  readonly detail: string;
  /** JSON Pointers into the request body to what it is about. */
  readonly marks: readonly string[];
}

interface Operation {
  readonly path: string;
  readonly from: string | undefined;
}

/** What the answer says is wrong with the request; undefined where it says nothing. */
export function problemIn({
  status,
  responseBody,
  requestBody,
  requestFields,
}: Exchange): Problem | undefined {
  if (status < 400) return undefined;
  const problem = parsed(responseBody?.text);
  if (!isObject(problem)) return undefined;
  const errors = errorsIn(problem).map((error) => String(error['detail']));
  const { detail = errors.join(' ') } = problem;
  if (typeof detail !== 'string' || detail === '') return undefined;

  const type = requestFields.find(([name]) => name === 'Content-Type')?.[1] ?? '';
  const isJsonPatch = /^application\/json-patch\+json\b/i.test(type);
  return { detail, marks: marksIn(problem, isJsonPatch ? parsed(requestBody?.text) : undefined) };
}

/**
 * Where a problem is in what was sent. Its pointers are into the resource: in a JSON Patch, they are those of the operations
 * that write there; in any other body, they lead to the member itself.
 */
export function marksIn(problem: Readonly<Record<string, unknown>>, operations: unknown): readonly string[] {
  if (typeof problem['operation'] === 'number') return [`/${String(problem['operation'])}`];
  const pointers = [problem, ...errorsIn(problem)].map((error) => error['pointer']).filter(isText);
  if (!isList(operations)) return pointers;
  const listed = operations.map(operationOf);
  return [...new Set(pointers.flatMap((one) => listed.flatMap((sent, at) => markIn(sent, at, one))))];
}

function errorsIn({
  errors,
}: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  return isList(errors) ? errors.filter(isObject) : [];
}

/** The part of an operation's value that ends up at the pointer, or the operation that writes inside of what is there. */
function markIn(sent: Operation | undefined, at: number, pointer: string): readonly string[] {
  if (sent === undefined) return [];
  const path = sent.path.replace(/\/-$/, '');
  if (pointer.startsWith(`${path}/`) && path === sent.path)
    return [`/${String(at)}/value${pointer.slice(path.length)}`];
  const isTouched = [path, sent.from].some(
    (one) =>
      one !== undefined &&
      (one === pointer || one.startsWith(`${pointer}/`) || pointer.startsWith(`${one}/`)),
  );
  return isTouched ? [`/${String(at)}`] : [];
}

function operationOf(operation: unknown): Operation | undefined {
  if (!isObject(operation) || !isText(operation['path'])) return undefined;
  return { path: operation['path'], from: isText(operation['from']) ? operation['from'] : undefined };
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
