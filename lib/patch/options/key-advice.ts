import { tellOnce } from '../../config/process-warning';
import { shownText } from '../../config/shown-text';
import { callAside } from '../../config/unawaited';
import { toPath } from '../../http/target-path';
import { isStorableKey } from '../../stores/contract/key';
import type { ResourceStore } from '../../stores/contract/resource-store';
import type { PatchRequest } from '../../http/routed-request';

/** A request for a resource that really does not exist proves nothing, so several are checked. */
const maxChecks = 10;

/**
 * Makes a function that is called when a target was not found, and checks whether the missing option `key` is
 * the reason: then every existing resource seems to be missing. The answer is not affected.
 *
 * @param subject - the function whose option it is, as in `patchHandler()`
 */
export function keyAdviser<T>(store: ResourceStore<T>, subject: string): (req: PatchRequest) => void {
  const warn = tellOnce('PATCH_OPTIONS_KEY', (mistake: string) => `${subject}: ${mistake}`);
  let checks = 0;
  return (req) => {
    if (checks === maxChecks) return;
    checks += 1;
    const check = async (): Promise<void> => {
      const mistake = await keyForgotten(store, req);
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
  if (typeof value !== 'string' || !isStorableKey(value)) return undefined;
  if ((await store.get(value, { request: req })) === undefined) return undefined;
  return (
    `the store has no resource for ${shownPath(req)} (the default key is the path), but it has ` +
    `${shownText(value)}. Add { key: '${name}' }.`
  );
}

/** The path, without the slash that routers add if nothing follows the path that they are mounted at. */
function shownPath({ baseUrl, url, originalUrl }: PatchRequest): string {
  const path = toPath(url);
  const isAdded = path === '/' && !toPath(originalUrl).endsWith('/');
  return shownText(isAdded ? baseUrl : baseUrl + path);
}
