import { arrayIndex, childOf, valueAt } from './json-pointer';
import type { JsonPointer } from './json-pointer';
import { operationError } from './json-patch-operation';
import type { JsonPatchLimits, Operation } from './json-patch-operation';
import {
  childrenOf,
  isArray,
  isContainer,
  isDeeperThan,
  isEqualJson,
  jsonBytes,
  setMember,
} from './json-value';
import type { JsonContainer } from './json-value';
import type { PatchError } from './patch-error';

/**
 * A document while a JSON Patch is applied to it, copy-on-write: the containers on an operation's path are copied, each
 * at most once, and all others are shared with the document that came in, which is never written to. Nor are the
 * values that the patch brings: they are shared until a later operation writes into one.
 */
export class Draft {
  /** The containers that this draft has made; each hangs below others that it has made. */
  readonly #made = new Set<JsonContainer>();
  /** Those among them that `copy` has hung in a second place, and that so are not to be written to any more. */
  readonly #shared = new Set<JsonContainer>();
  /** What was moved to a deeper place, and by which operation. */
  readonly #sunk = new Map<JsonContainer, Operation>();
  #copiedBytes = 0;

  constructor(
    private root: unknown,
    private readonly limits: JsonPatchLimits,
  ) {}

  apply(operation: Operation): void {
    const { path } = operation;
    switch (operation.op) {
      case 'add':
        this.#refuseDepth(operation, path, operation.value);
        this.#add(operation, operation.value);
        return;
      case 'replace':
        this.#refuseDepth(operation, path, operation.value);
        this.#replace(operation, operation.value);
        return;
      case 'remove':
        this.#remove(operation, path);
        return;
      case 'move':
        this.#move(operation, operation.from);
        return;
      case 'copy':
        this.#copy(operation, operation.from);
        return;
      case 'test':
        if (!isEqualJson(valueAt(this.root, path.tokens), operation.value)) {
          throw operationError(
            'patch-test-failed',
            operation.index,
            'tests for a value that is not there',
            path,
          );
        }
    }
  }

  /** The patched document. */
  finish(): unknown {
    if (this.#sunk.size > 0) this.#refuseSunk(this.root, 0);
    return this.root;
  }

  #add(operation: Operation, value: unknown): void {
    const name = operation.path.tokens.at(-1);
    if (name === undefined) {
      this.root = value;
      return;
    }
    const container = this.#containerOf(operation, operation.path);
    if (!isArray(container)) {
      setMember(container, name, value);
    } else if (name === '-') {
      container.push(value);
    } else {
      container.splice(this.#indexUpTo(container.length, name, operation, operation.path), 0, value);
    }
  }

  #replace(operation: Operation, value: unknown): void {
    const { path } = operation;
    const name = path.tokens.at(-1);
    if (name === undefined) {
      this.root = value;
      return;
    }
    const container = this.#containerOf(operation, path);
    if (childOf(container, name) === undefined) throw missing(operation, path);
    setChild(container, name, value);
  }

  #remove(operation: Operation, pointer: JsonPointer): void {
    const name = pointer.tokens.at(-1);
    if (name === undefined) {
      this.root = undefined;
      return;
    }
    const container = this.#containerOf(operation, pointer);
    if (childOf(container, name) === undefined) throw missing(operation, pointer);
    if (isArray(container)) container.splice(Number(name), 1);
    else Reflect.deleteProperty(container, name);
  }

  /** RFC 6902 4.4: a `remove` at `from`, then at once an `add` of what was there. */
  #move(operation: Operation, from: JsonPointer): void {
    const value = this.#existing(operation, from);
    if (from.text === operation.path.text) return;
    this.#remove(operation, from);
    this.#add(operation, value);
    if (isContainer(value) && operation.path.tokens.length > from.tokens.length)
      this.#sunk.set(value, operation);
  }

  #copy(operation: Operation, from: JsonPointer): void {
    const value = this.#existing(operation, from);
    const bytes = jsonBytes(
      value,
      this.limits.copied - this.#copiedBytes,
      this.limits.depth - operation.path.tokens.length,
    );
    if (bytes === Infinity) throw this.#tooDeep(operation);
    this.#copiedBytes += bytes;
    if (this.#copiedBytes > this.limits.copied) {
      throw operationError(
        'limit-copied',
        operation.index,
        `copies more than is left of the ${this.limits.copied} bytes that one patch may copy`,
        from,
      );
    }
    this.#share(value);
    this.#add(operation, value);
  }

  #existing(operation: Operation, pointer: JsonPointer): unknown {
    const value = valueAt(this.root, pointer.tokens);
    if (value === undefined) throw missing(operation, pointer);
    return value;
  }

  /** The container that holds, or is to hold, what the pointer names: writable, and so is all above it. */
  #containerOf(operation: Operation, pointer: JsonPointer): JsonContainer {
    if (!isContainer(this.root)) throw missing(operation, pointer);
    let container = (this.root = this.#writable(this.root));
    for (const token of pointer.tokens.slice(0, -1)) {
      const child = childOf(container, token);
      if (!isContainer(child)) throw missing(operation, pointer);
      const writable = this.#writable(child);
      if (writable !== child) setChild(container, token, writable);
      container = writable;
    }
    return container;
  }

  #writable(container: JsonContainer): JsonContainer {
    if (this.#isOwn(container)) return container;
    // Not slice(), which V8 has no fast path for where the array is frozen, as MemoryStore's are.
    const copy = isArray(container) ? [...container] : { ...container };
    this.#made.add(copy);
    const move = this.#sunk.get(container);
    if (move !== undefined) this.#sunk.set(copy, move);
    return copy;
  }

  #isOwn(container: JsonContainer): boolean {
    return this.#made.has(container) && !this.#shared.has(container);
  }

  #share(value: unknown): void {
    if (!isContainer(value) || !this.#isOwn(value)) return;
    this.#shared.add(value);
    for (const child of childrenOf(value)) this.#share(child);
  }

  #indexUpTo(length: number, token: string, operation: Operation, pointer: JsonPointer): number {
    const index = arrayIndex(token);
    if (index >= 0 && index <= length) return index;
    throw operationError(
      'patch-conflict',
      operation.index,
      index < 0 ? 'names an array element by what is no index' : 'names an index beyond the end of the array',
      pointer,
    );
  }

  /**
   * How deep a result is shows where its parts are put: what the patch leaves alone is as deep as it was. What a host has
   * stored deeper than the limit can so be tested, removed and given other scalars, but nothing is nested there anew.
   */
  #refuseDepth(operation: Operation, path: JsonPointer, value: unknown): void {
    if (isDeeperThan(this.limits.depth - path.tokens.length, value)) throw this.#tooDeep(operation);
  }

  /**
   * Judges the moves, at the end and together: each moved value is walked once, whatever was moved up and down
   * before, so that moves cannot be made to cost more than the document is large.
   */
  #refuseSunk(value: unknown, level: number): void {
    if (!isContainer(value)) return;
    const move = this.#sunk.get(value);
    if (move !== undefined) {
      if (isDeeperThan(this.limits.depth - level, value)) throw this.#tooDeep(move);
    } else if (this.#made.has(value)) {
      for (const child of childrenOf(value)) this.#refuseSunk(child, level + 1);
    }
  }

  #tooDeep({ index, path }: Operation): PatchError {
    return operationError(
      'limit-depth',
      index,
      `nests the result deeper than ${this.limits.depth} levels`,
      path,
    );
  }
}

function setChild(container: JsonContainer, token: string, value: unknown): void {
  if (isArray(container)) container[Number(token)] = value;
  else setMember(container, token, value);
}

function missing({ index }: Operation, pointer: JsonPointer): PatchError {
  return operationError('patch-conflict', index, 'names a place that is not there', pointer);
}
