import type { ServerResponse } from 'node:http';
import onHeaders from 'on-headers';

/**
 * Calls `listener` at the moment the head of a response is written, when all that `writeHead` was given can be read from
 * `res`. What the listener sets goes out with it.
 */
export function beforeHead(res: ServerResponse, listener: () => void): void {
  onHeaders(res, listener);
  const writeHead: unknown = Reflect.get(res, 'writeHead');
  if (typeof writeHead !== 'function') return;
  Object.assign(res, {
    // on-headers keeps one of the fields that share a name where the list is one of pairs, and all of them in a flat list.
    writeHead(this: ServerResponse, ...given: unknown[]): unknown {
      return Reflect.apply(writeHead, this, given.map(flatList));
    },
  });
}

/** `[['Set-Cookie', 'a=1'], …]` as `['Set-Cookie', 'a=1', …]`; anything else as it is. */
function flatList(argument: unknown): unknown {
  if (!Array.isArray(argument) || !Array.isArray(argument[0])) return argument;
  const pairs = argument.filter((pair) => Array.isArray(pair) && Boolean(pair[0]));
  return pairs.flatMap((pair: readonly unknown[]) => [pair[0], pair[1]]);
}
