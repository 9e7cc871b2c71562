import { formatPointer, valueAt } from '../json/pointer';
import { isArray, isEqualJson, isJsonObject, type JsonObject, ownMember } from '../json/value';
import type { InvalidMember } from '../stores/contract/invalid-result';
import type { Document, DocumentList, SchemaPath } from './model';
import type { MongooseSettings } from './options';
import { hasUnselected, isKeptByMongoose } from './paths';
import { isCastOf, isPlain, isSame, isStorableName, readStored, toJson } from './stored-value';

/** Where the members of an object are stored: in a document or subdocument, under paths with this prefix. */
interface Place {
  readonly doc: Document;
  readonly prefix: string;
  /** The same in the whole document, without places in lists: as the options name it. */
  readonly option: string;
  /** The reference tokens of the object in the new value. */
  readonly tokens: readonly string[];
}

/** One member at its place. */
interface Member {
  readonly place: Place;
  readonly path: string;
  readonly tokens: readonly string[];
  readonly old: unknown;
  readonly next: unknown;
}

/** A path that was set. */
interface Assignment {
  readonly tokens: readonly string[];
  readonly sent: unknown;
  readonly read: () => unknown;
  /** Whether it held something that JSON does not have, such as a Date. */
  readonly wasTyped: boolean;
}

/** One text for all, so that it does not tell whether a hidden member is there. */
const notWritable = 'is read-only, unknown, or not shown as it is stored';

const hasHiddenElements =
  'has members that are not loaded: move, add, remove and change its elements in separate requests';

/**
 * Sets the paths of a document that differ between two values, and nothing else, so that everything else
 * keeps its BSON. What cannot be set becomes a fault.
 */
export class DocumentChanges {
  readonly faults: InvalidMember[] = [];
  readonly #settings: MongooseSettings;
  readonly #assignments: Assignment[] = [];

  constructor(settings: MongooseSettings) {
    this.#settings = settings;
  }

  set(doc: Document, old: unknown, next: unknown): void {
    this.#setInside({ doc, prefix: '', option: '', tokens: [] }, old, next);
  }

  /**
   * Compares what is shown of the document, now that it is changed, with what is stored and what was sent:
   * getters, transforms and setters are asked, not foreseen.
   */
  verify(shown: unknown): void {
    for (const { tokens, sent, read, wasTyped } of this.#assignments) {
      const [stored, seen] = [read(), valueAt(shown, tokens)];
      const isKept = wasTyped && isPlain(stored) && (sent ?? null) !== null;
      if (isKept || !isSame(toJson(stored), seen)) this.#fault(tokens, notWritable);
      else if (sent !== undefined) this.#compare(sent, seen, tokens);
    }
  }

  /** Whether a path, as Mongoose writes it, was set, or is above or below one that was. */
  touches(path: string): boolean {
    const names = path.split('.');
    return this.#assignments.some(({ tokens }) =>
      names.slice(0, tokens.length).every((name, index) => name === tokens[index]),
    );
  }

  #setMembers(place: Place, old: JsonObject, next: JsonObject, set: (member: Member) => void): void {
    for (const name of new Set([...Object.keys(old), ...Object.keys(next)])) {
      const member = {
        place,
        path: place.prefix + name,
        tokens: [...place.tokens, name],
        old: ownMember(old, name),
        next: ownMember(next, name),
      };
      if (isEqualJson(member.old, member.next)) continue;
      if (isStorableName(name)) set(member);
      else this.#fault(member.tokens, 'has a name that MongoDB or Mongoose reserves');
    }
  }

  #setMember(member: Member): void {
    const { place, path, tokens, next } = member;
    const { schema, isNew } = place.doc;
    const option = place.option + path.slice(place.prefix.length);
    if (this.#settings.writeOnly.has(option)) {
      if (next !== undefined) this.#assignUnseen(member);
      return;
    }
    if (schema.pathType(path) === 'nested') {
      this.#setInside({ ...place, prefix: `${path}.`, option: `${option}.`, tokens }, member.old, next);
      return;
    }
    const type = Object.hasOwn(schema.paths, path) ? schema.paths[path] : undefined;
    const { select, immutable } = type?.options ?? {};
    const isClosed = (Boolean(immutable) && !isNew) || select === false || isKeptByMongoose(schema, path);
    if (type === undefined || isClosed || this.#settings.readOnly.has(option)) {
      if (next !== undefined) this.#fault(tokens, notWritable);
    } else if (type.schema !== undefined) {
      if (type.instance === 'Embedded') this.#setSubdocument(member, type, `${option}.`);
      else this.#setElements(member, type, `${option}.`);
    } else if (type.instance === 'Array') this.#setList(member, type);
    else if (type.instance === 'Map') this.#setMap(member, type);
    else if (type.instance === 'Mixed') this.#setMixed(member, type);
    else this.#assign(member, type);
  }

  #setInside(place: Place, old: unknown, next: unknown = {}): void {
    if (isJsonObject(next)) {
      this.#setMembers(place, isJsonObject(old) ? old : {}, next, (member) => {
        this.#setMember(member);
      });
    } else this.#fault(place.tokens, 'must be an object');
  }

  #setSubdocument(member: Member, type: SchemaPath, option: string): void {
    const { place, path, tokens, old, next } = member;
    const isThere = (place.doc.get(path) ?? null) !== null;
    if ((next ?? null) === null) {
      this.#assign(member, type, false);
    } else if (isThere && !isJsonObject(old)) {
      this.#fault(tokens, notWritable);
    } else {
      if (!isThere) place.doc.set(path, {});
      this.#setInside({ doc: place.doc.get(path) as Document, prefix: '', option, tokens }, old, next);
    }
  }

  #setElements(member: Member, type: SchemaPath, option: string): void {
    const { place, path, tokens, next } = member;
    if ((next ?? null) === null) {
      this.#assign(member, type, false);
    } else if (isArray(next)) {
      if ((place.doc.get(path) ?? null) === null) place.doc.set(path, []);
      this.#matchElements(member, place.doc.get(path) as DocumentList<Document>, next, option);
    } else this.#fault(tokens, 'must be a list');
  }

  /** Elements with an id are found by it; others are those at the same place, if all of the list is shown. */
  #matchElements(
    { place, path, tokens, old }: Member,
    list: DocumentList<Document>,
    next: readonly unknown[],
    option: string,
  ): void {
    const before = isArray(old) ? old : [];
    const ids = list.map((element) => readId(element));
    const haveIds = before.length === list.length && before.every((shown, i) => readId(shown) === ids[i]);
    const isShown =
      (haveIds && !ids.includes(undefined)) || isSame(toJson(readStored(place.doc, path)), before);
    if (!isShown) this.#fault(tokens, notWritable);
    const places = next.map((element, i) => this.#findPlace(element, i, ids, [...tokens, String(i)]));
    if (!isShown || places.includes(undefined)) return;
    const isEdited = places.some((at = -1, i) => at >= 0 && !isEqualJson(next[i], before[at]));
    const plan = planElements(places as number[], list.length, isEdited, haveIds);
    if (plan === 'rewrite' && list.some(({ schema }) => hasUnselected(schema))) {
      this.#fault(tokens, hasHiddenElements);
      return;
    }
    const elements = places.map((at) => list[at ?? -1] ?? ({} as Document));
    if (plan === 'pull') list.pull(...list.filter((_, i) => !places.includes(i)));
    else if (plan === 'rewrite') list.splice(0, list.length, ...elements);
    else if (elements.length > list.length) list.push(...elements.slice(list.length));
    next.forEach((element, i) => {
      const inside = { doc: list[i] as Document, prefix: '', option, tokens: [...tokens, String(i)] };
      this.#setInside(inside, before[places[i] ?? -1], element);
    });
  }

  /** The place of the element that a new one changes: -1 if it is to be added, undefined if it is a fault. */
  #findPlace(
    element: unknown,
    index: number,
    ids: (string | undefined)[],
    tokens: readonly string[],
  ): number | undefined {
    if (!isJsonObject(element)) {
      this.#fault(tokens, 'must be an object');
      return undefined;
    }
    const id = readId(element);
    if (id === undefined) return ids[index] === undefined && index < ids.length ? index : -1;
    const place = ids.indexOf(id);
    // Each id is taken once.
    if (place >= 0) ids[place] = '';
    else this.#fault([...tokens, '_id'], 'is not the id of an element, or stands twice: leave it out');
    return place >= 0 ? place : undefined;
  }

  /** By place: elements that stay keep their BSON, unless the list changes its length before its end. */
  #setList(member: Member, type: SchemaPath): void {
    const { place, path, tokens, old, next } = member;
    const list = place.doc.get(path) as DocumentList<unknown> | null | undefined;
    const stored = readStored(place.doc, path);
    if (!isArray(next) || !isArray(old) || !isArray(stored) || !isArray(list)) {
      this.#assign(member, type);
    } else if (!isSame(toJson(stored), old)) {
      this.#fault(tokens, notWritable);
    } else {
      const added = next.map((element) => (old.some((one) => isEqualJson(one, element)) ? null : element));
      if (!this.#isStorable(added, tokens)) return;
      this.#expect(member, undefined);
      if (next.length >= old.length && old.every((element, i) => isEqualJson(element, next[i]))) {
        list.push(...next.slice(old.length));
      } else if (next.length === old.length) {
        for (const [i, element] of next.entries()) {
          if (isEqualJson(element, old[i])) continue;
          const at = { ...member, path: `${path}.${i}`, tokens: [...tokens, String(i)], next: element };
          this.#expect(at, stored[i]);
          list.set(i, element);
        }
      } else place.doc.set(path, takeStored(next, stored));
    }
  }

  #setMap(member: Member, type: SchemaPath): void {
    const { place, path, tokens, old, next } = member;
    const { schema, instance } = type.$__schemaType ?? {};
    if (schema !== undefined || instance === 'Array') this.#fault(tokens, notWritable);
    else if (isJsonObject(old) && isJsonObject(next)) {
      this.#setMembers({ ...place, prefix: `${path}.`, tokens }, old, next, (value) => {
        this.#setMixed(value);
      });
    } else this.#assign(member, type);
  }

  /** Of an object without a schema, the members that differ. */
  #setMixed(member: Member, type?: SchemaPath): void {
    const { place, path, tokens, old, next } = member;
    if (isJsonObject(old) && isJsonObject(next) && Object.keys(next).length > 0) {
      this.#setMembers({ ...place, prefix: `${path}.`, tokens }, old, next, (inner) => {
        this.#setMixed(inner);
      });
    } else this.#assign(member, type);
  }

  /** @param mustBeShown - whether what is stored now must be what is shown */
  #assign(member: Member, type?: SchemaPath, mustBeShown = true): void {
    const { place, path, tokens, old, next } = member;
    const stored = readStored(place.doc, path);
    if (mustBeShown && !isSame(toJson(stored), old)) {
      this.#fault(tokens, notWritable);
    } else if (this.#isStorable(next, tokens)) {
      this.#expect(member, stored);
      place.doc.set(path, next === undefined ? type?.getDefault(place.doc, false) : next);
    }
  }

  #assignUnseen({ place, path, tokens, next }: Member): void {
    if (!this.#isStorable(next, tokens)) return;
    this.#assignments.push({ tokens, sent: undefined, read: () => undefined, wasTyped: false });
    place.doc.set(path, next);
  }

  #expect({ place, path, tokens, next }: Member, stored: unknown): void {
    const read = () => readStored(place.doc, path);
    this.#assignments.push({ tokens, sent: next, read, wasTyped: !isPlain(stored) });
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
    } else if (!isCastOf(sent, seen)) this.#fault(tokens, `would be stored as another value`);
  }

  #isStorable(value: unknown, tokens: readonly string[]): boolean {
    if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) {
      this.#fault(tokens, 'has a lone surrogate, which MongoDB cannot store');
      return false;
    }
    if (isArray(value)) return value.every((element, i) => this.#isStorable(element, [...tokens, String(i)]));
    if (!isJsonObject(value)) return true;
    return Object.entries(value).every(([name, inner]) => {
      const at = [...tokens, name];
      if (isStorableName(name)) return this.#isStorable(inner, at);
      this.#fault(at, 'has a name that MongoDB or Mongoose reserves');
      return false;
    });
  }

  #fault(tokens: readonly string[], detail: string): void {
    this.faults.push({ pointer: formatPointer(tokens), detail });
  }
}

/** Of an element as it is stored, or shown. */
function readId(element: unknown): string | undefined {
  const id = Reflect.get(Object(element) as object, '_id') as { toString: () => string } | null | undefined;
  return id?.toString();
}

/** What is stored of the elements that a list keeps, wherever they stand now. */
function takeStored(next: readonly unknown[], stored: readonly unknown[]): readonly unknown[] {
  const rest = stored.map((element) => ({ element, json: toJson(element) }));
  return next.map((element) => {
    const at = rest.findIndex(({ json }) => isEqualJson(json, element));
    return at < 0 ? element : rest.splice(at, 1)[0]?.element;
  });
}

/**
 * How the elements of a list come to these places. What is pulled or pushed, or changed where it is, leaves
 * the other elements as they are in the database; everything else writes the list anew.
 *
 * @param places - where each element was; -1 for a new one
 * @param length - how many there were
 */
function planElements(
  places: readonly number[],
  length: number,
  isEdited: boolean,
  haveIds: boolean,
): 'in place' | 'pull' | 'rewrite' {
  const kept = places.filter((at) => at >= 0);
  const [isLonger, isShorter] = [kept.length < places.length, kept.length < length];
  const isInOrder = kept.every((at, i) => at === places[i] && at > (kept[i - 1] ?? -1));
  if (isInOrder && !isShorter && !(isLonger && isEdited)) return 'in place';
  return isInOrder && haveIds && !isLonger && !isEdited ? 'pull' : 'rewrite';
}
