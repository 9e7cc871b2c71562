import type { ServerResponse } from 'node:http';
import onHeaders from 'on-headers';

/**
 * Calls `listener` when the head of a response is written, after the arguments of `writeHead` were applied to
 * `res`. Headers that the listener sets are sent, too.
 */
export function beforeHead(res: ServerResponse, listener: () => void): void {
  onHeaders(res, listener);
  const writeHead: unknown = Reflect.get(res, 'writeHead');
  if (typeof writeHead !== 'function') return;
  Object.assign(res, {
    // on-headers keeps only one of several headers with the same name from a list of pairs, but all of them
    // from a flat list.
    writeHead(this: ServerResponse, ...args: unknown[]): unknown {
      return Reflect.apply(writeHead, this, args.map(flatList));
    },
  });
}

/**
 * Turns `[['Set-Cookie', 'a=1'], …]` into `['Set-Cookie', 'a=1', …]`, and returns anything else unchanged.
 */
function flatList(argument: unknown): unknown {
  if (!Array.isArray(argument) || !Array.isArray(argument[0])) return argument;
  const pairs = argument.filter((pair) => Array.isArray(pair) && Boolean(pair[0]));
  return pairs.flatMap((pair: readonly unknown[]) => [pair[0], pair[1]]);
}
