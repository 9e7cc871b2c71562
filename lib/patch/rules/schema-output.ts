import { PatchError } from '../formats/patch-error';
import { formatPointer, readChild } from '../../json/pointer';
import {
  changeMembers,
  differingNames,
  isArray,
  isContainer,
  isEqualJson,
  isJsonObject,
  ownMember,
  setMember,
  type JsonContainer,
  type JsonObject,
} from '../../json/value';
import { invalidResult } from '../../stores/contract/invalid-result';
import { NotJsonError } from '../../json/app-json';
import { sayNotJson, toJsonForm } from '../../json/to-json';

/** The result of a patch, and the output of the schema for it. */
export interface JudgedResult {
  /** The value that the patch was applied to; undefined if all of the result counts as sent. */
  readonly before: unknown;
  readonly result: unknown;
  readonly output: unknown;
  /** The containers of the result that are edited copies, each with its original. */
  readonly originals: ReadonlyMap<object, object>;
  /** Whether the schema must not change the member at this path, or a part of it. */
  readonly keeps: (path: readonly string[]) => 'whole' | 'part' | undefined;
  /** The deepest nesting that may be stored, in levels. */
  readonly depth: number;
}

/**
 * The result as JSON, with the output of the schema for the members that the patch has changed.
 *
 * Objects are compared by their members, so a default fills only what is inside a member that was sent. In a
 * list that the patch has edited, untouched elements stay; in any other new list, each element counts as
 * sent. If the schema has made a list longer or shorter, its whole list is taken.
 *
 * @throws ProblemError 422 if the output lacks a member that was sent, because the schema strips it; 413 if
 *   it nests too deep
 * @throws TypeError for an output that is not JSON, or is of another kind than the result
 */
export function takeOutput(judged: JudgedResult): unknown {
  return new OutputTaker(judged).take();
}

const subject = 'The output of the schema of the option validate';

/** The maximum number of missing members in a problem document. */
const maxMissing = 20;

class OutputTaker {
  readonly #path: string[] = [];
  readonly #missing: string[] = [];
  #missingCount = 0;

  constructor(private readonly judged: JudgedResult) {}

  take(): unknown {
    const { before, result, output } = this.judged;
    const json = this.#toJson(output);
    if (readKind(json) !== readKind(result)) {
      throw new TypeError(
        `The schema of the option validate turned ${readKind(result)} into ${readKind(json)}, ` +
          'so it would refuse the stored value. Let it return a value of the same kind.',
      );
    }
    const next =
      before === undefined ? this.#takeSent(result, json) : this.#takeChanged(before, result, json);
    if (this.#missingCount === 0) return next;
    const shown = this.#missing.map((pointer) => ({ pointer, detail: 'unknown member' }));
    throw invalidResult({ length: this.#missingCount, [Symbol.iterator]: () => shown.values() });
  }

  #takeChanged(before: unknown, result: unknown, output: unknown): unknown {
    if (result === before) return result;
    if (isArray(before) && isArray(result)) return this.#takeList(before, result, output);
    if (!isJsonObject(before) || !isJsonObject(result)) return this.#takeSent(result, output);
    const json = this.#toJson(output);
    return this.#mapMembers(result, differingNames(before, result), (member, name) =>
      Object.hasOwn(before, name)
        ? this.#takeChanged(before[name], member, readChild(json, name))
        : this.#takeSent(member, readChild(json, name)),
    );
  }

  #takeList(before: readonly unknown[], result: readonly unknown[], output: unknown): unknown {
    if (isEqualJson(result, before)) return result;
    const json = this.#toJson(output);
    if (!isArray(json) || json.length !== result.length) return this.#takeSent(result, json);
    const isEdited = this.#findOriginal(result, (original) => original === before) !== undefined;
    const { start, end } = differingRun(before, result);
    const stored = new Set(before.slice(start, before.length - (result.length - end)));
    return this.#mapElements(result, json, (element, index) => {
      const isStored = index < start || index >= end || stored.has(element);
      // A container is the same object only if the patch did not touch it, but a scalar in a list that was
      // sent can be equal by chance.
      if (isStored && (isEdited || isContainer(element))) return element;
      const original = this.#findOriginal(element, (candidate) => stored.has(candidate));
      return original === undefined
        ? this.#takeSent(element, json[index])
        : this.#takeChanged(original, element, json[index]);
    });
  }

  /** The original of a copied container, through several copies if need be. */
  #findOriginal(copy: unknown, isWanted: (original: object) => boolean): object | undefined {
    let original = isContainer(copy) ? this.judged.originals.get(copy) : undefined;
    while (original !== undefined && !isWanted(original)) original = this.judged.originals.get(original);
    return original;
  }

  #takeSent(sent: unknown, output: unknown): unknown {
    const json = this.#toJson(output);
    if (json === sent) return sent;
    if (isArray(sent) && isArray(json) && sent.length === json.length)
      return this.#mapElements(sent, json, (element, index) => this.#takeSent(element, json[index]));
    if (isJsonObject(sent) && isJsonObject(json)) {
      const members = this.#mapMembers(sent, differingNames(sent, json), (member, name) =>
        this.#takeSent(member, ownMember(json, name)),
      );
      return this.#addDefaults(members, json);
    }
    const keptPart = this.judged.keeps(this.#path);
    if (keptPart === 'whole') return sent;
    if (keptPart === 'part' && isContainer(sent))
      return this.#mapChildren(sent, (child, token) => this.#takeSent(child, readChild(json, token)));
    // Otherwise the schema would overwrite the part that must stay.
    const isTaken = json !== undefined && !(keptPart === 'part' && isContainer(json));
    if (isTaken) return this.#takeWhole(json);
    this.#missingCount += 1;
    if (this.#missing.length < maxMissing) this.#missing.push(formatPointer(this.#path));
    return sent;
  }

  #addDefaults(members: JsonObject, json: JsonObject): JsonObject {
    const added: JsonObject = {};
    for (const name of Object.keys(json)) {
      if (Object.hasOwn(members, name)) continue;
      const value = this.#at(name, () =>
        this.judged.keeps(this.#path) === undefined ? this.#takeWhole(this.#toJson(json[name])) : undefined,
      );
      if (value !== undefined) setMember(added, name, value);
    }
    return Object.keys(added).length === 0 ? members : { ...members, ...added };
  }

  /** The output of the schema, as it would come back from its JSON text. */
  #takeWhole(json: unknown): unknown {
    if (!isContainer(json)) return json;
    const { depth } = this.judged;
    if (this.#path.length >= depth) {
      const detail = `The result would nest deeper than ${depth} levels. Send a flatter value.`;
      throw new PatchError('limit-depth', detail);
    }
    const takeChild = (child: unknown) => this.#takeWhole(this.#toJson(child));
    if (isArray(json)) {
      return Array.from(json, (element, index) =>
        this.#at(String(index), () => {
          if (element === undefined) throw this.#notJson('undefined');
          return takeChild(element);
        }),
      );
    }
    const members: JsonObject = {};
    for (const name of Object.keys(json)) {
      const member = this.#at(name, () => takeChild(json[name]));
      if (member !== undefined) setMember(members, name, member);
    }
    return members;
  }

  /** The JSON form of a value. Its members are not converted. */
  #toJson(value: unknown): unknown {
    return toJsonForm(value, this.#path.at(-1) ?? '', (what) => this.#notJson(what));
  }

  #notJson(what: string): NotJsonError {
    const pointer = formatPointer(this.#path);
    return new NotJsonError(sayNotJson(subject, what, pointer), { pointer });
  }

  #mapChildren(container: JsonContainer, take: (child: unknown, token: string) => unknown): unknown {
    return isArray(container)
      ? this.#mapElements(container, [], (element, index) => take(element, String(index)))
      : this.#mapMembers(container, Object.keys(container), take);
  }

  /** Copies the list only if an element is replaced; #mapMembers does the same for objects. */
  #mapElements(
    list: readonly unknown[],
    json: readonly unknown[],
    take: (element: unknown, index: number) => unknown,
  ): unknown {
    let copy: unknown[] | undefined;
    for (let index = 0; index < list.length; index++) {
      const element = list[index];
      // Most elements of an output are the elements that the schema received.
      if (element === json[index]) continue;
      const next = this.#at(String(index), () => take(element, index));
      if (next !== element) (copy ??= [...list])[index] = next;
    }
    return copy ?? list;
  }

  #mapMembers(
    object: JsonObject,
    names: readonly string[],
    take: (member: unknown, name: string) => unknown,
  ): JsonObject {
    return changeMembers(object, names, (name, member) =>
      member === undefined ? undefined : this.#at(name, () => take(member, name)),
    );
  }

  #at<R>(token: string, run: () => R): R {
    this.#path.push(token);
    const result = run();
    this.#path.pop();
    return result;
  }
}

/** The range of the second list in which the two differ: from `start` up to `end`. */
function differingRun(before: readonly unknown[], after: readonly unknown[]) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = after.length;
  for (let at = before.length; at > start && end > start && before[at - 1] === after[end - 1]; at--) end--;
  return { start, end };
}

function readKind(value: unknown): string {
  return isArray(value) ? 'a list' : isContainer(value) ? 'an object' : 'a scalar';
}
