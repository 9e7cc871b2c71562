import { performance } from 'node:perf_hooks';
import { declareMethods } from '../../lib/express/declare-methods';
import { readRouter } from '../../lib/express/apps';
import { declareChildren } from '../../lib/express/handler-metadata';
import type { Router } from '../../lib/express/layers';
import { methodNotAllowed } from '../../lib/allow/method-not-allowed';
import { cachedWalk as findRoutes } from '../../lib/routes/walk-cache';
import { walkRoutes, type Findings } from '../../lib/routes/route-walk';
import { Random } from './random';
import { RandomRoutes, verbs, type RouterPlan } from './random-routes';
import { buildTree, type Buildable, type Flavour } from './route-trees';
import { flavours } from './flavours';
import { times } from '../support/deep-scale';

const told = (findings: Findings): unknown => ({
  methods: findings.methods?.names,
  specific: findings.specific?.names,
  allVerbs: findings.allVerbs,
  literalAllVerbs: findings.literalAllVerbs,
  literalVerb: findings.literalVerb,
  optionsHandler: findings.optionsHandler,
  answeredByExpress: findings.answeredByExpress,
  malformed: findings.malformed !== undefined,
  positions: findings.positions.map((position) =>
    verbs.map((verb) => [
      position.precedesRoute(verb),
      position.precedesRouteOfItsRouter(verb),
      position.followsAllRoutes(verb),
    ]),
  ),
});

function routerIn(root: unknown): Router {
  const router = readRouter(root);
  if (router === undefined) throw new Error('a tree without a router');
  return router;
}

const plan = (random?: Random): RouterPlan => ({
  app: false,
  caseSensitive: random?.chance(0.3) ?? false,
  strict: random?.chance(0.3) ?? false,
  mergeParams: false,
  steps: [],
});
const answer = (_req: unknown, res: { end(): void }): void => {
  res.end();
};

const pass = (_req: unknown, _res: unknown, next: () => void): void => {
  next();
};

/** Routers in routers whose paths are mostly plain, and which the app goes on changing. */
class ChangingTree {
  readonly root: Buildable;
  readonly #routers: Buildable[] = [];
  readonly #routes: Record<string, (handler: unknown) => unknown>[] = [];

  constructor(
    private readonly flavour: Flavour,
    private readonly random: Random,
  ) {
    this.root = this.#made();
    for (let i = 0; i < 12; i++) this.#grow();
  }

  change(): void {
    const stack = routerIn(this.random.pick(this.#routers)).stack as unknown[];
    const what = this.random.next();
    if (what < 0.3) this.#grow();
    else if (what < 0.5 && this.#routes.length > 0) this.random.pick(this.#routes)[this.#verb()]?.(answer);
    else if (what < 0.6) stack.pop();
    else if (what < 0.7) stack.splice(this.random.integer(0, 3), 1);
    else if (what < 0.8) this.#replaceStack();
  }

  path(): string {
    if (this.random.chance(0.05)) return '/';
    const pieces = ['a', 'b', 'c', 'A', '1', '2', '3', 'x.y', '', '%61', '%zz'];
    const usual = pieces.slice(0, 8);
    const from = this.random.chance(0.9) ? usual : pieces;
    return `/${this.random.list(1, 4, () => this.random.pick(from)).join('/')}${this.random.chance(0.1) ? '?q' : ''}`;
  }

  #made(): Buildable {
    const router = this.flavour.router(plan(this.random)) as Buildable;
    this.#routers.push(router);
    return router;
  }

  #grow(): void {
    const router = this.random.pick(this.#routers);
    const path =
      this.random.chance(0.02) && this.flavour.version === 5
        ? '/a/*rest'
        : `/${this.random.list(0, 3, () => this.random.pick(['a', 'b', 'c', 'B', ':x', ':y'])).join('/')}`;
    const kind = this.random.next();
    if (kind < 0.3) router.use(path, this.#made());
    else if (kind < 0.4) router.use(this.#routes.length % 3 === 0 ? pass : methodNotAllowed());
    else {
      const route = router.route(path);
      this.#routes.push(route);
      for (let i = this.random.integer(0, 2); i >= 0; i--) route[this.#verb()]?.(answer);
    }
  }

  #verb(): string {
    return this.random.pick(['get', 'put', 'patch', 'delete', 'options', 'all']);
  }

  #replaceStack(): void {
    const router = routerIn(this.random.pick(this.#routers));
    Reflect.set(
      router,
      'stack',
      router.stack.filter(() => this.random.chance(0.8)),
    );
  }
}

describe('what is remembered is what a walk finds', () => {
  it.each(flavours)('$name: random trees of plain paths, which go on changing', (flavour) => {
    const wrong: unknown[] = [];
    const trees = times(40, 3_000);
    const seen = { remembered: 0, walked: 0, methods: 0, positions: 0 };
    for (let seed = 1; seed <= trees; seed++) {
      const random = new Random(seed);
      const tree = new ChangingTree(flavour, random);
      const met = new Set<Findings>();
      for (let i = 0; i < 150; i++) {
        if (random.chance(0.1)) tree.change();
        const url = tree.path();
        const found = findRoutes(routerIn(tree.root), url);
        const expected = told(walkRoutes(routerIn(tree.root), url));
        if (JSON.stringify(told(found)) !== JSON.stringify(expected))
          wrong.push({ seed, i, url, found: told(found), expected });
        seen[met.has(found) ? 'remembered' : 'walked']++;
        if (found.methods !== undefined) seen.methods++;
        if (found.positions.length > 0) seen.positions++;
        met.add(found);
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(2 * trees);
  });

  it.each(flavours)('$name: random trees of every path there is', (flavour) => {
    const trees = times(3, 4_000);
    const wrong: unknown[] = [];
    for (let seed = 1; seed <= trees; seed++) {
      const random = new Random(seed);
      const routes = new RandomRoutes(random, flavour.version, flavour.app !== undefined);
      const tree = routes.tree();
      const place = { router: tree, step: random.integer(0, tree.steps.length) };
      const router = routerIn(buildTree(flavour, tree, { place, placed: () => methodNotAllowed() }));
      for (let i = 0; i < 100; i++) {
        const url = routes.url();
        const found = told(findRoutes(router, url));
        const expected = told(walkRoutes(router, url));
        if (JSON.stringify(found) !== JSON.stringify(expected)) wrong.push({ seed, url, found, expected });
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
  });
});

describe.each(flavours)('$name', ({ version, router: make }) => {
  function built(): { router: Router; tree: Buildable } {
    const tree = make(plan()) as Buildable;
    tree.route('/notes/:id')['get']?.(answer);
    tree.route('/notes/new')['post']?.(answer);
    return { router: routerIn(tree), tree };
  }

  it('remembers one walk for all targets that the routes cannot tell apart', () => {
    const { router } = built();
    const first = findRoutes(router, '/notes/1');
    expect(findRoutes(router, '/notes/2?x=/notes/new')).toBe(first);
    expect(findRoutes(router, '/notes/new')).not.toBe(first);
    expect(findRoutes(router, '/notes/NEW')).not.toBe(first);
    expect(findRoutes(router, '/notes')).not.toBe(first);
    expect(findRoutes(router, '/other/1')).not.toBe(first);
    expect(findRoutes(router, '/notes/3')).toBe(first);
  });

  it.each([
    { what: 'an escape', url: '/notes/%31' },
    { what: 'a slash at the end', url: '/notes/1/' },
    { what: 'an empty segment', url: '/notes//1' },
    { what: 'a fragment', url: '/notes/1#x' },
    { what: 'an absolute form', url: 'http://example.com/notes/1' },
  ])('does not remember what depends on more than the segments: $what', ({ url }) => {
    const { router } = built();
    expect(findRoutes(router, url)).not.toBe(findRoutes(router, url));
  });

  it('does not remember what a layer said itself', () => {
    const { router, tree } = built();
    tree.route(/^\/notes\/\d$/)['delete']?.(answer);
    expect(findRoutes(router, '/notes/1').methods?.names).toContain('DELETE');
    expect(findRoutes(router, '/notes/12').methods?.names).not.toContain('DELETE');
  });

  it('does not remember for the literals of a wildcard what is found for others', () => {
    const { router, tree } = built();
    tree.route(version === 4 ? '/files/of/*' : '/files/of/*rest')['put']?.(answer);
    tree.route('/:a/:b/:c')['get']?.(answer);
    expect(findRoutes(router, '/x/y/z').methods?.names).toEqual(['GET', 'HEAD', 'OPTIONS']);
    expect(findRoutes(router, '/files/of/z').methods?.names).toEqual(['GET', 'HEAD', 'OPTIONS', 'PUT']);
  });

  describe('looks after half a second whether something was exchanged in place', () => {
    const onError = (_error: unknown, _req: unknown, _res: unknown, next: () => void): void => {
      next();
    };
    const [first, second, other] = [methodNotAllowed(), methodNotAllowed(), methodNotAllowed()];
    const bundle = (...children: object[]) => declareChildren(pass.bind(null), children);
    const layerIn = ({ stack }: Pick<Router, 'stack'>, i: number): { handle: unknown } => {
      const layer = stack[i];
      if (layer === undefined) throw new Error('no layer');
      return layer;
    };
    const atFirst = ['GET', 'HEAD', 'OPTIONS', 'PUT'];
    it.each<{
      readonly title: string;
      /** Default: as at first. */
      readonly methods?: string[];
      readonly exchange?: (router: Router) => void;
    }>([
      { title: 'nothing' },
      {
        title: 'a layer of the router',
        methods: ['OPTIONS', 'PUT'],
        exchange: ({ stack }) => {
          Reflect.set(stack, 0, stack[1]);
        },
      },
      {
        title: 'a handler of a route',
        methods: ['OPTIONS', 'PUT'],
        exchange: ({ stack }) => {
          layerIn(stack[0]?.route ?? { stack: [] }, 0).handle = onError;
        },
      },
      {
        title: 'a router by none',
        methods: ['GET', 'HEAD', 'OPTIONS'],
        exchange: (router) => {
          layerIn(router, 1).handle = pass;
        },
      },
      {
        title: 'a middleware by what is declared',
        methods: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT'],
        exchange: (router) => {
          layerIn(router, 2).handle = declareMethods(['DELETE'], pass);
        },
      },
      {
        title: 'what is declared by other methods',
        methods: ['DELETE', ...atFirst],
        exchange: (router) => {
          layerIn(router, 3).handle = declareMethods(['DELETE'], pass);
        },
      },
      {
        title: 'what is declared by the same that answers OPTIONS itself',
        exchange: (router) => {
          layerIn(router, 3).handle = declareMethods(['OPTIONS'], pass);
        },
      },
      {
        title: 'what is declared by what is not',
        exchange: (router) => {
          layerIn(router, 3).handle = pass;
        },
      },
      {
        title: 'middlewares of ours by one of them',
        exchange: (router) => {
          layerIn(router, 4).handle = first;
        },
      },
      {
        title: 'one of two middlewares of ours',
        exchange: (router) => {
          layerIn(router, 4).handle = bundle(first, other);
        },
      },
      {
        title: 'middlewares of ours by what is declared',
        exchange: (router) => {
          layerIn(router, 4).handle = declareMethods([], pass);
        },
      },
    ])('$title', ({ methods = atFirst, exchange }) => {
      const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
      const tree = make(plan()) as Buildable;
      const inner = make(plan()) as Buildable;
      inner.route('/:id')['put']?.(answer);
      tree.route('/:id')['get']?.(answer);
      tree.use('/', inner);
      tree.use(pass);
      tree.use(declareMethods([], pass));
      tree.use(bundle(first, second));
      const router = routerIn(tree);
      const before = findRoutes(router, '/1');
      expect(findRoutes(router, '/2')).toBe(before);
      exchange?.(router);
      clock.mockReturnValue(1_501);
      const after = findRoutes(router, '/3');
      expect(after.methods?.names).toEqual(methods);
      expect(after === before).toBe(exchange === undefined);
      clock.mockRestore();
    });
  });

  it('has a bound: targets of literals in every order do not fill it', () => {
    const { router } = built();
    const first = findRoutes(router, '/notes/1');
    const word = (i: number, j: number): string => ((i >> j) % 2 === 0 ? 'notes' : 'new');
    for (let i = 0; i < 25_000; i++) {
      findRoutes(router, `/${Array.from({ length: 15 }, (_, j) => word(i, j)).join('/')}`);
    }
    expect(findRoutes(router, '/notes/1')).not.toBe(first);
    expect(findRoutes(router, '/notes/2')).toBe(findRoutes(router, '/notes/3'));
  });

  it('has a bound: walks through many routers do not fill it', () => {
    const tree = make(plan()) as Buildable;
    for (let i = 0; i < 200; i++) {
      const inner = make(plan()) as Buildable;
      for (let j = 0; j < 5; j++) inner.route(`/${i}x${j}/:id`)['get']?.(answer);
      tree.use(inner);
    }
    const router = routerIn(tree);
    const first = findRoutes(router, '/0x0/1');
    expect(findRoutes(router, '/0x0/2')).toBe(first);
    for (let i = 0; i < 200; i++) for (let j = 0; j < 5; j++) findRoutes(router, `/${i}x${j}/1`);
    expect(findRoutes(router, '/0x0/3')).not.toBe(first);
  });

  it('is not filled by one long target', () => {
    const { router } = built();
    const first = findRoutes(router, '/notes/1');
    const long = '/1'.repeat(60_000);
    expect(findRoutes(router, long)).not.toBe(findRoutes(router, long));
    expect(findRoutes(router, '/notes/1')).toBe(first);
  });

  describe('what comes and goes is seen at once', () => {
    const methodsOf = (router: Router, path: string) => findRoutes(router, path).methods?.names;

    it('where a route is as long as it was', () => {
      const tree = make(plan()) as Buildable;
      const route = tree.route('/x');
      route['get']?.(answer);
      const router = routerIn(tree);
      expect(methodsOf(router, '/x')).toEqual(['GET', 'HEAD', 'OPTIONS']);
      const stack = router.stack[0]?.route?.stack as unknown[];
      stack.pop();
      route['put']?.(answer);
      expect(methodsOf(router, '/x')).toEqual(['OPTIONS', 'PUT']);
    });

    it('where a router looks again as it did when a walk was remembered', () => {
      const tree = make(plan()) as Buildable;
      tree.route('/x')['get']?.(answer);
      tree.route('/y')['put']?.(answer);
      const router = routerIn(tree);
      const stack = router.stack as unknown[];
      expect(methodsOf(router, '/x')).toEqual(['GET', 'HEAD', 'OPTIONS']);
      tree.route(/x/)['delete']?.(answer);
      stack.splice(1, 0, stack.pop());
      expect(methodsOf(router, '/x')).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS']);
      stack.shift();
      expect(methodsOf(router, '/x')).toEqual(['DELETE', 'OPTIONS']);
    });

    it('where two routers had one stack, and one of them no longer has', () => {
      const inner = make(plan()) as Buildable;
      inner.route('/x')['get']?.(answer);
      inner.route('/x')['put']?.(answer);
      const { stack } = routerIn(inner);
      const other = Object.assign(() => undefined, { stack });
      const tree = make(plan()) as Buildable;
      tree.use('/a', inner);
      tree.use('/b', other);
      const router = routerIn(tree);
      expect(methodsOf(router, '/a/x')).toEqual(['GET', 'HEAD', 'OPTIONS', 'PUT']);
      expect(methodsOf(router, '/b/x')).toEqual(['GET', 'HEAD', 'OPTIONS', 'PUT']);
      other.stack = stack.slice(0, 1);
      expect(methodsOf(router, '/b/x')).toEqual(['GET', 'HEAD', 'OPTIONS']);
      expect(methodsOf(router, '/a/x')).toEqual(['GET', 'HEAD', 'OPTIONS', 'PUT']);
    });
  });
});
