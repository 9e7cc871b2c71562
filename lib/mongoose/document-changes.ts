import { formatPointer, readChild, valueAt } from '../json/pointer';
import { isArray, isContainer, isEqualJson, isJsonObject, type JsonObject, ownMember } from '../json/value';
import type { InvalidMember } from '../stores/contract/invalid-result';
import type { Document, DocumentList, Schema, SchemaPath } from './model';
import type { MongooseSettings } from './options';
import { hasClosedPath, hasUnselected, isClosedPath } from './paths';
import { hasName } from './refusals';
import { isCast, isKept, isSame, isStorableName, readStored, toPlainJson } from './stored-value';

/**
 * The place where the members of an object are stored: in a document or subdocument, under paths with this
 * prefix.
 */
interface Place {
  readonly doc: Document;
  /** The value in the database, which Mongoose casts where the schema has another type. */
  readonly raw: unknown;
  readonly prefix: string;
  /** The path in the whole document, without list indexes, as the options name it. */
  readonly option: string;
  /** The reference tokens of the object in the new value. */
  readonly tokens: readonly string[];
  /** The reference tokens of the topmost member above it that was not shown before. */
  readonly unseen?: readonly string[] | undefined;
}

/** One member at its place. */
interface Member extends Place {
  readonly path: string;
  readonly old: unknown;
  readonly next: unknown;
}

/** The check of a member after the document was changed. */
interface Check {
  readonly member: Pick<Place, 'tokens' | 'unseen'>;
  /** The reason, if it is refused already. */
  readonly detail?: string;
  readonly sent?: unknown;
  readonly read?: () => unknown;
}

/** One text for all reasons, so that it does not reveal whether a hidden member exists. */
const notWritable = 'is read-only, unknown or not shown as it is stored, or cannot have this value';

const hasHiddenElements =
  'has members that are not loaded, so its elements cannot be moved: ' +
  'add, remove or change up to 100 of them in one request';

const reservedName = 'has a name that MongoDB or Mongoose reserves';

const unknownId = 'is not the id of an element, or appears twice: leave it out';

const notWhole =
  'can only be written as a whole, and has parts that are read-only, not shown, of types that JSON lacks, ' +
  'or stored in other types than the schema has';

const notKept =
  'has elements that are stored in other types than the schema has, so they cannot be removed or moved: ' +
  'convert them in the database';

/**
 * The maximum number of elements that are changed in place: Mongoose compares each subdocument with all paths
 * that were set.
 */
const maxInPlace = 100;

/** The maximum numbers of arguments of one call, in this file and where Mongoose saves the elements. */
const maxMoved = 10_000;
const maxSaved = 100_000;

/**
 * Sets only the paths of a document that differ between two values, so that all others keep their BSON. A
 * member that cannot be set is refused.
 */
export class DocumentChanges {
  readonly #checks: Check[] = [];
  readonly #paths = new Set<string>();

  constructor(private readonly settings: MongooseSettings) {}

  set(doc: Document, raw: unknown, old: unknown, next: unknown): void {
    this.#setInside({ doc, raw, prefix: '', option: '', tokens: [] }, old, next);
  }

  /**
   * Compares the shown value of the changed document with the stored one and the one that was sent: getters,
   * transforms and setters are run rather than predicted. A member that was not shown before and is not shown
   * now is always refused with the same text.
   */
  findInvalidMembers(shown: unknown): readonly InvalidMember[] {
    const invalid = new Map<string, InvalidMember>();
    const refuse: Refuse = (tokens, detail) => {
      const pointer = formatPointer(tokens);
      if (!invalid.has(pointer)) invalid.set(pointer, { pointer, detail });
    };
    for (const { member, detail, sent, read } of this.#checks) {
      const { tokens, unseen } = member;
      const seen = valueAt(shown, tokens);
      if (unseen !== undefined && valueAt(shown, unseen) === undefined) refuse(unseen, notWritable);
      else if (detail !== undefined) refuse(tokens, detail);
      else if (read !== undefined && !isSame(toPlainJson(read()), seen)) refuse(tokens, notWritable);
      else if (sent !== undefined) compare(sent, seen, tokens, refuse);
    }
    return [...invalid.values()];
  }

  /** Whether a path, as Mongoose writes it, or a path above it was set. */
  readonly touches = (path: string): boolean => {
    const names = path.split('.');
    return names.some((_, i) => this.#paths.has(names.slice(0, i + 1).join('.')));
  };

  #setInside(place: Place, old: unknown, next: unknown = {}): void {
    if (!isJsonObject(next)) {
      this.#refuse(place, 'must be an object');
      return;
    }
    const before = isJsonObject(old) ? old : {};
    for (const name of new Set([...Object.keys(before), ...Object.keys(next)])) {
      const member = toMember(place, name, ownMember(before, name), ownMember(next, name));
      // A new document has its defaults for members that the client has not sent.
      if (isEqualJson(member.old, member.next) || (place.doc.isNew && member.next === undefined)) continue;
      try {
        if (isStorableName(name)) this.#setMember(member);
        else this.#refuse(member, reservedName);
      } catch (error) {
        // Lists throw cast errors, which documents keep for validate().
        if (!hasName(error, 'CastError')) throw error;
        this.#refuse(member, (error as Error).message);
      }
    }
  }

  #setMember(member: Member): void {
    const { doc, path, option, old, next } = member;
    const { schema } = doc;
    const type = Object.hasOwn(schema.paths, path) ? schema.paths[path] : undefined;
    if (this.settings.writeOnly.has(option)) {
      if (next !== undefined) this.#setUnseen(member);
    } else if (this.settings.readOnly.has(option)) this.#refuse(member, notWritable);
    else if (schema.pathType(path) === 'nested') {
      if (next !== undefined) this.#checks.push({ member });
      this.#setInside({ ...member, prefix: `${path}.`, option: `${option}.` }, old, next);
    } else if (type === undefined || isClosedPath(schema, path, type, doc.isNew))
      this.#refuse(member, notWritable);
    else if (type.schema === undefined) this.#setValue(member, type);
    else if (type.instance === 'Embedded') this.#setSubdocument(member, type, type.schema);
    else if (isArray(next) && next.length > maxSaved)
      this.#refuse(member, `has more than ${maxSaved} elements, which Mongoose cannot save`);
    else if (!Object.hasOwn(type.schema.paths, '_id')) this.#setValue(member, type);
    else if ((next ?? null) === null) this.#setValue(member, type, true);
    else if (isArray(next)) this.#setElements(member, type, type.schema, next);
    else this.#refuse(member, 'must be a list');
  }

  #setUnseen({ doc, path, tokens, next }: Member): void {
    const unstorable = findUnstorable(next, tokens);
    if (unstorable !== undefined) this.#refuse(unstorable, unstorable.detail);
    else doc.set(path, next);
    this.#paths.add(tokens.join('.'));
  }

  #setSubdocument(member: Member, type: SchemaPath, schema: Schema): void {
    const { doc, path, option, old, next } = member;
    const present = doc.get(path, null, withoutGetters) as Document | null | undefined;
    const inside = { ...member, prefix: '', option: `${option}.` };
    if (present && !isJsonObject(old)) this.#refuse(member, notWritable);
    else if ((next ?? null) === null) {
      if (present && hasClosedPath(schema, inside.option, this.settings.readOnly))
        this.#refuse(member, notWritable);
      else this.#setValue(member, type, true);
    } else if (present) this.#setInside({ ...inside, doc: present }, old, next);
    else {
      const seed = toSeed(next, schema);
      this.#checks.push({ member });
      doc.set(path, seed);
      const added = doc.get(path, null, withoutGetters) as Document;
      this.#setInside({ ...inside, doc: added }, added.schema === schema ? undefined : seed, next);
    }
  }

  /** Elements are found by their id, in any order. One without an id is new. */
  #setElements(member: Member, type: SchemaPath, schema: Schema, next: readonly unknown[]): void {
    const { doc, path, option, tokens, old } = member;
    this.#checks.push({ member });
    if ((doc.get(path, null, withoutGetters) ?? null) === null) doc.set(path, []);
    const list = doc.get(path, null, withoutGetters) as DocumentList;
    const before = isArray(old) ? old : [];
    const idName = before.every((element) => readId(element, '_id') !== undefined) ? '_id' : 'id';
    const ids = new Map(before.map((element, i) => [readId(element, idName), i]));
    if (before.length !== list.length || !list.every((element, i) => hasId(element, before[i], idName))) {
      this.#refuse(member, notWritable);
      return;
    }
    const places = next.map((element, i) => {
      const id = readId(element, idName);
      const at = id === undefined ? -1 : ids.get(id);
      ids.delete(id);
      if (at === undefined) this.#refuse({ ...member, tokens: [...tokens, String(i), idName] }, unknownId);
      return at ?? -1;
    });
    const kept = places.filter((at) => at >= 0);
    const isEdited = places.map((at, i) => at >= 0 && !isEqualJson(next[i], before[at]));
    const edited = isEdited.filter(Boolean).length;
    const seeds = places.map((at, i) => (at < 0 ? toSeed(next[i], schema) : undefined));
    const added = seeds.filter((seed) => seed !== undefined);
    const isInOrder = kept.every((at, i) => at === places[i] && at > (kept[i - 1] ?? -1));
    // MongoDB accepts only one operator for a list.
    const isOneKind = [edited, ids.size, added.length].filter((count) => count > 0).length === 1;
    const isFew = edited + ids.size <= maxInPlace && added.length <= maxMoved;
    const stored = isArray(member.raw) ? member.raw : [];
    const removed = [...ids.values()];
    // MongoDB finds removed elements by their stored ids.
    const isFound = removed.every((at) =>
      isKept(readChild(stored[at], '_id'), list[at] && readStored(list[at], '_id')),
    );
    const isAnew = stored.length < list.length || !isInOrder || !isOneKind || !isFew || !isFound;
    const isMoved = isAnew && kept.length > 0;
    if (isMoved && hasUnselected(schema)) this.#refuse(member, hasHiddenElements);
    else if (isAnew && (edited > maxInPlace || next.length > maxMoved)) this.#setValue(member, type);
    else if (isMoved && !isKept(member.raw ?? readStored(doc, path), readStored(doc, path)))
      this.#refuse(member, notKept);
    else {
      if (isAnew) list.splice(0, list.length, ...places.map((at, i) => list[at] ?? seeds[i] ?? {}));
      else if (removed.length > 0) list.pull(...list.filter((_, at) => removed.includes(at)));
      else if (added.length > 0) list.push(...added);
      next.forEach((element, i) => {
        const [at, seed, doc] = [places[i] ?? -1, seeds[i], list[i]];
        if (doc === undefined || (seed === undefined && !isEdited[i])) return;
        const [prefix, inList] = ['', [...tokens, String(i)]];
        const inside = { ...member, doc, raw: stored[at], prefix, option: `${option}.`, tokens: inList };
        this.#setInside(inside, before[at] ?? (doc.schema === schema ? undefined : seed), element);
      });
    }
  }

  /**
   * Sets a path as a whole: a scalar, or a value without identities inside. Such a value must be shown
   * completely, and as it is stored, because its unchanged parts are written, too.
   *
   * @param isRemoved - whether the value is removed, with all its content, shown or not
   */
  #setValue(member: Member, type: SchemaPath, isRemoved = false): void {
    const { doc, path, tokens, old, next } = member;
    const stored = readStored(doc, path);
    const hasParts = ['Mixed', 'Array', 'DocumentArray', 'Map'].includes(type.instance);
    const isShown = isSame(toPlainJson(stored), old) && (!hasParts || this.#isWhole(member, type, stored));
    const unstorable = findUnstorable(next, tokens);
    if (!isShown && !isRemoved) this.#refuse(member, hasParts ? notWhole : notWritable);
    else if (unstorable !== undefined) this.#refuse({ ...member, ...unstorable }, unstorable.detail);
    else {
      write(doc, path, type, next === undefined ? type.getDefault(doc, false) : next);
      this.#checks.push({ member, sent: next, read: () => readStored(doc, path) });
      this.#paths.add(tokens.join('.'));
    }
  }

  /** Whether the shown value, if it is written, is stored exactly like the current one, including types. */
  #isWhole({ doc, path, option, next, raw }: Member, type: SchemaPath, stored: unknown): boolean {
    const { readOnly } = this.settings;
    if (type.schema !== undefined && hasClosedPath(type.schema, `${option}.`, readOnly)) return false;
    const present = raw ?? stored ?? null;
    if (present === null || (next ?? null) === null) return true;
    write(doc, path, type, toPlainJson(stored));
    return isKept(present, readStored(doc, path));
  }

  #refuse(member: Pick<Place, 'tokens' | 'unseen'>, detail: string): void {
    this.#checks.push({ member, detail });
  }
}

function toMember(place: Place, name: string, old: unknown, next: unknown): Member {
  const tokens = [...place.tokens, name];
  const unseen = place.unseen ?? (old === undefined ? tokens : undefined);
  const [path, option, raw] = [place.prefix + name, place.option + name, readChild(place.raw, name)];
  return { ...place, path, option, raw, tokens, unseen, old, next };
}

const withoutGetters = { getters: false };

/**
 * Mongoose looks for each new element among the current ones, so the list is emptied first: this takes linear
 * time.
 */
function write(doc: Document, path: string, { schema }: SchemaPath, value: unknown): void {
  if (schema !== undefined && isArray(value)) doc.set(path, []);
  doc.set(path, value);
}

function readId(element: unknown, name: string): string | undefined {
  const id = isJsonObject(element) ? (ownMember(element, name) ?? undefined) : undefined;
  return id === undefined ? undefined : JSON.stringify(id);
}

/** Whether an element has the shown id. Mongoose 8 has UUIDs as bytes, and getters that make texts of them. */
function hasId(element: Document | null, shown: unknown, name: string): boolean {
  const id = readId(shown, name);
  const isId = (getters: boolean) => JSON.stringify(element?.get('_id', null, { getters })) === id;
  return id !== undefined && (isId(false) || isId(true));
}

/** The first member of a new subdocument: its discriminator key, which selects the schema of its kind. */
function toSeed(value: unknown, { options }: Schema): JsonObject {
  const key = String(options['discriminatorKey']);
  const kind = isJsonObject(value) ? ownMember(value, key) : undefined;
  return typeof kind === 'string' ? { [key]: kind } : {};
}

type Refuse = (tokens: readonly string[], detail: string) => void;

/**
 * Compares a sent value with the shown one. A cast or a setter can change a scalar, but all names and
 * elements that were sent must be there.
 */
function compare(sent: unknown, seen: unknown, tokens: readonly string[], refuse: Refuse): void {
  if (isArray(sent) && isArray(seen) && sent.length === seen.length) {
    sent.forEach((element, i) => {
      compare(element, seen[i], [...tokens, String(i)], refuse);
    });
  } else if (isJsonObject(sent) && (isJsonObject(seen) || Object.keys(sent).length === 0)) {
    for (const name of Object.keys(sent))
      compare(sent[name], ownMember(Object(seen) as JsonObject, name), [...tokens, name], refuse);
  } else if (!isCast(sent, seen)) refuse(tokens, 'would be stored as another value');
}

/** The first name or text in a value that MongoDB or Mongoose does not accept. */
function findUnstorable(
  value: unknown,
  tokens: readonly string[],
): { readonly tokens: readonly string[]; readonly detail: string } | undefined {
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value))
    return { tokens, detail: 'has a lone surrogate, which MongoDB cannot store' };
  if (!isContainer(value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const at = [...tokens, name];
    if (!isArray(value) && !isStorableName(name)) return { tokens: at, detail: reservedName };
    const found = findUnstorable(inner, at);
    if (found !== undefined) return found;
  }
  return undefined;
}
