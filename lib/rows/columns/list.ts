import type { Kind } from '../kind';
import { ColumnValueError, type KindCodec, limitCodec } from './codec';
import type { ColumnTypes } from './form';
import { createCodec, isJsonText, parseJson } from './kinds';

/** The elements of a list. */
interface Elements {
  readonly kind: Kind;
  /** Whether they can be NULL. */
  readonly isNullable: boolean;
  /** The only values that they can have. */
  readonly values: readonly string[] | undefined;
}

/** The codec of a list of one kind: a PostgreSQL array, or JSON. */
export function listCodec({ kind, isNullable, values }: Elements, types: ColumnTypes): KindCodec {
  const { dialect, form } = types;
  const asText = isJsonText(dialect);
  // In JSON, as in an array, a number of a decimal has been parsed as a double.
  const elementDialect = kind === 'decimal' ? undefined : dialect;
  const element = limitCodec(createCodec(kind, { dialect: elementDialect, form }), values);
  const declared = `${kind}${isNullable ? '?' : ''}[]`;
  const isNull = (value: unknown): boolean => isNullable && value === null;
  // A driver that does not know the array may have split or trimmed its texts.
  const isKept = kind === 'string' ? Object.is : (element.isKept ?? (() => true));
  return {
    fault: (value) => {
      if (!Array.isArray(value)) return 'must be an array';
      const faults = value.map((one) => (isNull(one) ? undefined : element.fault(one)));
      const fault = faults.find((elementFault) => elementFault !== undefined);
      return fault && `each element ${fault}`;
    },
    read: (inside) => {
      const list = asText && typeof inside === 'string' ? parseJson(inside) : inside;
      if (!Array.isArray(list)) throw new ColumnValueError(inside, declared, fixList(inside));
      return list.map((one: unknown) => {
        if (isNull(one)) return one;
        // In a list of JSON, null is a value.
        if (one !== null || kind === 'json') return element.read(one);
        const fix = `Declare the column as '${kind}?[]' if its elements can be NULL.`;
        throw new ColumnValueError(one, declared, fix);
      });
    },
    write: (outside) => {
      const list = (outside as unknown[]).map((one) => (isNull(one) ? one : element.write(one)));
      return asText ? JSON.stringify(list) : list;
    },
    isKept: (sent, stored) => {
      if (!Array.isArray(sent) || !Array.isArray(stored) || sent.length !== stored.length) return false;
      return sent.every((one, index) => {
        const other: unknown = stored[index];
        return one === null || other === null ? one === other : isKept(one, other);
      });
    },
  };
}

function fixList(inside: unknown): string | undefined {
  if (typeof inside !== 'string') return undefined;
  return (
    'The driver does not know the type of the array, so it returns text. Select it as an array of text ' +
    '(tags::text[]), or let pg parse its type, whose oid is in pg_type: ' +
    'types.setTypeParser(oid, types.getTypeParser(1009)).'
  );
}
