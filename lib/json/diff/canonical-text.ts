import { isArray, isJsonObject } from '../value';

/** The value as JSON with sorted members, so that equal JSON values have the same text. */
function canonicalText(value: unknown): string {
  if (isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`).join(',')}}`;
}

/** Gives equal elements of arrays the same number, so that comparing them is cheap. */
export class ElementNumbers {
  readonly #numbers = new Map<string, number>();

  of(elements: readonly unknown[]): readonly number[] {
    return elements.map((element) => {
      const text = canonicalText(element);
      const number = this.#numbers.get(text) ?? this.#numbers.size;
      this.#numbers.set(text, number);
      return number;
    });
  }
}
