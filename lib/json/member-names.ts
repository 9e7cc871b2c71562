/** Up to this many names are compared one by one, which is faster than a Set. */
const few = 8;

/** The member names of one object, to detect duplicates. */
export class MemberNames {
  readonly #few: string[] = [];
  #all: Set<string> | undefined;

  /** @returns false if the name was added before */
  add(name: string): boolean {
    if (this.#all === undefined) {
      if (this.#few.includes(name)) return false;
      if (this.#few.length < few) {
        this.#few.push(name);
        return true;
      }
      this.#all = new Set(this.#few.map(hashed));
    }
    const size = this.#all.size;
    return this.#all.add(hashed(name)).size > size;
  }
}

/**
 * A string that V8 hashes by all of its characters, with a secret seed. It hashes array indices by their
 * value, so an attacker could choose some that all fall into one bucket of the Set. Names that begin with a
 * quotation mark get another one, to stay distinct.
 */
function hashed(name: string): string {
  return startsAsIndex.test(name) ? `"${name}` : name;
}

const startsAsIndex = /^[0-9"]/;
