import { isArray, isEqualJson, isJsonObject, type JsonObject, ownMember } from '../json/value';
import { type Assignments, notWritable } from './assignments';
import { findPlaces, planElements, readId, takeStored } from './list-plan';
import type { Document, DocumentList, SchemaPath } from './model';
import type { MongooseSettings } from './options';
import { hasUnselected, isKeptByMongoose } from './paths';
import { hasName } from './refusals';
import { isPlain, isSame, isStorableName, readStored, toJson } from './stored-value';

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

const hasHiddenElements =
  'has members that are not loaded: move, add, remove and change its elements in separate requests';

/**
 * Sets the paths of a document that differ between two values, and nothing else, so that everything else
 * keeps its BSON. What cannot be set becomes a fault.
 */
export class DocumentChanges {
  readonly #settings: MongooseSettings;
  readonly #assignments: Assignments;

  constructor(settings: MongooseSettings, assignments: Assignments) {
    this.#settings = settings;
    this.#assignments = assignments;
  }

  set(doc: Document, old: unknown, next: unknown): void {
    this.#setInside({ doc, prefix: '', option: '', tokens: [] }, old, next);
  }

  #setInside(place: Place, old: unknown, next: unknown = {}): void {
    if (isJsonObject(next)) {
      this.#setMembers(place, isJsonObject(old) ? old : {}, next, (member) => {
        this.#setMember(member);
      });
    } else this.#assignments.fault(place.tokens, 'must be an object');
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
      if (!isStorableName(name)) {
        this.#assignments.fault(member.tokens, 'has a name that MongoDB or Mongoose reserves');
        continue;
      }
      try {
        set(member);
      } catch (error) {
        // Lists throw what documents keep for validate().
        if (!hasName(error, 'CastError')) throw error;
        this.#assignments.fault(member.tokens, (error as Error).message);
      }
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
      if (next !== undefined) this.#assignments.fault(tokens, notWritable);
    } else if (type.schema !== undefined) {
      if (type.instance === 'Embedded') this.#setSubdocument(member, type, `${option}.`);
      else this.#setElements(member, type, `${option}.`);
    } else if (type.instance === 'Array') this.#setList(member, type);
    else if (type.instance === 'Map') this.#setMap(member, type);
    else if (type.instance === 'Mixed') this.#setMixed(member, type);
    else this.#assign(member, type);
  }

  #setSubdocument(member: Member, type: SchemaPath, option: string): void {
    const { place, path, tokens, old, next } = member;
    const isThere = (place.doc.get(path) ?? null) !== null;
    if ((next ?? null) === null) {
      this.#assign(member, type, false);
    } else if (isThere && !isJsonObject(old)) {
      this.#assignments.fault(tokens, notWritable);
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
    } else this.#assignments.fault(tokens, 'must be a list');
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
    const haveIds =
      before.length === list.length && ids.every((id, i) => id !== undefined && id === readId(before[i]));
    const isShown = haveIds || (list.every(Boolean) && isSame(toJson(readStored(place.doc, path)), before));
    if (!isShown) {
      this.#assignments.fault(tokens, notWritable);
      return;
    }
    const places = findPlaces(next, haveIds ? ids : undefined, list.length, (at, words) => {
      this.#assignments.fault([...tokens, ...at], words);
    });
    if (places === undefined) return;
    const isEdited = places.some((at, i) => at >= 0 && !isEqualJson(next[i], before[at]));
    const plan = planElements(places, list.length, isEdited, haveIds);
    const schemas = new Set(list.map(({ schema }) => schema));
    if (plan === 'rewrite' && [...schemas].some((schema) => hasUnselected(schema))) {
      this.#assignments.fault(tokens, hasHiddenElements);
      return;
    }
    const elements = places.map((at) => list[at] ?? ({} as Document));
    const kept = new Set(places);
    if (plan === 'pull') list.pull(...list.filter((_, i) => !kept.has(i)));
    else if (plan === 'rewrite') list.splice(0, list.length, ...elements);
    else if (elements.length > list.length) list.push(...elements.slice(list.length));
    next.forEach((element, i) => {
      const inside = { doc: list[i] as Document, prefix: '', option, tokens: [...tokens, String(i)] };
      this.#setInside(inside, before[places[i] ?? -1], element);
    });
  }

  /** By place: elements that stay keep their BSON, unless the list changes its length before its end. */
  #setList(member: Member, type: SchemaPath): void {
    const { place, path, tokens, old, next } = member;
    const list = place.doc.get(path) as DocumentList<unknown> | null | undefined;
    const stored = readStored(place.doc, path);
    if (!isArray(next) || !isArray(old) || !isArray(stored) || !isArray(list)) {
      this.#assign(member, type);
    } else if (!isSame(toJson(stored), old)) {
      this.#assignments.fault(tokens, notWritable);
    } else {
      const added = next.map((element, i) => (isEqualJson(element, old[i]) ? null : element));
      if (!this.#assignments.isStorable(added, tokens)) return;
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
    if (schema !== undefined || instance === 'Array') this.#assignments.fault(tokens, notWritable);
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
      this.#assignments.fault(tokens, notWritable);
    } else if (this.#assignments.isStorable(next, tokens)) {
      this.#expect(member, stored);
      place.doc.set(path, next === undefined ? type?.getDefault(place.doc, false) : next);
    }
  }

  #assignUnseen({ place, path, tokens, next }: Member): void {
    if (!this.#assignments.isStorable(next, tokens)) return;
    this.#assignments.touch(tokens);
    place.doc.set(path, next);
  }

  #expect({ place, path, tokens, next }: Member, stored: unknown): void {
    const read = () => readStored(place.doc, path);
    this.#assignments.add({ tokens, sent: next, read, wasTyped: !isPlain(stored) });
  }
}
