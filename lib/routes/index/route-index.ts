import { performance } from 'node:perf_hooks';
import { debugLog } from '../../http/debug-log';
import { readMountRules, type Layer, type MountRules, type Router } from '../../express/layers';
import { IndexedLayer } from './indexed-layer';
import { recheckAfter } from '../../express/stack-snapshot';

const debug = debugLog('routes');

/** By the stack, which stays the same object when instrumentation wraps the router. */
const indexes = new WeakMap<readonly Layer[], RouteIndex>();

/**
 * The layers of one router by the literal segments with which their paths begin, so that a lookup asks only
 * layers that can match. Layers whose paths begin with a parameter, RegExps and unknown syntax are always
 * asked.
 *
 * Added and removed layers are noticed at once, by the stack's length and its last layer; a layer replaced in
 * the middle is noticed after `recheckAfter`.
 */
export class RouteIndex {
  readonly layers: IndexedLayer[] = [];
  rules: MountRules;
  /** The stack that was indexed; the router can replace its own. */
  readonly #stack: readonly Layer[];
  readonly #byPrefix = new Map<string, number[]>();
  readonly #always: number[] = [];
  #longest = 0;
  #checked = performance.now();

  private constructor(private readonly router: Router) {
    this.#stack = router.stack;
    this.rules = readMountRules(router);
    this.#extend();
  }

  /** The index of a router, created or updated if its stack has changed. */
  static of(router: Router): RouteIndex {
    const known = indexes.get(router.stack);
    if (known !== undefined && known.#isCurrent()) return known;
    const index = new RouteIndex(router);
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

  #isCurrent(): boolean {
    const { layers } = this;
    const stack = this.#stack;
    if (stack[layers.length - 1] !== layers.at(-1)?.layer) return false;
    const now = performance.now();
    if (now - this.#checked > recheckAfter) {
      if (layers.some(({ layer }, i) => layer !== stack[i])) return false;
      this.#checked = now;
    }
    if (stack.length > layers.length) this.#extend();
    return true;
  }

  /** Adds the layers at the end of the stack that are not yet in the index. */
  #extend(): void {
    const stack = this.#stack;
    debug('indexing a router of %d layers, %d of them indexed before', stack.length, this.layers.length);
    this.rules = readMountRules(this.router);
    for (const layer of stack.slice(this.layers.length)) {
      const indexed = new IndexedLayer(layer);
      const { prefixes } = indexed;
      const position = this.layers.push(indexed) - 1;
      if (prefixes === undefined) this.#always.push(position);
      for (const prefix of new Set(prefixes)) {
        this.#longest = Math.max(this.#longest, prefix.length);
        const positions = this.#byPrefix.get(prefix);
        if (positions === undefined) this.#byPrefix.set(prefix, [position]);
        else positions.push(position);
      }
    }
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
