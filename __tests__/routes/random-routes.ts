import type { Random } from './random';

/** Routes and middlewares as data, so that twins can be built of them. */
export type Step =
  | { readonly kind: 'route'; readonly path: RoutePath; readonly handlers: readonly HandlerStep[] }
  /** `app.all` or `router.all` */
  | { readonly kind: 'all'; readonly path: RoutePath }
  | { readonly kind: 'middleware'; readonly path: RoutePath; readonly arity: 3 | 4 }
  | { readonly kind: 'mount'; readonly path: RoutePath; readonly inner: RouterPlan; readonly late: boolean };

/** A handler of a route: of one verb, or a middleware for all of them. */
export interface HandlerStep {
  readonly verb: string;
  readonly arity: 3 | 4;
}

export interface RouterPlan {
  readonly app: boolean;
  readonly caseSensitive: boolean;
  readonly strict: boolean;
  readonly mergeParams: boolean;
  readonly steps: readonly Step[];
}

export type RoutePath = string | RegExp | readonly (string | RegExp)[];

export const verbs = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'M-SEARCH', 'OPTIONS'];

const literal = [
  '/a',
  '/b',
  '/a/b',
  '/a/a',
  '/ab',
  '/A/b',
  '/a.b',
  '/a/',
  '/',
  '/b/a/c',
  '/a//b',
  '/%61',
  '/c',
];
const regExps = [/^\/a(?:\/|$)/, /\/b$/, /^\/(a|b)\/?$/i, /a/, /^\/(.+)\/b/, /^\/a/, /^\/([^/]+)\/?/];
const syntax = {
  4: [
    '/:x',
    '/a/:x',
    '/:x/b',
    '/:x?',
    '/a/:x?',
    '/a/:x?b',
    '/:x/:y',
    '/a*',
    '/a/*',
    '/*/b',
    '/:x(\\d+)',
    '/:x(a|b)',
    '/ab?c',
    '/ab/?c',
    '/a/?b',
    '/(a)?b',
    '/a+b',
    '/:x.:y',
    '/a.:x?',
    '/a|/b',
    '/a(/b)?',
    '/a/.:x',
    '/:x*',
    '/a/b?',
  ],
  5: [
    '/:x',
    '/a/:x',
    '/:x/b',
    '/a{/:x}',
    '/{:x}',
    '{/:x}/b',
    '/:x/:y',
    '/a{b}',
    '/a/*rest',
    '/*rest/b',
    '/:x.:y',
    '/a.:x',
    '/:x-:y',
    '/a{/b}',
    '/a\\:x',
    '/:"x y"',
    '/a{/b}{/c}',
    '/a{/b{/c}}',
    '/:x{.:y}',
  ],
} as const;
/** Paths that take every other, on which a route for all verbs is a guard. */
const wildcards: Record<4 | 5, readonly (string | RegExp)[]> = {
  4: ['*', '/*', '/:x*', /.*/, /^\/.*$/],
  5: ['/*all', '/{*all}', '{*all}', /.*/, /^\/.*$/],
};

export function isWildcard(path: RoutePath): boolean {
  return [path].flat().some((one) => [...wildcards[4], ...wildcards[5], regExps.at(-1)].includes(one));
}

export class RandomRoutes {
  /** Routers made before, to be mounted once more. */
  readonly #shared: RouterPlan[] = [];
  #routes = 0;

  /** @param version - of the path syntax; @param subApps - whether apps can be mounted */
  constructor(
    private readonly random: Random,
    private readonly version: 4 | 5,
    private readonly subApps: boolean,
  ) {}

  tree(): RouterPlan {
    this.#shared.length = 0;
    this.#routes = this.random.integer(1, 40);
    return this.#router(0);
  }

  #router(depth: number): RouterPlan {
    const { random } = this;
    const steps: Step[] = [];
    const length = random.integer(depth === 0 ? 2 : 0, 12);
    while (steps.length < length && this.#routes > 0) steps.push(this.#step(depth));
    if (depth === 0 && random.chance(0.4)) {
      for (const step of this.#allBesideParameter()) steps.splice(random.integer(0, steps.length), 0, step);
    }
    const plan = {
      app: this.subApps && depth > 0 && random.chance(0.4),
      caseSensitive: random.chance(0.3),
      strict: random.chance(0.3),
      mergeParams: random.chance(0.3),
      steps,
    };
    if (depth > 0) this.#shared.push(plan);
    return plan;
  }

  /** A literal path for all verbs beside a parameter for one, which chance alone seldom brings together. */
  #allBesideParameter(): readonly Step[] {
    const { random } = this;
    return [
      { kind: 'all', path: random.pick(['/a', '/b']) },
      { kind: 'route', path: '/:x', handlers: [{ verb: random.pick(verbs), arity: 3 }] },
    ];
  }

  #step(depth: number): Step {
    const { random } = this;
    const path = this.#path();
    const kind = random.next();
    if (kind < 0.3 && depth < 3) {
      const again = this.#shared.length > 0 && random.chance(0.25);
      const inner = again ? random.pick(this.#shared) : this.#router(depth + 1);
      return { kind: 'mount', path: random.chance(0.3) ? '/' : path, inner, late: random.chance(0.3) };
    }
    if (kind < 0.4)
      return { kind: 'middleware', path: random.chance(0.5) ? '/' : path, arity: random.pick([3, 4]) };
    this.#routes--;
    if (kind < 0.5) {
      const literalOr = random.chance(0.4) ? random.pick(literal) : path;
      return { kind: 'all', path: random.chance(0.4) ? random.pick(wildcards[this.version]) : literalOr };
    }
    const handlers = random.list(0, 4, () => ({
      verb: random.chance(0.15) ? 'all' : random.chance(0.2) ? 'OPTIONS' : random.pick(verbs),
      arity: random.chance(0.15) ? (4 as const) : (3 as const),
    }));
    return {
      kind: 'route',
      path: random.chance(0.1) ? random.pick(wildcards[this.version]) : path,
      handlers,
    };
  }

  #path(): RoutePath {
    const { random } = this;
    const one = (): string | RegExp => {
      const kind = random.next();
      if (kind < 0.45) return random.pick(literal);
      return kind < 0.9 ? random.pick<string>(syntax[this.version]) : random.pick(regExps);
    };
    return random.chance(0.1) ? random.list(1, 3, one) : one();
  }

  /** A request target: likely and unlikely ones, none of them refused by Node's parser in every mode. */
  url(): string {
    const { random } = this;
    if (random.chance(0.01)) return random.pick(['*', '', '//', 'a/b', '/http://h/a', 'http://', 'http://h']);
    // What literal paths are about.
    if (random.chance(0.15)) return random.pick(literal);
    const common = ['a', 'b', 'a', 'b', 'ab', 'c', 'A', 'a.b', 'a-b', '1'];
    const odd = [
      '',
      '.',
      '..',
      '%zz',
      '%2F',
      '%',
      'a%20b',
      ' ',
      'a b',
      '\\',
      'é',
      ':x',
      'a;b',
      'abc',
      '.b',
      'a.',
      '%61',
    ];
    const segment = () => random.pick(random.chance(0.88) ? common : odd);
    const path = random.list(0, 5, () => `/${segment()}`).join('') + (random.chance(0.2) ? '/' : '') || '/';
    const origin = random.chance(0.06) ? random.pick(['http://h', 'x://', 'http://h\\', '//h']) : '';
    const query = random.chance(0.1) ? random.pick(['?', '?a=/b', '?a?b', '?http://x', '? ', '?#']) : '';
    const fragment = random.chance(0.05) ? random.pick(['#', '#/a', '#?b', '#a b']) : '';
    return origin + path + query + fragment;
  }
}
