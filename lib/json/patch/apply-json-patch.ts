import type { JsonError } from '../json-error';
import { arrayIndex, formatPointer, quotedPointer, readChild, valueAt, type JsonPointer } from '../pointer';
import { jsonArgument } from '../to-json';
import {
  childValues,
  isArray,
  isContainer,
  isDeeperThan,
  isEqualJson,
  setMember,
  type JsonContainer,
} from '../value';
import { CopyOnWrite, replaceChild, type Originals } from './copy-on-write';
import { operationError, readOperations, type Operation } from './operation';

/** Limits on a JSON Patch. */
export interface JsonPatchLimits {
  /** The largest number of operations in one JSON Patch. Default 1,000. */
  readonly operations: number;
  /** The deepest nesting of the result, in levels; at most 1,000. Default 100. */
  readonly depth: number;
  /** The largest number of bytes of JSON that the `copy` operations of one JSON Patch can add. Default 1 MiB. */
  readonly bytes: number;
}

export const defaultJsonPatchLimits: JsonPatchLimits = {
  operations: 1_000,
  depth: 100,
  bytes: 1_048_576,
};

/**
 * Applies a parsed JSON Patch (RFC 6902).
 *
 * @param document - a JSON value; never modified, and the result shares all unchanged parts with it
 * @param patch - the parsed patch document, never modified; the result can share values with it
 * @param limits - the limits that differ from the defaults
 * @throws JsonError
 */
export function applyJsonPatch(
  document: unknown,
  patch: unknown,
  limits: Partial<JsonPatchLimits> = {},
): unknown {
  const all = { ...defaultJsonPatchLimits, ...limits };
  const operations = readOperations(jsonArgument(patch, 'The patch'), all.operations);
  return applyOperations(document, operations, all);
}

/**
 * @param originals - empty; receives the edited copies
 * @throws JsonError if an operation does not fit the document
 */
export function applyOperations(
  document: unknown,
  operations: readonly Operation[],
  limits: JsonPatchLimits,
  originals?: Originals,
): unknown {
  const draft = new Draft(document, operations, limits, originals);
  for (const operation of operations) draft.apply(operation);
  return draft.finish();
}

/**
 * The number of array elements that the insertions and removals of one JSON Patch can shift. This costs about as
 * much as parsing a patch of 1 MiB, and allows an insertion into any array of up to 16 MiB.
 */
const maxShifted = 10_000_000;

/**
 * A document while the operations of a JSON Patch are applied to it. Neither the original document nor the
 * values in the patch are modified: the draft shares them until a later operation writes into one.
 */
class Draft {
  readonly #tree: CopyOnWrite;
  /** Containers that were moved to a deeper level, and the operation that moved each. */
  readonly #movedDeeper = new Map<object, Operation>();
  #copiedBytes = 0;
  #shiftedElements = 0;

  constructor(
    document: unknown,
    operations: readonly Operation[],
    private readonly limits: JsonPatchLimits,
    originals?: Originals,
  ) {
    // A single move changes two locations.
    const changesAgain = operations.length > 1 || operations[0]?.op === 'move';
    this.#tree = new CopyOnWrite(document, originals ?? (changesAgain ? new Map() : undefined));
  }

  /** @throws JsonError; the draft must not be used afterwards */
  apply(operation: Operation): void {
    switch (operation.op) {
      case 'add':
      case 'replace':
        // Depth is checked only where a value is put, because the rest of the document is as deep as it was.
        // So a document that was stored deeper than the limit can still be tested and shortened, and its
        // scalars can change, but it gets no new nesting.
        if (isDeeperThan(this.limits.depth - operation.path.tokens.length, operation.value))
          throw this.#tooDeep(operation);
        this.#put(operation, operation.value);
        return;
      case 'remove':
        this.#remove(operation, operation.path);
        return;
      case 'move':
        this.#move(operation, operation.from);
        return;
      case 'copy':
        this.#copy(operation, operation.from);
        return;
      case 'test':
        this.#test(operation, operation.value);
    }
  }

  /** The patched document. */
  finish(): unknown {
    if (this.#movedDeeper.size > 0) this.#checkMoved(this.#tree.root, 0);
    return this.#tree.root;
  }

  /**
   * `replace` replaces the current value; every other operation puts the value as `add` does (RFC 6902 4.1).
   */
  #put(operation: Operation, value: unknown): void {
    const { op, path } = operation;
    const name = path.tokens.at(-1);
    if (name === undefined) {
      this.#tree.root = value;
      return;
    }
    const container = this.#requireContainer(operation, path);
    if (op === 'replace') {
      this.#existing(readChild(container, name), operation, path);
      replaceChild(container, name, value);
    } else if (!isArray(container)) {
      setMember(container, name, value);
    } else if (name === '-') {
      container.push(value);
    } else {
      const index = arrayIndex(name);
      if (index < 0 || index > container.length) throw absent(operation, path, this.#tree.root);
      this.#shift(container.length - index, operation, path);
      container.splice(index, 0, value);
    }
  }

  #remove(operation: Operation, pointer: JsonPointer): void {
    const name = pointer.tokens.at(-1);
    if (name === undefined) {
      this.#tree.root = undefined;
      return;
    }
    const container = this.#requireContainer(operation, pointer);
    this.#existing(readChild(container, name), operation, pointer);
    if (isArray(container)) {
      const index = Number(name);
      this.#shift(container.length - 1 - index, operation, pointer);
      container.splice(index, 1);
    } else {
      Reflect.deleteProperty(container, name);
    }
  }

  /** Counts the array elements that an insertion or a removal shifts, before it happens. */
  #shift(elements: number, operation: Operation, pointer: JsonPointer): void {
    this.#shiftedElements += elements;
    if (this.#shiftedElements <= maxShifted) return;
    const predicate =
      `exceeds the shift limit: insertions and removals in one patch can shift ` +
      `up to ${maxShifted} array elements. Work at the end of long arrays, or split the patch`;
    throw operationError('limit-shifted', operation.index, predicate, pointer.text);
  }

  /** RFC 6902 4.4: a `remove` at `from`, immediately followed by an `add` of the removed value. */
  #move(operation: Operation, from: JsonPointer): void {
    const { path } = operation;
    const value = this.#valueAt(operation, from);
    if (from.text === path.text) return;
    this.#remove(operation, from);
    this.#put(operation, value);
    if (isContainer(value) && path.tokens.length > from.tokens.length)
      this.#movedDeeper.set(value, operation);
  }

  /** The copy shares the value in memory, but its bytes count, because a store writes them twice. */
  #copy(operation: Operation, from: JsonPointer): void {
    const { bytes: maxCopied, depth } = this.limits;
    const value = this.#valueAt(operation, from);
    const bytes = jsonBytes(value, maxCopied - this.#copiedBytes, depth - operation.path.tokens.length);
    if (bytes === Infinity) throw this.#tooDeep(operation);
    this.#copiedBytes += bytes;
    if (this.#copiedBytes > maxCopied) {
      const predicate =
        `exceeds the copy limit: one patch can copy up to ${maxCopied} bytes. ` +
        'Copy less, or split the patch';
      throw operationError('limit-copied', operation.index, predicate, from.text);
    }
    this.#tree.share(value);
    this.#put(operation, value);
  }

  #test(operation: Operation, value: unknown): void {
    const { path } = operation;
    if (isEqualJson(valueAt(this.#tree.root, path.tokens), value)) return;
    const predicate = `failed its test: the value is different or does not exist. ${getAgain}`;
    throw operationError('patch-test-failed', operation.index, predicate, path.text);
  }

  #valueAt(operation: Operation, pointer: JsonPointer): unknown {
    return this.#existing(valueAt(this.#tree.root, pointer.tokens), operation, pointer);
  }

  #requireContainer(operation: Operation, pointer: JsonPointer): JsonContainer {
    return this.#existing(this.#tree.copyContainer(pointer.tokens), operation, pointer);
  }

  /** Asserts that the pointer of an operation leads to a value. */
  #existing<V>(value: V | undefined, operation: Operation, pointer: JsonPointer): V {
    if (value === undefined) throw absent(operation, pointer, this.#tree.root);
    return value;
  }

  /**
   * Checks the depth of all moved values once, at the end. Each is walked only once, however often it was
   * moved, so moves cannot cost more than the size of the document.
   */
  #checkMoved(value: unknown, level: number): void {
    if (!isContainer(value)) return;
    const move = this.#findMove(value);
    if (move !== undefined) {
      if (isDeeperThan(this.limits.depth - level, value)) throw this.#tooDeep(move);
    } else if (this.#tree.findOriginal(value) !== undefined) {
      for (const child of childValues(value)) this.#checkMoved(child, level + 1);
    }
  }

  /** The operation that moved the container, or the original of this copy, to a deeper level. */
  #findMove(container: object): Operation | undefined {
    let moved: object | undefined = container;
    while (moved !== undefined && !this.#movedDeeper.has(moved)) moved = this.#tree.findOriginal(moved);
    return moved && this.#movedDeeper.get(moved);
  }

  #tooDeep({ index, path }: Operation): JsonError {
    const predicate = `makes the result nest deeper than ${this.limits.depth} levels. Send a flatter value`;
    return operationError('limit-depth', index, predicate, path.text);
  }
}

/** Created on first use, because not every runtime has it. */
let utf8: InstanceType<typeof TextEncoder> | undefined;

/**
 * The size of the value as JSON, in bytes of UTF-8. Any number over `limit` means that it is larger; Infinity
 * means that it nests deeper than `levels`. The walk stops at either limit.
 */
function jsonBytes(value: unknown, limit: number, levels: number): number {
  if (typeof value === 'string') {
    // Each UTF-16 code unit takes at least one byte, so a string that is too long need not be serialised.
    return value.length > limit
      ? value.length
      : (utf8 ??= new TextEncoder()).encode(JSON.stringify(value)).length;
  }
  if (!isContainer(value)) return String(value).length;
  if (levels < 1) return Infinity;
  // The brackets. Each child adds a comma, except the first.
  let bytes = 1;
  if (isArray(value)) {
    for (const child of value) {
      bytes += 1 + jsonBytes(child, limit - bytes, levels - 1);
      if (bytes > limit) return bytes;
    }
  } else {
    for (const name of Object.keys(value)) {
      bytes += 2 + jsonBytes(name, limit - bytes, levels);
      bytes += jsonBytes(value[name], limit - bytes, levels - 1);
      if (bytes > limit) return bytes;
    }
  }
  return Math.max(2, bytes);
}

const getAgain = 'GET the current resource and make a new patch from it';

/** The error of an operation whose pointer leads to no value of the document. */
function absent(operation: Operation, pointer: JsonPointer, document: unknown): JsonError {
  const { index, op, path } = operation;
  const predicate = whyAbsent(pointer, document, pointer === path ? op : 'from');
  return operationError('patch-conflict', index, predicate, pointer.text);
}

/** Names the first missing token and the remedy: another operation, or else to GET the resource. */
function whyAbsent({ text, tokens }: JsonPointer, document: unknown, op: Operation['op'] | 'from'): string {
  const last = tokens.length - 1;
  let parent = document;
  let at = 0;
  for (; at < last; at++) {
    const child = readChild(parent, tokens[at] ?? '');
    if (child === undefined) break;
    parent = child;
  }
  const token = tokens[at] ?? '';
  const setsValue = op !== 'remove' && op !== 'from';
  const setsLast = setsValue && at === last;
  const place = at === last ? '' : ` (${shownPlace(tokens.slice(0, at + 1))})`;

  if (isArray(parent)) {
    if (token === '-') {
      const advice = setsLast ? 'To append, use "add"' : 'Use the index of an element';
      return `uses "-"${place}, which is the position after the last element. ${advice}`;
    }
    if (arrayIndex(token) < 0) {
      const append = setsLast && op !== 'replace' ? ', or "-" to append' : '';
      return `uses an invalid array index${place}: it must be a number without leading zeros${append}`;
    }
    const advice = setsLast ? 'To append, use "add" with the index "-"' : getAgain;
    return `uses an array index beyond the end of the array${place}. ${advice}`;
  }
  if (!isContainer(parent)) {
    const kind = parent === null ? 'null' : `a ${typeof parent}`;
    const advice = setsValue ? 'Replace that with an object or an array first' : getAgain;
    return `refers to a path that does not exist: ${shownPlace(tokens.slice(0, at))} is ${kind}. ${advice}`;
  }
  if (text === '/') {
    return 'refers to the member with the empty name, which does not exist. The path of the whole document is ""';
  }
  if (setsLast)
    return 'refers to a member that does not exist. To set it whether or not it exists, use "add"';
  if (at === last) return `refers to a path that does not exist. ${getAgain}`;
  const missing = shownPlace(tokens.slice(0, at + 1));
  const advice = setsValue ? 'Add that first, as an object or an array' : getAgain;
  return `refers to a path that does not exist: ${missing} is missing. ${advice}`;
}

/** A long pointer is cut at its start, because its end names the missing token. */
function shownPlace(tokens: readonly string[]): string {
  const text = formatPointer(tokens);
  return quotedPointer(text.length > 100 ? `…${text.slice(-100)}` : text, 101);
}
