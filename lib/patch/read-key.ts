import { warnOnce } from '../config/process-warning';
import { inspectResult, inspectShort } from '../config/inspect';
import { debugLog } from '../http/debug-log';
import type { PatchRequest } from '../http/middleware';
import { toPath } from '../http/target-path';
import { isStorableKey, joinKey } from '../stores/contract/key';
import type { PatchHandlerOptions } from './handler-options';

const debug = debugLog('patch');

/**
 * Creates the function that reads the key of a request, from the option `key`.
 *
 * @param subject - the function that has the option, as in `patchHandler()`
 */
export function keyReader(
  key: PatchHandlerOptions<unknown>['key'],
  subject: string,
): (req: PatchRequest) => string | undefined {
  const read =
    key === undefined ? pathReader(subject) : typeof key === 'function' ? key : parameterReader(key, subject);
  return (req) => {
    const result = storableKey(read(req));
    debug('%s: the key is %s', req.originalUrl, result);
    return result;
  };
}

function pathReader(subject: string): (req: PatchRequest) => string {
  const warn = warnOnce('PATCH_OPTIONS_KEY', (text: string) => `${subject}: ${text}`);
  let isChecked = false;
  return (req) => {
    if (!isChecked) {
      isChecked = true;
      // Not those of wildcards, for which the whole path is the usual key.
      const names = Object.keys(req.params).filter((name) => isNamedParameter(name, req.params[name]));
      if (names.length > 0) warn(sayWholePath(req, names));
    }
    return req.baseUrl + toPath(req.url);
  };
}

function isNamedParameter(name: string, value: unknown): boolean {
  return typeof value === 'string' && !/^\d/.test(name);
}

/** Otherwise each request would get 404, and nothing would name the cause. */
function sayWholePath(req: PatchRequest, names: readonly string[]): string {
  const texts = names.map((name) => `'${name}'`).join(', ');
  return (
    `on the route ${shownRoute(req)}, the key is the whole path, because the option key is not set. ` +
    `Write key: ${names.length > 1 ? `[${texts}]` : texts}; or (req) => req.baseUrl + req.path, if the whole path is meant.`
  );
}

function parameterReader(
  key: string | readonly string[],
  subject: string,
): (req: PatchRequest) => string | undefined {
  const names = typeof key === 'string' ? [key] : key;
  const isJoined = typeof key !== 'string';
  const warn = warnOnce('PATCH_OPTIONS_KEY', (text: string) => `${subject}: ${text}`);
  let isChecked = false;
  return (req) => {
    const values = names.map((name) => readParameter(req, name));
    if (values.includes(undefined)) return undefined;
    if (!isChecked) {
      isChecked = true;
      const leftOut = Object.keys(req.params).filter((name) => !names.includes(name));
      if (leftOut.length > 0) warn(sayLeftOut(req, names, leftOut));
    }
    const texts = values.filter((value) => value !== undefined);
    return isJoined ? joinKey(texts) : texts.join();
  };
}

/**
 * The value of a parameter; undefined if it is optional and was left out. A wrong name is an error, because a
 * 404 for every request would hide the mistake.
 */
function readParameter(req: PatchRequest, name: string): string | undefined {
  const value: unknown = Object.hasOwn(req.params, name) ? req.params[name] : undefined;
  // A validator in front may have converted it to a number.
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  const route = shownRoute(req);
  if (Array.isArray(value)) {
    const fix = `Join the list: (req) => req.params.${name}.join('/').`;
    throw new TypeError(`The option key names '${name}', which on the route ${route} is a list. ${fix}`);
  }
  if (value !== undefined) {
    const fix = `Make a string of it: (req) => String(req.params.${name}).`;
    throw new TypeError(
      `The option key names '${name}', which on the route ${route} is ${inspectResult(value)}. ${fix}`,
    );
  }
  if (isOptional(req, name)) return undefined;
  const names = Object.keys(req.params).join(', ') || 'none';
  throw new TypeError(
    `The option key names '${name}', which on the route ${route} is not one of its parameters: ${names}. ` +
      `Correct the name. If the parameter is in the path that the router is mounted at, ${mergeParams}.`,
  );
}

const mergeParams = 'create the router with express.Router({ mergeParams: true })';

function isOptional({ route }: PatchRequest, name: string): boolean {
  const path: unknown = (route as { path?: unknown } | undefined)?.path;
  return [path]
    .flat()
    .some(
      (one) =>
        typeof one === 'string' &&
        one.split(/[^:*\w$]/).some((part) => [`:${name}`, `*${name}`].includes(part)),
    );
}

/** A warning about parameters that the key leaves out: two tenants with the same id would share a resource. */
function sayLeftOut(req: PatchRequest, names: readonly string[], leftOut: readonly string[]): string {
  const all = Object.keys(req.params).map((name) => `'${name}'`);
  const [first = ''] = names;
  const alone =
    names.length === 1
      ? ` If ${first} alone identifies the resource, write (req) => req.params.${first}.`
      : '';
  return (
    `on the route ${shownRoute(req)}, ${leftOut.join(' and ')} ${leftOut.length > 1 ? 'are' : 'is'} not part of the ` +
    `key, so requests that differ only there get the same resource. Write key: [${all.join(', ')}].${alone}`
  );
}

/**
 * The route as the app wrote it, without the mount path of the router, which can contain text that clients
 * send.
 */
function shownRoute({ method, route }: PatchRequest): string {
  const path: unknown = (route as { path?: unknown } | undefined)?.path;
  return `${method} ${[path]
    .flat()
    .map((one) => inspectShort(String(one)))
    .join(' or ')}`;
}

/**
 * The key, unless stores cannot hold it (`isStorableKey`). No store can have a resource with such a key, so
 * the answer is 404 and not an error.
 */
function storableKey(key: unknown): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string') {
    throw new TypeError(
      `The option key returned ${inspectResult(key)}. ` +
        'Return a string (join the array of a wildcard), or undefined.',
    );
  }
  return isStorableKey(key) ? key : undefined;
}
