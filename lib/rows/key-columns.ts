import { splitKey } from '../stores/contract/key';
import type { Column } from './columns/column';
import type { Row } from './rows';

/**
 * Reads the columns of a row from a key: of one column it is the text, of several the joined texts. A column that
 * is listed with the kind `'integer'` gets a number, because ORMs with types refuse a text for it.
 */
export function whereReader(
  key: string | readonly string[],
  columns: readonly Column[],
): (key: string) => Row | undefined {
  const names = [key].flat();
  const isNumber = new Set(columns.filter(({ isInteger }) => isInteger).map(({ name }) => name));
  return (text) => {
    const texts = typeof key === 'string' ? [text] : splitKey(text, names.length);
    if (texts === undefined) return undefined;
    const values = names.map((name, i) => (isNumber.has(name) ? readWholeNumber(texts[i]) : texts[i]));
    if (values.includes(undefined)) return undefined;
    return Object.fromEntries(names.map((name, i) => [name, values[i]]));
  };
}

/** Only in the spelling that a number has as text: `7`, not `07`. */
function readWholeNumber(text: string | undefined): number | undefined {
  const value = Number(text);
  return Number.isSafeInteger(value) && String(value) === text ? value : undefined;
}
