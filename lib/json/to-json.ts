import { JsonError } from './json-error';
import { formatPointer, quotedPointer } from './pointer';
import { copyObject, isArray, isContainer, isJsonObject, setMember, type JsonObject } from './value';

/** Creates the error for a value that is not JSON, from a description and the JSON Pointer of its place. */
type Refuse = (what: string, pointer: string) => Error;

/**
 * The value that `JSON.stringify` writes: `toJSON` is called, and undefined members are left out. But parts
 * for which `JSON.stringify` would write null, `{}` or nothing are refused: NaN, an invalid Date, a Map, a
 * function, a gap in a list. The value is not modified; the result shares every part that is JSON already.
 *
 * @param known - a JSON value: parts that both values share at the same place are not checked
 * @throws the error of `refuse`
 */
export function toJson(value: unknown, refuse: Refuse, known?: unknown): unknown {
  const path: string[] = [];
  const refuseHere = (what: string) => refuse(what, formatPointer(path));

  function read(source: unknown, name: string, sameIn: unknown): unknown {
    const json = toJsonForm(source, name, refuseHere);
    if (!isContainer(json) || json === sameIn) return json;
    return isArray(json) ? readList(json, sameIn) : readObject(json, sameIn);
  }

  function readList(list: unknown[], sameIn: unknown): unknown[] {
    let copy = list;
    for (let index = 0; index < list.length; index++) {
      const element = list[index];
      if (typeof element === 'string' || Number.isFinite(element)) continue;
      path.push(String(index));
      const json = read(element, String(index), isArray(sameIn) ? sameIn[index] : undefined);
      if (json === undefined) throw refuseHere('undefined');
      path.pop();
      if (json === element) continue;
      if (copy === list) copy = [...list];
      copy[index] = json;
    }
    return copy;
  }

  function readObject(object: JsonObject, sameIn: unknown): unknown {
    let copy = object;
    for (const name of Object.keys(object)) {
      const member = object[name];
      if (typeof member === 'string' || Number.isFinite(member)) continue;
      path.push(name);
      const json = read(member, name, isJsonObject(sameIn) ? sameIn[name] : undefined);
      path.pop();
      if (json === member && json !== undefined) continue;
      if (copy === object) copy = copyObject(object);
      if (json === undefined) Reflect.deleteProperty(copy, name);
      else setMember(copy, name, json);
    }
    return copy;
  }

  try {
    const json = read(value, '', known);
    if (json === undefined) throw refuse('undefined', '');
    return json;
  } catch (error) {
    // The end of the stack. Any other RangeError comes from a toJSON or a getter of the app.
    if (error instanceof RangeError && path.length > 1_000)
      throw refuse('an object that contains itself, or nests too deep', '');
    throw error;
  }
}

/**
 * The first steps of ECMAScript's SerializeJSONProperty: the result of `toJSON`, and the value of a wrapper
 * such as `new Number(1)`. The members of a container are not converted.
 *
 * @returns undefined for undefined
 * @throws the error of `refuse`
 */
export function toJsonForm(source: unknown, name: string, refuse: (what: string) => Error): unknown {
  if (typeof source === 'string' || typeof source === 'boolean' || source === null) return source;
  const json = isContainer(source) || typeof source === 'bigint' ? unbox(callToJson(source, name)) : source;
  if (json === null && Object.prototype.toString.call(source) === '[object Date]')
    throw refuse('an invalid Date');
  if (typeof json === 'number' && !Number.isFinite(json)) throw refuse(String(json));
  if (typeof json === 'function' || typeof json === 'symbol') throw refuse(`a ${typeof json}`);
  if (typeof json === 'bigint') throw refuse('a BigInt');
  if (isContainer(json) && losesParts(json)) throw refuse(`of the type ${readTypeName(json)}`);
  if (json === undefined && source !== undefined) throw refuse('an object whose toJSON returns undefined');
  return json;
}

/**
 * An argument of a function of `patch-options/json`.
 *
 * @param subject - names it in the message
 * @param shared - parts that both values share at the same place are not checked, because they do not differ
 *   there
 * @throws JsonError `not-json`
 */
export function jsonArgument(value: unknown, subject: string, shared?: unknown): unknown {
  const refuse = (what: string, pointer: string) =>
    new JsonError('not-json', sayNotJson(subject, what, pointer), undefined, pointer);
  return toJson(value, refuse, shared);
}

/** The message of an error about a value that is not JSON. */
export function sayNotJson(subject: string, what: string, pointer: string): string {
  const where = pointer === '' ? 'it' : quotedPointer(pointer, 200);
  return (
    `${subject} cannot be written as JSON: ${where} is ${what}. ` +
    'Use only strings, finite numbers, true, false, null, arrays without gaps and plain objects.'
  );
}

function callToJson(source: object | bigint, name: string): unknown {
  const toJSON: unknown = Reflect.get(Object(source) as object, 'toJSON');
  return typeof toJSON === 'function' ? Reflect.apply(toJSON, source, [name]) : source;
}

function unbox(value: unknown): unknown {
  const isBox =
    value instanceof Number ||
    value instanceof String ||
    value instanceof Boolean ||
    (isContainer(value) && Object.prototype.toString.call(value) === '[object BigInt]');
  return isBox ? value.valueOf() : value;
}

/**
 * Whether JSON would lose the content of an object: the entries of a Map or a Set, the bytes of a typed array, the
 * message of an error, all of a RegExp or a promise.
 */
function losesParts(value: object): boolean {
  const tag = Object.prototype.toString.call(value);
  if (tag === '[object Object]' || tag === '[object Array]') return false;
  return tag === '[object Error]' || Symbol.iterator in value || Object.keys(value).length === 0;
}

function readTypeName(value: object): string {
  const constructor: unknown = Reflect.get(value, 'constructor');
  return typeof constructor === 'function' ? constructor.name : 'object';
}
