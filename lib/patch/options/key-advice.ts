import { callAside, shownText, tellOnce } from '../../app-callbacks';
import { pathOf } from '../../http/target-path';
import { isHeld } from '../../stores/contract/key';
import type { ResourceStore } from '../../stores/contract/resource-store';
import type { PatchRequest } from '../../request/routed-request';

/** A mistake shows at the first resource that is asked for and is there; what nobody ever stored says nothing of it. */
const maxLooks = 10;

/**
 * Makes what looks, where a target was not found, for a mistake in the option `key` that shows only with a request: to who
 * sends it, each resource that is there seems to be absent. It changes nothing of the answer.
 *
 * @param subject - whose option it is, as in `patchHandler()`
 */
export function keyAdviser<T>(
  store: ResourceStore<T>,
  key: ((req: PatchRequest) => unknown) | undefined,
  subject: string,
): (req: PatchRequest) => void {
  const tell = tellOnce('PATCH_OPTIONS_KEY', (mistake: string) => `${subject}: ${mistake}`);
  let looks = 0;
  return (req) => {
    if (looks === maxLooks) return;
    looks += 1;
    const look = async (): Promise<void> => {
      const mistake = key === undefined ? await keyForgotten(store, req) : parameterMissing(key, req);
      if (mistake === undefined) return;
      looks = maxLooks;
      tell(mistake);
    };
    callAside(look, () => undefined);
  };
}

/** The last parameter of the route finds what the path does not. */
async function keyForgotten<T>(store: ResourceStore<T>, req: PatchRequest): Promise<string | undefined> {
  const [name, value] = Object.entries<unknown>(req.params).at(-1) ?? [];
  if (name === undefined || typeof value !== 'string' || !isHeld(value)) return undefined;
  if ((await store.get(value)) === undefined) return undefined;
  return (
    `nothing is stored under the path ${shownPath(req)}, which is the key without the option key, but there is something ` +
    `under ${shownText(value)}. Give { key: (req) => req.params.${name} }.`
  );
}

/** The option reads a parameter of another name, or of a router further out. */
function parameterMissing(key: (req: PatchRequest) => unknown, req: PatchRequest): string | undefined {
  const missing: string[] = [];
  const params = new Proxy(req.params, {
    get(target, name) {
      if (typeof name === 'string' && !(name in target)) missing.push(name);
      return Reflect.get(target, name) as unknown;
    },
  });
  const given = key(Object.create(req, { params: { value: params } }) as PatchRequest);
  const [name] = missing;
  if (name === undefined || !String(given).includes('undefined')) return undefined;
  const names = Object.keys(req.params);
  const has = names.length === 0 ? 'none' : names.join(', ');
  return (
    `the option key gave ${shownText(given)} for ${req.method} ${shownPath(req)}, so that nothing is found: it reads ` +
    `req.params.${name}, and the parameters of the route are: ${has}. Correct the name, or make the router by ` +
    'express.Router({ mergeParams: true }) where the parameter is of the path that it is mounted at.'
  );
}

function shownPath(req: PatchRequest): string {
  return shownText(req.baseUrl + pathOf(req.url));
}
