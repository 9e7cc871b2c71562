import { shownResult, shownText, tellOnce } from '../../config/app-callbacks';
import { debugLog } from '../../http/debug-log';
import type { PatchRequest } from '../../http/routed-request';
import { toPath } from '../../http/target-path';
import { isStorableKey, joinKey } from '../../stores/contract/key';
import type { PatchHandlerOptions } from './handler-options';

const debug = debugLog('patch');

/**
 * Makes the function that reads the key of a request, from the option `key`.
 *
 * @param subject - the function whose option it is, as in `patchHandler()`
 */
export function keyReader(
  key: PatchHandlerOptions<unknown>['key'] = targetPath,
  subject: string,
): (req: PatchRequest) => string | undefined {
  const read = typeof key === 'function' ? key : parameterReader(key, subject);
  return (req) => {
    const result = read(req);
    debug('%s: the key is %s', req.originalUrl, result);
    return storableKey(result);
  };
}

function targetPath(req: PatchRequest): string {
  return req.baseUrl + toPath(req.url);
}

function parameterReader(
  key: string | readonly string[],
  subject: string,
): (req: PatchRequest) => string | undefined {
  const names = typeof key === 'string' ? [key] : key;
  const isJoined = typeof key !== 'string';
  const tellOfOthers = tellOnce('PATCH_OPTIONS_KEY', (text: string) => `${subject}: ${text}`);
  return (req) => {
    const values = names.map((name) => readParameter(req, name));
    const others = Object.keys(req.params).filter((name) => !names.includes(name));
    if (others.length > 0) tellOfOthers(parametersLeftOut(req, names, others));
    return isJoined ? joinKey(values) : values.join();
  };
}

/** A 404 for every request would hide the mistake. */
function readParameter(req: PatchRequest, name: string): string {
  const value: unknown = Object.hasOwn(req.params, name) ? req.params[name] : undefined;
  if (typeof value === 'string') return value;
  const names = Object.keys(req.params).join(', ') || 'none';
  const [problem, fix] =
    value === undefined
      ? [
          `is not one of its parameters: ${names}`,
          'Correct the name. If the parameter is in the path that the router is mounted at, ' +
            'create the router with express.Router({ mergeParams: true }).',
        ]
      : [`is ${shownResult(value)} there`, `Join the list: (req) => req.params.${name}.join('/').`];
  throw new TypeError(
    `The option key names '${name}', which on the route ${shownRoute(req)} ${problem}. ${fix}`,
  );
}

/** Two tenants with one id would share a resource. */
function parametersLeftOut(req: PatchRequest, names: readonly string[], others: readonly string[]): string {
  const all = Object.keys(req.params).map((name) => `'${name}'`);
  const [name = ''] = names;
  const onPurpose =
    names.length === 1 ? ` If ${name} alone identifies the resource, write (req) => req.params.${name}.` : '';
  return (
    `on the route ${shownRoute(req)}, ${others.join(', ')} ${others.length > 1 ? 'are' : 'is'} not part of the key, ` +
    `so requests that differ only there get the same resource. Write key: [${all.join(', ')}].${onPurpose}`
  );
}

/** As in the app: what the router is mounted at can contain what clients send. */
function shownRoute({ method, route }: PatchRequest): string {
  const path: unknown = (route as { path?: unknown } | undefined)?.path;
  return `${method} ${shownText(path instanceof RegExp ? String(path) : path)}`;
}

/**
 * The key, unless stores cannot hold it (`isStorableKey`). No store can have a resource there, so the answer
 * is 404 and not an error.
 */
function storableKey(key: unknown): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string') {
    throw new TypeError(
      `The option key returned ${shownResult(key)}. ` +
        'Return a string (join the array of a wildcard), or undefined.',
    );
  }
  return isStorableKey(key) ? key : undefined;
}
