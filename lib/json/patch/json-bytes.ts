import { isArray, isContainer } from '../value';

/** Made on first use: not every place where JavaScript runs has it. */
let utf8: InstanceType<typeof TextEncoder> | undefined;

/**
 * The size of the value as JSON, in bytes of UTF-8. Any number over `limit` means that it is larger; Infinity
 * means that it nests deeper than `levels`. The walk stops at either limit.
 */
export function jsonBytes(value: unknown, limit: number, levels: number): number {
  if (typeof value === 'string') {
    // Each UTF-16 code unit takes at least one byte, so a string that is too long need not be serialised.
    return value.length > limit
      ? value.length
      : (utf8 ??= new TextEncoder()).encode(JSON.stringify(value)).length;
  }
  if (!isContainer(value)) return String(value).length;
  if (levels < 1) return Infinity;
  // The brackets. Each child adds a comma, except the first.
  let bytes = 1;
  if (isArray(value)) {
    for (const child of value) {
      bytes += 1 + jsonBytes(child, limit - bytes, levels - 1);
      if (bytes > limit) return bytes;
    }
  } else {
    for (const name of Object.keys(value)) {
      bytes += 2 + jsonBytes(name, limit - bytes, levels);
      bytes += jsonBytes(value[name], limit - bytes, levels - 1);
      if (bytes > limit) return bytes;
    }
  }
  return Math.max(2, bytes);
}
