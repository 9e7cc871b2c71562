import { isWildcard, type HandlerStep, type RoutePath, type RouterPlan, type Step } from './random-routes';

/** What apps and routers of every version have in common, for trees that are built of data. */
export interface Buildable {
  use(...pathAndHandlers: unknown[]): unknown;
  all(path: RoutePath, handler: unknown): unknown;
  route(path: RoutePath): Record<string, (handler: unknown) => unknown>;
  enable(setting: string): unknown;
}

/** A framework that routes are built with. */
export interface Flavour {
  readonly name: string;
  /** Of the path syntax. */
  readonly version: 4 | 5;
  readonly router: (options: RouterPlan) => unknown;
  /** Left out where there are only routers. */
  readonly app?: () => unknown;
}

export interface TreeOptions {
  /** Gives every route an OPTIONS handler that passes on, so that Express never answers by itself. */
  readonly quiet?: boolean;
  /** Makes what stands first, on the root or on the router of the plan that `at` is. */
  readonly first?: (root: unknown) => unknown;
  readonly at?: RouterPlan | undefined;
  /** Makes what stands last on the root. */
  readonly last?: (root: unknown) => unknown;
}

/** Builds a tree whose routes answer with their verb; what takes all verbs notes it on the request and passes on. */
export function buildTree(flavour: Flavour, plan: RouterPlan, options: TreeOptions = {}): Buildable {
  const { quiet = false, first, at = plan, last } = options;
  const built = new Map<RouterPlan, Buildable>();

  function mount(parent: Buildable, path: RoutePath, inner: RouterPlan, late: boolean): void {
    const known = built.get(inner);
    const router = known ?? make(flavour, inner, false);
    built.set(inner, router);
    if (late) parent.use(path, router);
    if (known === undefined) fill(router, inner);
    if (!late) parent.use(path, router);
  }

  function fill(router: Buildable, { steps }: RouterPlan): void {
    if (at.steps === steps && first !== undefined) router.use(first(root));
    for (const step of steps) {
      if (step.kind === 'mount') mount(router, step.path, step.inner, step.late);
      else add(router, step, quiet);
    }
  }

  const root = make(flavour, plan, true);
  fill(root, plan);
  if (last !== undefined) root.use(last(root));
  return root;
}

function make({ router, app }: Flavour, plan: RouterPlan, root: boolean): Buildable {
  if (app === undefined || !(root || plan.app)) return router(plan) as Buildable;
  const made = app() as Buildable;
  if (plan.caseSensitive) made.enable('case sensitive routing');
  if (plan.strict) made.enable('strict routing');
  return made;
}

function add(router: Buildable, step: Exclude<Step, { kind: 'mount' }>, quiet: boolean): void {
  if (step.kind === 'middleware') {
    router.use(step.path, step.arity === 3 ? pass : passError);
  } else if (step.kind === 'all') {
    router.all(step.path, isWildcard(step.path) ? pass : noteAll);
  } else {
    const route = router.route(step.path);
    const onlyAll = !isWildcard(step.path) && !step.handlers.some(namesVerb);
    for (const handler of step.handlers) route[handler.verb.toLowerCase()]?.(handlerOf(handler, onlyAll));
    if (quiet) route['options']?.(pass);
  }
}

/** Beside a verb, `.all` is taken for a middleware of its route; alone, for what handles all verbs. */
export function namesVerb({ verb, arity }: HandlerStep): boolean {
  return verb !== 'all' && verb !== 'OPTIONS' && arity === 3;
}

interface Response {
  setHeader(name: string, value: string): void;
  end(content: string): void;
}
type Next = (error?: unknown) => void;

function handlerOf({ verb, arity }: HandlerStep, onlyAll: boolean): unknown {
  if (arity === 4) return passError;
  if (verb === 'all') return onlyAll ? noteAll : pass;
  return (_req: unknown, res: Response) => {
    res.setHeader('handler', verb);
    res.end('');
  };
}

function pass(_req: unknown, _res: unknown, next: Next): void {
  next();
}

function passError(error: unknown, _req: unknown, _res: unknown, next: Next): void {
  next(error);
}

function noteAll(req: { noteAll?: () => void }, _res: unknown, next: Next): void {
  req.noteAll?.();
  next();
}
