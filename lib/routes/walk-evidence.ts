import { performance } from 'node:perf_hooks';
import type { Layer, Router } from './express-layers';
import { recheckAfter } from './recheck-after';

/**
 * What the findings of a walk rest on: the stacks of the routers and routes that it came upon, as they were. A layer
 * added or removed is seen at once, one exchanged in place after `recheckAfter`.
 */
export class WalkEvidence {
  /** Whether a walk for any path of the same class would find the same, see `RememberedWalks`. */
  repeatable = true;
  readonly #routers: {
    readonly router: Router;
    readonly stack: readonly Layer[];
    readonly last: Layer | undefined;
  }[] = [];
  readonly #stacks: (readonly Layer[])[] = [];
  readonly #lengths: number[] = [];
  readonly #since = Math.trunc(performance.now());

  addRouter(router: Router): void {
    const { stack } = router;
    this.#routers.push({ router, stack, last: stack.at(-1) });
    this.addStack(stack);
  }

  addStack(stack: readonly Layer[]): void {
    this.#stacks.push(stack);
    this.#lengths.push(stack.length);
  }

  isCurrent(): boolean {
    for (let i = 0; i < this.#stacks.length; i++) {
      if (this.#stacks[i]?.length !== this.#lengths[i]) return false;
    }
    for (const { router, stack, last } of this.#routers) {
      if (router.stack !== stack || stack[stack.length - 1] !== last) return false;
    }
    return performance.now() - this.#since <= recheckAfter;
  }

  get routers(): readonly Router[] {
    return this.#routers.map(({ router }) => router);
  }
}
