import type { Exchange } from '../exchange.js';

/** The parts of a problem document that are shown. */
export interface Problem {
  readonly detail: string;
  /** JSON Pointers into the request body, to the places with the problem. */
  readonly marks: readonly string[];
}

interface Operation {
  readonly path: string;
  readonly from: string | undefined;
}

/** The problem that the response reports; undefined if it reports none. */
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
 * Locates a problem in the request body. The pointers of the problem are into the resource: in a JSON Patch, the operations that
 * write there are located; in any other body, the member itself.
 */
export function marksIn(problem: Readonly<Record<string, unknown>>, operations: unknown): readonly string[] {
  if (typeof problem['operation'] === 'number') return [`/${String(problem['operation'])}`];
  const pointers = [problem, ...errorsIn(problem)].map((error) => error['pointer']).filter(isText);
  if (!isList(operations)) return pointers;
  const listed = operations.map(toOperation);
  return [...new Set(pointers.flatMap((one) => listed.flatMap((sent, at) => markIn(sent, at, one))))];
}

function errorsIn({
  errors,
}: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  return isList(errors) ? errors.filter(isObject) : [];
}

/** The part of an operation's value that ends up at the pointer, or the operation that writes below it. */
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

function toOperation(operation: unknown): Operation | undefined {
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
