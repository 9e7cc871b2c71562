import { readMountRules, StackReading, type Layer, type MountRules, type Router } from '../express/layers';
import { debugLog } from '../http/debug-log';
import { IndexedLayer } from './indexed-layer';

const debug = debugLog('routes');

/** The key is the stack, which stays the same object when instrumentation wraps the router. */
const indexes = new WeakMap<readonly Layer[], RouteIndex>();

/**
 * The layers of one router by the literal segments with which their paths begin, so that a lookup asks only
 * layers that can match. Layers whose paths begin with a parameter, RegExps and unknown syntax are always
 * asked.
 *
 * An index never changes: if the stack has changed, a new index takes over the layers that are still in
 * place.
 */
export class RouteIndex {
  readonly layers: readonly IndexedLayer[];
  readonly rules: MountRules;
  readonly reading: StackReading;
  readonly #byPrefix = new Map<string, number[]>();
  readonly #always: number[] = [];
  #longest = 0;

  private constructor(router: Router, before: readonly IndexedLayer[]) {
    const { stack } = router;
    const kept = before.filter(({ layer }, i) => layer === stack[i]);
    debug('indexing a router of %d layers, %d of them indexed before', stack.length, kept.length);
    this.rules = readMountRules(router);
    this.layers = stack.map((layer, i) => {
      const known = before[i];
      return known?.layer === layer ? known : new IndexedLayer(layer);
    });
    this.reading = new StackReading(stack, () => this.layers.every(({ layer }, i) => layer === stack[i]));
    for (const [layerIndex, { prefixes }] of this.layers.entries()) {
      if (prefixes === undefined) this.#always.push(layerIndex);
      for (const prefix of new Set(prefixes)) {
        this.#longest = Math.max(this.#longest, prefix.length);
        const known = this.#byPrefix.get(prefix);
        if (known === undefined) this.#byPrefix.set(prefix, [layerIndex]);
        else known.push(layerIndex);
      }
    }
  }

  /** The index of a router's current stack, created if there is none. */
  static of(router: Router): RouteIndex {
    const known = indexes.get(router.stack);
    if (known?.reading.isCurrent() === true) return known;
    const index = new RouteIndex(router, known?.layers ?? []);
    indexes.set(router.stack, index);
    return index;
  }

  /** The indexes of the layers that can match, in the stack's order. */
  candidates(path: string): readonly number[] {
    let candidates: readonly number[] = this.#always;
    const head = path.slice(0, this.#longest + 1).toLowerCase();
    for (let end = head.indexOf('/', 1); end !== -1; end = head.indexOf('/', end + 1)) {
      candidates = merge(candidates, this.#byPrefix.get(head.slice(0, end)));
    }
    return merge(candidates, this.#byPrefix.get(head));
  }
}

/** Merges two ascending lists without duplicates: a layer with several paths can be in both. */
function merge(a: readonly number[], b: readonly number[] | undefined): readonly number[] {
  if (b === undefined) return a;
  if (a.length === 0) return b;
  const merged: number[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const next = Math.min(a[i] ?? Infinity, b[j] ?? Infinity);
    merged.push(next);
    if (a[i] === next) i++;
    if (b[j] === next) j++;
  }
  return merged;
}
