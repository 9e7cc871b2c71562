import { formatPointer, valueAt } from '../json/pointer';
import { isArray, isJsonObject, type JsonObject, ownMember } from '../json/value';
import type { InvalidMember } from '../stores/contract/invalid-result';
import { isCast, isPlain, isSame, isStorableName, toJson } from './stored-value';

/** A path that was set. */
interface Assignment {
  readonly tokens: readonly string[];
  readonly sent: unknown;
  readonly read: () => unknown;
  /** Whether it held something that JSON does not have, such as a Date. */
  readonly wasTyped: boolean;
}

/** One text for all, so that it does not tell whether a hidden member is there. */
export const notWritable = 'is read-only, unknown, or not shown as it is stored';

/** What was set of a document, and what is wrong with it. */
export class Assignments {
  readonly faults: InvalidMember[] = [];
  readonly #list: Assignment[] = [];
  readonly #paths = new Set<string>();

  add(assignment: Assignment): void {
    this.#list.push(assignment);
    this.touch(assignment.tokens);
  }

  /** Notes that a path was set that is not shown, so that there is nothing to compare. */
  touch(tokens: readonly string[]): void {
    this.#paths.add(tokens.join('.'));
  }

  fault(tokens: readonly string[], detail: string): void {
    this.faults.push({ pointer: formatPointer(tokens), detail });
  }

  /**
   * Compares what is shown of the document, now that it is changed, with what is stored and what was sent:
   * getters, transforms and setters are asked, not foreseen.
   */
  verify(shown: unknown): void {
    for (const { tokens, sent, read, wasTyped } of this.#list) {
      const [stored, seen] = [read(), valueAt(shown, tokens)];
      const isKept = wasTyped && isPlain(stored) && (sent ?? null) !== null;
      if (isKept || !isSame(toJson(stored), seen)) this.fault(tokens, notWritable);
      else if (sent !== undefined) this.#compare(sent, seen, tokens);
    }
  }

  /** Whether a path, as Mongoose writes it, or one above it, was set. */
  touches(path: string): boolean {
    const names = path.split('.');
    return names.some((_, i) => this.#paths.has(names.slice(0, i + 1).join('.')));
  }

  /** Whether MongoDB and Mongoose take all names and texts in a value; what they do not take becomes a fault. */
  isStorable(value: unknown, tokens: readonly string[]): boolean {
    if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) {
      this.fault(tokens, 'has a lone surrogate, which MongoDB cannot store');
      return false;
    }
    if (isArray(value)) return value.every((element, i) => this.isStorable(element, [...tokens, String(i)]));
    if (!isJsonObject(value)) return true;
    return Object.entries(value).every(([name, inner]) => {
      const at = [...tokens, name];
      if (isStorableName(name)) return this.isStorable(inner, at);
      this.fault(at, 'has a name that MongoDB or Mongoose reserves');
      return false;
    });
  }

  /** A scalar can become another one, by a cast or a setter. All names and elements that were sent must be there. */
  #compare(sent: unknown, seen: unknown, tokens: readonly string[]): void {
    if (isArray(sent) && isArray(seen) && sent.length === seen.length) {
      sent.forEach((element, i) => {
        this.#compare(element, seen[i], [...tokens, String(i)]);
      });
    } else if (isJsonObject(sent) && (isJsonObject(seen) || Object.keys(sent).length === 0)) {
      for (const name of Object.keys(sent))
        this.#compare(sent[name], ownMember(Object(seen) as JsonObject, name), [...tokens, name]);
    } else if (!isCast(sent, seen)) this.fault(tokens, 'would be stored as another value');
  }
}
