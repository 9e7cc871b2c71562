import { ColumnValueError, type KindCodec } from './codec';

const form = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUID of any version. RFC 9562 (4) lets clients send either letter case, and has lower case written. */
export const uuid: KindCodec<string> = {
  fault: (value) =>
    typeof value === 'string' && form.test(value)
      ? undefined
      : 'must be a UUID, such as "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"',
  read: (inside) => {
    if (typeof inside === 'string' && form.test(inside)) return inside;
    throw new ColumnValueError(inside, 'uuid');
  },
  write: (outside) => outside.toLowerCase(),
};
