import { CopyOnWrite, replaceChild } from './copy-on-write';
import { operationError, type JsonPatchLimits, type Operation } from './operation';
import { arrayIndex, childOf, valueAt, type JsonPointer } from '../json/pointer';
import {
  childrenOf,
  isArray,
  isContainer,
  isDeeperThan,
  isEqualJson,
  jsonBytes,
  setMember,
  type JsonContainer,
} from '../json/value';
import type { PatchError, PatchErrorCode } from '../patch-error';

/**
 * A document while the operations of a JSON Patch are applied to it. Neither the document that came in is
 * written to, nor are the values that the patch brings: they are shared until a later operation writes into one.
 */
export class Draft {
  readonly #tree: CopyOnWrite;
  /** What was moved to a deeper place, and by which operation. */
  readonly #sunk = new Map<JsonContainer, Operation>();
  #copiedBytes = 0;
  #shiftedElements = 0;

  constructor(
    document: unknown,
    operations: readonly Operation[],
    private readonly limits: JsonPatchLimits,
  ) {
    // A move alone changes two places.
    this.#tree = new CopyOnWrite(document, operations.length > 1 || operations[0]?.op === 'move');
  }

  /** @throws PatchError, after which the draft is of no use */
  apply(operation: Operation): void {
    switch (operation.op) {
      case 'add':
      case 'replace':
        // How deep a result is shows where its parts are put: what the patch leaves alone is as deep as it was. What a
        // host has stored deeper than the limit can so be tested, removed and given other scalars, but nothing is
        // nested there anew.
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
    if (this.#sunk.size > 0) this.#refuseSunk(this.#tree.root, 0);
    return this.#tree.root;
  }

  /** Puts the value where `path` leads: `replace` in place of what is there, every other as `add` does (RFC 6902 4.1). */
  #put(operation: Operation, value: unknown): void {
    const { op, path } = operation;
    const name = path.tokens.at(-1);
    if (name === undefined) {
      this.#tree.root = value;
      return;
    }
    const container = this.#containerOf(operation, path);
    if (op === 'replace') {
      found(childOf(container, name), operation, path);
      replaceChild(container, name, value);
    } else if (!isArray(container)) {
      setMember(container, name, value);
    } else if (name === '-') {
      container.push(value);
    } else {
      const index = arrayIndex(name);
      if (index < 0) {
        const predicate = 'names an array element by what is no index: write digits, or "-" for the end';
        throw unfit('patch-conflict', operation, path, predicate);
      }
      if (index > container.length) {
        throw unfit('patch-conflict', operation, path, 'names an index beyond the end of the array');
      }
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
    const container = this.#containerOf(operation, pointer);
    found(childOf(container, name), operation, pointer);
    if (isArray(container)) {
      const index = Number(name);
      this.#shift(container.length - 1 - index, operation, pointer);
      container.splice(index, 1);
    } else {
      Reflect.deleteProperty(container, name);
    }
  }

  /** Counts the array elements that an insertion or a removal moves by one place, before it does. */
  #shift(elements: number, operation: Operation, pointer: JsonPointer): void {
    const { shifted } = this.limits;
    this.#shiftedElements += elements;
    if (this.#shiftedElements <= shifted) return;
    const predicate =
      `exceeds the shift limit: the insertions and removals of one patch may shift ${shifted} array elements. ` +
      'Work at the end of long arrays, or send the patch in parts';
    throw operationError('limit-shifted', operation.index, predicate, pointer.text);
  }

  /** RFC 6902 4.4: a `remove` at `from`, then at once an `add` of what was there. */
  #move(operation: Operation, from: JsonPointer): void {
    const { path } = operation;
    const value = this.#existing(operation, from);
    if (from.text === path.text) return;
    this.#remove(operation, from);
    this.#put(operation, value);
    if (isContainer(value) && path.tokens.length > from.tokens.length) this.#sunk.set(value, operation);
  }

  /** The value is shared; its bytes are counted all the same, for a store writes them out. */
  #copy(operation: Operation, from: JsonPointer): void {
    const { copied, depth } = this.limits;
    const value = this.#existing(operation, from);
    const bytes = jsonBytes(value, copied - this.#copiedBytes, depth - operation.path.tokens.length);
    if (bytes === Infinity) throw this.#tooDeep(operation);
    this.#copiedBytes += bytes;
    if (this.#copiedBytes > copied) {
      const predicate = `copies more than is left of the ${copied} bytes that one patch may copy: copy less`;
      throw operationError('limit-copied', operation.index, predicate, from.text);
    }
    this.#tree.share(value);
    this.#put(operation, value);
  }

  #test(operation: Operation, value: unknown): void {
    const { path } = operation;
    if (isEqualJson(valueAt(this.#tree.root, path.tokens), value)) return;
    throw unfit('patch-test-failed', operation, path, 'tests for a value that is not there');
  }

  #existing(operation: Operation, pointer: JsonPointer): unknown {
    return found(valueAt(this.#tree.root, pointer.tokens), operation, pointer);
  }

  #containerOf(operation: Operation, pointer: JsonPointer): JsonContainer {
    return found(this.#tree.containerOf(pointer.tokens), operation, pointer);
  }

  /**
   * Judges the moves, at the end and together: each moved value is walked once, whatever was moved up and down
   * before, so that moves cannot be made to cost more than the document is large.
   */
  #refuseSunk(value: unknown, level: number): void {
    if (!isContainer(value)) return;
    const move = this.#moverOf(value);
    if (move !== undefined) {
      if (isDeeperThan(this.limits.depth - level, value)) throw this.#tooDeep(move);
    } else if (this.#tree.originalOf(value) !== undefined) {
      for (const child of childrenOf(value)) this.#refuseSunk(child, level + 1);
    }
  }

  /** The operation that moved the container to a deeper place, or what it is a copy of. */
  #moverOf(container: JsonContainer): Operation | undefined {
    let moved: JsonContainer | undefined = container;
    while (moved !== undefined && !this.#sunk.has(moved)) moved = this.#tree.originalOf(moved);
    return moved && this.#sunk.get(moved);
  }

  #tooDeep({ index, path }: Operation): PatchError {
    const predicate = `nests the result deeper than ${this.limits.depth} levels`;
    return operationError('limit-depth', index, predicate, path.text);
  }
}

/** What the pointer of an operation led to, which has to be something. */
function found<V>(value: V | undefined, operation: Operation, pointer: JsonPointer): V {
  if (value === undefined)
    throw unfit('patch-conflict', operation, pointer, 'names a place that is not there');
  return value;
}

/** The error of an operation that does not fit the present value: the patch itself is no reason for it. */
function unfit(
  code: PatchErrorCode,
  { index }: Operation,
  { text }: JsonPointer,
  predicate: string,
): PatchError {
  const advice = 'GET the resource, and write the patch for what it is now';
  return operationError(code, index, `${predicate}. ${advice}`, text);
}
