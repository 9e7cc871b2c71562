import type { Middleware } from '../../http/middleware';
import type { FormatTable } from '../formats/format-table';
import { ownParser, type PatchParser } from '../formats/patch-parser';
import { readJson } from '../formats/read-json';
import type { PatchSettings } from '../settings';
import { createChangeHandler } from '../handle';
import { isArray, isContainer, isJsonObject, ownMember, type JsonObject } from '../../json/value';

const mediaType = 'application/json';
const source = { name: 'The representation', malformed: 'representation-malformed' } as const;

/** A parser for the representation of a PUT, which replaces the current value. */
const representation = ownParser({
  mediaType,
  parse(document, { limits }) {
    const sent = readJson(document, limits.depth, source);
    return (current) => shareParts(sent, current);
  },
});

const formats: FormatTable<PatchParser> = {
  mediaTypes: [mediaType],
  find: (type) => (type.toLowerCase() === mediaType ? representation : undefined),
};

/** The handler of PUT, with a whole representation instead of a patch. */
export function createPut<T>(settings: PatchSettings<T>): Middleware {
  return createChangeHandler(settings, 'PUT', formats, true);
}

/**
 * Replaces containers in `value`, which is modified, by equal containers of `known`. The checks of a result,
 * and the copy that a store keeps, can then skip unchanged parts. Equal objects have their members in the
 * same order, because GET returns the bytes that were sent.
 *
 * @returns `known` if both are equal, or else `value`
 */
export function shareParts(value: unknown, known: unknown): unknown {
  const isEqual = isArray(value)
    ? isArray(known) && shareElements(value, known)
    : isJsonObject(value) && isJsonObject(known) && shareMembers(value, known);
  return isEqual ? known : value;
}

/** @returns whether both are equal */
function shareElements(value: unknown[], known: readonly unknown[]): boolean {
  let isEqual = value.length === known.length;
  for (let index = 0; index < value.length; index++) {
    if (isContainer(value[index])) value[index] = shareParts(value[index], known[index]);
    isEqual &&= value[index] === known[index];
  }
  return isEqual;
}

/** @returns whether both are equal */
function shareMembers(value: JsonObject, known: JsonObject): boolean {
  const names = Object.keys(value);
  const knownNames = Object.keys(known);
  let isEqual = names.length === knownNames.length;
  for (let index = 0; index < names.length; index++) {
    const name = names[index] ?? '';
    const other = ownMember(known, name);
    if (isContainer(value[name])) value[name] = shareParts(value[name], other);
    isEqual &&= name === knownNames[index] && value[name] === other;
  }
  return isEqual;
}
