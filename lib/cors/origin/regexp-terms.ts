/**
 * A part of a RegExp that matches characters, with its quantifier. Assertions and lookarounds match none, and
 * are left out.
 */
export interface Term {
  /** Where it stands in the source, from `start` to `end`; its quantifier begins at `quantifier`. */
  readonly start: number;
  readonly quantifier: number;
  readonly end: number;
  readonly min: number;
  readonly max: number;
  /** The alternatives of a group; undefined for a single character, an escape or a character class. */
  readonly alternatives: readonly (readonly Term[])[] | undefined;
}

/** The alternatives of a RegExp, each a list of terms. */
export function readTerms({ source, flags }: Pick<RegExp, 'source' | 'flags'>): readonly (readonly Term[])[] {
  return new TermReader(source, flags.includes('v')).alternatives();
}

/** ECMA-262 22.2.1. The source is that of a RegExp, so its syntax is valid. */
class TermReader {
  #at = 0;

  constructor(
    private readonly source: string,
    private readonly nestsClasses: boolean,
  ) {}

  alternatives(): Term[][] {
    let terms: Term[] = [];
    const all = [terms];
    while (this.#at < this.source.length && this.source[this.#at] !== ')') {
      if (this.#read(/\|/y) !== undefined) all.push((terms = []));
      else terms.push(...this.#term());
    }
    return all;
  }

  /** One term, or none for an assertion. */
  #term(): Term[] {
    const start = this.#at;
    let alternatives: Term[][] | undefined;
    let isAssertion = this.#read(/\^|\$|\\b/iy) !== undefined;
    const opening = isAssertion ? undefined : this.#read(/\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?/iy);
    if (opening !== undefined) {
      isAssertion = /[=!]$/.test(opening);
      alternatives = this.alternatives();
      this.#read(/\)/y);
    } else if (!isAssertion) this.#skipSet();
    const quantifier = this.#at;
    const [min, max] = this.#bounds();
    return isAssertion ? [] : [{ start, quantifier, end: this.#at, min, max, alternatives }];
  }

  /** A character class, an escape or a character. */
  #skipSet(): void {
    if (this.#read(/\[/y) === undefined) {
      this.#read(/\\(?:x[\da-f]{2}|u\{[^}]*\}|u[\da-f]{4}|c[a-z]|p\{[^}]*\}|k<[^>]*>|\d+|[^])|[^]/iy);
      return;
    }
    for (let depth = 1; depth > 0 && this.#at < this.source.length;) {
      const read = this.#read(/\\?[^]/y);
      if (read === ']') depth--;
      else if (read === '[' && this.nestsClasses) depth++;
    }
  }

  #bounds(): readonly [min: number, max: number] {
    const quantifier = this.#read(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (quantifier === undefined) return [1, 1];
    if (quantifier.startsWith('*')) return [0, Infinity];
    if (quantifier.startsWith('+')) return [1, Infinity];
    if (quantifier.startsWith('?')) return [0, 1];
    const [, min, comma, max] = /(\d+)(,?)(\d*)/.exec(quantifier) ?? [];
    return [Number(min), comma === '' ? Number(min) : max === '' ? Infinity : Number(max)];
  }

  #read(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [text] = pattern.exec(this.source) ?? [];
    this.#at += text?.length ?? 0;
    return text;
  }
}
