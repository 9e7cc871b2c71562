import { performance } from 'node:perf_hooks';
import { matchLayer, type Router } from '../../lib/express/layers';
import { readRouter } from '../../lib/express/apps';
import { RouteIndex } from '../../lib/routes/route-index';
import { Random } from './random';
import { RandomRoutes } from './random-routes';
import { buildTree, type Buildable, type Flavour } from './route-trees';
import { flavours } from './flavours';
import { times } from '../support/deep-scale';

/** One for each path syntax: what `router` brings of its own is how it keeps its mounts. */
const syntaxes = flavours.filter(({ name }) => name !== 'router 2.3');
const cases = times(250, 600_000);

describe('the index names every layer that matches, as a plain walk finds them', () => {
  it.each(syntaxes)('$name: random trees', (flavour) => {
    const missed: unknown[] = [];
    for (let seed = 1, asked = 0; asked < cases; seed++) {
      const routes = new RandomRoutes(new Random(seed), flavour.version, flavour.app !== undefined);
      const router = routerIn(buildTree(flavour, routes.tree()));
      const index = RouteIndex.of(router);
      for (let i = 0; i < 500; i++, asked++) {
        const path = routes.url().split('?', 1)[0] ?? '';
        if (!covers(index, router, path)) missed.push({ seed, path });
      }
    }
    expect(missed).toEqual([]);
  });

  const alphabet = {
    4: [
      '/',
      '/',
      'a',
      'b',
      '.',
      ':x',
      '?',
      '*',
      '+',
      '(',
      ')',
      '|',
      '\\',
      '[ab]',
      '{2}',
      '{0}',
      '^',
      '$',
      '/a',
    ],
    5: ['/', '/', 'a', 'b', '.', ':x', '*y', '{', '}', '\\', ':"z"', '/a', '/b', '%'],
  };
  const paths = [
    '/',
    '/a',
    '/b',
    '/ab',
    '/aa',
    '/a/',
    '/a/b',
    '/a/a',
    '/ab/',
    '/a.b',
    '/a.',
    '/a//b',
    '/a/b/a',
    '//a',
  ];

  it.each(syntaxes)('$name: random path patterns, on routes and on mounts', (flavour) => {
    const random = new Random(1);
    const missed: unknown[] = [];
    let matched = 0;
    const patterns = times(125, 100_000);
    for (let i = 0; i < patterns; i++) {
      const pattern = '/' + random.list(1, 7, () => random.pick(alphabet[flavour.version])).join('');
      const router = routerWith(flavour, random.chance(0.5) ? 'mount' : 'route', pattern);
      if (router === undefined) continue;
      const index = RouteIndex.of(router);
      const random8 = () => '/' + random.list(0, 7, () => random.pick(['/', 'a', 'b', '.', 'A'])).join('');
      for (const path of [...paths, random8(), random8()]) {
        if (router.stack.some((layer) => 'path' in Object(matchLayer(layer, path)))) matched++;
        if (!covers(index, router, path)) missed.push({ pattern, path });
      }
    }
    expect(missed).toEqual([]);
    expect(matched).toBeGreaterThan(patterns / 5);
  });
});

function routerIn(root: Buildable): Router {
  const router = readRouter(root);
  if (router === undefined) throw new Error('a tree without a router');
  return router;
}

/** undefined where the pattern is none in this syntax. */
function routerWith(flavour: Flavour, kind: 'mount' | 'route', pattern: string): Router | undefined {
  const plan = { app: false, caseSensitive: false, strict: false, mergeParams: false, steps: [] };
  const router = flavour.router(plan) as Buildable;
  try {
    if (kind === 'mount') router.use(pattern, () => undefined);
    else router.route(pattern);
  } catch {
    return undefined;
  }
  return routerIn(router);
}

function covers(index: RouteIndex, router: Router, path: string): boolean {
  const candidates = index.candidates(path);
  return (
    router.stack.every((layer, i) => matchLayer(layer, path) === undefined || candidates.includes(i)) &&
    candidates.every((candidate, i) => i === 0 || candidate > (candidates[i - 1] ?? 0))
  );
}

describe('the index is kept up to date', () => {
  const flavour = flavours[0] as Flavour;
  const literals = (router: Router, path: string): number => RouteIndex.of(router).candidates(path).length;

  function grown(...paths: string[]): { router: Router; add: (path: string) => void } {
    const built = flavour.router({
      app: false,
      caseSensitive: false,
      strict: false,
      mergeParams: false,
      steps: [],
    });
    const add = (path: string): void => {
      (built as Buildable).route(path);
    };
    paths.forEach(add);
    return { router: routerIn(built as Buildable), add };
  }

  it('a route added is seen at once', () => {
    const { router, add } = grown('/a', '/b');
    expect(literals(router, '/c')).toBe(0);
    add('/c');
    expect(literals(router, '/c')).toBe(1);
    expect(literals(router, '/a')).toBe(1);
  });

  it.each([0, 1, 2])('a route removed is seen at once: number %i', (number) => {
    const paths = ['/a', '/b', '/c'];
    const { router } = grown(...paths);
    paths.forEach((path) => {
      expect(literals(router, path)).toBe(1);
    });
    (router.stack as unknown[]).splice(number, 1);
    paths.forEach((path, i) => {
      expect(literals(router, path)).toBe(i === number ? 0 : 1);
    });
  });

  it('a layer exchanged in the middle is seen within a second', () => {
    const clock = jest.spyOn(performance, 'now');
    clock.mockReturnValue(1_000);
    const { router } = grown('/a', '/b', '/c');
    const other = grown('/d').router.stack[0];
    expect(literals(router, '/b')).toBe(1);
    (router.stack as unknown[]).splice(1, 1, other);
    clock.mockReturnValue(2_001);
    expect(literals(router, '/b')).toBe(0);
    expect(literals(router, '/d')).toBe(1);
    clock.mockRestore();
  });
});
