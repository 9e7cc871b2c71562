import { formatPointer, parsePointer, valueAt } from '../../../lib/json/pointer';
import { fc } from '../../support/properties';
import { jsonValue, memberName } from './json-arbitraries';

export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** An operation of which it is not known yet on what document: the numbers choose among the places that it has. */
export interface OperationDraft {
  readonly op: PatchOperation['op'];
  readonly path: PlaceDraft;
  readonly from: PlaceDraft;
  readonly value: unknown;
  readonly holds: boolean;
}
type PlaceDraft = readonly [place: number, twist: number, token: string];

export function operationDraft(...ops: readonly PatchOperation['op'][]): fc.Arbitrary<OperationDraft> {
  return fc.record({
    op: fc.constantFrom(...ops),
    path: fc.tuple(fc.nat(999), fc.nat(3), memberName),
    from: fc.tuple(fc.nat(999), fc.nat(7), memberName),
    value: jsonValue(1),
    holds: fc.boolean(),
  });
}

export function operationOn(
  document: unknown,
  { op, path, from, value, holds }: OperationDraft,
): PatchOperation {
  const pointer = pointerInto(document, path);
  switch (op) {
    case 'remove':
      return { op, path: pointer };
    case 'move':
    case 'copy':
      return { op, path: pointer, from: pointerInto(document, from) };
    case 'test': {
      const present = valueAt(document, parsePointer(pointer)?.tokens ?? []);
      return { op, path: pointer, value: holds && present !== undefined ? present : value };
    }
    default:
      return { op, path: pointer, value };
  }
}

/** Mostly a place that is there; else one below it, or beside it. */
function pointerInto(document: unknown, [place, twist, token]: PlaceDraft): string {
  const places = placesIn(document);
  const tokens = places[place % places.length] ?? [];
  if (twist === 0) return formatPointer([...tokens, token]);
  if (twist === 1) return formatPointer([...tokens.slice(0, -1), token]);
  return formatPointer(tokens);
}

/** Every place in the document, as reference tokens. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, child]) => placesIn(child, [...path, name]))];
}
