import type { Kind } from '../kind';

/** What the name of a kind says: `'string?[]'` is a list of strings or NULL. */
interface ParsedKind {
  readonly base: Kind;
  readonly list: { readonly hasNulls: boolean } | undefined;
  readonly isNullable: boolean;
}

/** @returns undefined if it is not a kind */
export function parseKind(kind: string): ParsedKind | undefined {
  const [, base = '', element, list, mark] = /^(\w+?)(?:(\?)?(\[\]))?(\?)?$/.exec(kind) ?? [];
  if (!isKind(base)) return undefined;
  return {
    base,
    list: list === undefined ? undefined : { hasNulls: element === '?' },
    isNullable: mark === '?',
  };
}

export const kinds: readonly Kind[] = [
  ...(['string', 'number', 'integer', 'boolean', 'date', 'day', 'time'] as const),
  ...(['decimal', 'bigint', 'uuid', 'json'] as const),
];

function isKind(name: string): name is Kind {
  return (kinds as readonly string[]).includes(name);
}

/** Whether the kind has several forms in a driver, of which the option `as` names one. */
export function hasForms(kind: Kind): boolean {
  return kind === 'date' || kind === 'day' || kind === 'time';
}
