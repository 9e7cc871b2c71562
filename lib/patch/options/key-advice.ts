import { callAside, shownText, tellOnce } from '../../config/app-callbacks';
import { toPath } from '../../http/target-path';
import { isStorableKey } from '../../stores/contract/key';
import type { ResourceStore } from '../../stores/contract/resource-store';
import type { PatchRequest } from '../../http/routed-request';

/** A request for a resource that really does not exist proves nothing, so several are checked. */
const maxChecks = 10;

/**
 * Makes a function that is called when a target was not found, and checks whether the option `key` is the
 * reason: then every existing resource seems to be missing. The answer is not affected.
 *
 * @param subject - the function whose option it is, as in `patchHandler()`
 */
export function keyAdviser<T>(
  store: ResourceStore<T>,
  key: ((req: PatchRequest) => unknown) | undefined,
  subject: string,
): (req: PatchRequest) => void {
  const warn = tellOnce('PATCH_OPTIONS_KEY', (mistake: string) => `${subject}: ${mistake}`);
  let checks = 0;
  return (req) => {
    if (checks === maxChecks) return;
    checks += 1;
    const check = async (): Promise<void> => {
      const mistake = key === undefined ? await keyForgotten(store, req) : parameterMissing(key, req);
      if (mistake === undefined) return;
      checks = maxChecks;
      warn(mistake);
    };
    callAside(check, () => undefined);
  };
}

/** The mistake if the last parameter of the route is a stored key, but the path is not. */
async function keyForgotten<T>(store: ResourceStore<T>, req: PatchRequest): Promise<string | undefined> {
  const [name, value] = Object.entries<unknown>(req.params).at(-1) ?? [];
  if (name === undefined || typeof value !== 'string' || !isStorableKey(value)) return undefined;
  if ((await store.get(value)) === undefined) return undefined;
  return (
    `the store has no resource for ${shownPath(req)} (the default key is the path), but it has ` +
    `${shownText(value)}. Add { key: (req) => req.params.${name} }.`
  );
}

/**
 * The mistake if the option reads a parameter that the route does not have, or that belongs to an outer
 * router.
 */
function parameterMissing(key: (req: PatchRequest) => unknown, req: PatchRequest): string | undefined {
  const missing: string[] = [];
  const params = new Proxy(req.params, {
    get(target, name) {
      if (typeof name === 'string' && !(name in target)) missing.push(name);
      return Reflect.get(target, name) as unknown;
    },
  });
  const result = key(Object.create(req, { params: { value: params } }) as PatchRequest);
  const [name] = missing;
  if (name === undefined || !String(result).includes('undefined')) return undefined;
  const names = Object.keys(req.params);
  const has = names.length === 0 ? 'none' : names.join(', ');
  return (
    `the option key returned ${shownText(result)} for ${req.method} ${shownPath(req)}: ` +
    `it reads req.params.${name}, but the parameters of the route are: ${has}. Correct the name. ` +
    'If the parameter is in the path that the router is mounted at, ' +
    'create the router with express.Router({ mergeParams: true }).'
  );
}

/** The path, without the slash that routers add if nothing follows the path that they are mounted at. */
function shownPath({ baseUrl, url, originalUrl }: PatchRequest): string {
  const path = toPath(url);
  const isAdded = path === '/' && baseUrl !== '' && !toPath(originalUrl).endsWith('/');
  return shownText(isAdded ? baseUrl : baseUrl + path);
}
