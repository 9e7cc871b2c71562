import { readRouter } from '../../lib/express/apps';
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

interface TreeOptions {
  /** Gives every route an OPTIONS handler that passes on, so that Express never answers by itself. */
  readonly quiet?: boolean;
  /** Makes what stands first, on the root or on the router of the plan that `at` is. */
  readonly first?: (root: unknown) => unknown;
  readonly at?: RouterPlan | undefined;
  /** Makes what stands at `place`. */
  readonly placed?: ((root: unknown) => unknown) | undefined;
  readonly place?: Place | undefined;
  /** Lets everything pass on and note itself, by `Notes` on the request. */
  readonly noting?: boolean;
}

/** In front of that step of a router, or behind the last. */
export interface Place {
  readonly router: RouterPlan;
  readonly step: number;
}

/** What a request notes on its way through a tree that is noting. */
export type Note =
  | { readonly kind: 'route'; readonly wildcard: boolean; readonly literal: boolean }
  /** What takes a verb for errors alone, so that no request comes to it. */
  | { readonly kind: 'errors'; readonly wildcard: boolean; readonly literal: boolean }
  /** What takes all verbs, on a path that is not a bare wildcard. */
  | { readonly kind: 'all'; readonly literal: boolean }
  /** What takes all verbs on a bare wildcard, or beside a verb: it may answer, but makes no route. */
  | { readonly kind: 'guard'; readonly literal: boolean }
  | { readonly kind: 'placed' };

/** Builds a tree whose routes answer with their verb; what takes all verbs notes it on the request and passes on. */
export function buildTree(flavour: Flavour, plan: RouterPlan, options: TreeOptions = {}): Buildable {
  const { quiet = false, first, at = plan, placed, place, noting = false } = options;
  const built = new Map<RouterPlan, Buildable>();

  let atPlace: unknown;

  function mount(parent: Buildable, { path, inner, late }: Step & { kind: 'mount' }, depth: number): void {
    const mountPath = noting && flavour.version === 4 ? renamed(path, depth) : path;
    const known = built.get(inner);
    const router = known ?? make(flavour, inner, false);
    built.set(inner, router);
    if (late) parent.use(mountPath, router);
    if (known === undefined) fill(router, inner, depth + 1);
    if (!late) parent.use(mountPath, router);
  }

  function fill(router: Buildable, inner: RouterPlan, depth: number): void {
    const { steps } = inner;
    if (at.steps === steps && first !== undefined) router.use(first(root));
    for (let i = 0; i <= steps.length; i++) {
      if (placed !== undefined && place?.router.steps === steps && place.step === i)
        router.use((atPlace ??= placed(root)));
      const step = steps[i];
      if (step?.kind === 'mount') mount(router, step, depth);
      else if (step !== undefined) add(router, step, { quiet, noting });
    }
    if (noting && steps.length > 0) mergeParams(router);
  }

  const root = make(flavour, plan, true);
  fill(root, plan, 0);
  return root;
}

/** Express 4 lets an optional parameter that takes nothing hide one of the same name on the way. */
function renamed(path: RoutePath, depth: number): RoutePath {
  if (typeof path === 'string') return path.replace(/:([xy])/g, `:$1_${depth}`);
  return path instanceof RegExp ? path : path.map((one) => renamed(one, depth) as string | RegExp);
}

function make({ router, app }: Flavour, plan: RouterPlan, root: boolean): Buildable {
  if (app === undefined || !(root || plan.app)) return router(plan) as Buildable;
  const made = app() as Buildable;
  if (plan.caseSensitive) made.enable('case sensitive routing');
  if (plan.strict) made.enable('strict routing');
  return made;
}

/** An app hands its parameters on to no router, and is asked for its own only when that is there, for it then reads its settings. */
function mergeParams(router: Buildable): void {
  Reflect.set(Object(readRouter(router)), 'mergeParams', true);
}

function add(
  router: Buildable,
  step: Exclude<Step, { kind: 'mount' }>,
  { quiet, noting }: { readonly quiet: boolean; readonly noting: boolean },
): void {
  if (step.kind === 'middleware') {
    router.use(step.path, step.arity === 3 ? pass : passError);
    return;
  }
  const wildcard = isWildcard(step.path);
  const literal = [step.path].flat().every((one) => typeof one === 'string');
  const noteAll = noting ? noteAs((byText) => ({ kind: 'all', literal: literal && byText })) : pass;
  const noteGuard = noting ? noteAs(() => ({ kind: 'guard', literal: false })) : pass;
  if (step.kind === 'all') {
    router.all(step.path, wildcard ? noteGuard : noteAll);
    return;
  }
  const noteRoute = noteAs((byText) => ({ kind: 'route', wildcard, literal: literal && byText }));
  const noteErrors = noteAs((byText) => ({ kind: 'errors', wildcard, literal: literal && byText }));
  const isOnlyForErrors = (verb: string) =>
    step.handlers.every((handler) => handler.verb !== verb || handler.arity === 4);
  const route = router.route(step.path);
  const onlyAll = !wildcard && !step.handlers.some(hasVerb);
  for (const { verb, arity } of step.handlers) {
    const handler = verb === 'all' ? (onlyAll ? noteAll : noteGuard) : noting ? noteRoute : answerAs(verb);
    const forErrors = noting && hasVerb({ verb, arity }) && isOnlyForErrors(verb) ? noteErrors : passError;
    route[verb.toLowerCase()]?.(arity === 4 ? forErrors : handler);
  }
  if (quiet) route['options']?.(pass);
}

/** Beside a verb, be it one that only errors reach, `.all` is taken for a middleware of its route; alone, for what handles all. */
export function hasVerb({ verb }: HandlerStep): boolean {
  return verb !== 'all' && verb !== 'OPTIONS';
}

/** Whether requests of its verb reach it. */
export function namesVerb(handler: HandlerStep): boolean {
  return hasVerb(handler) && handler.arity === 3;
}

interface Response {
  setHeader(name: string, value: string): void;
  end(content: string): void;
}
type Next = (error?: unknown) => void;

function answerAs(verb: string): unknown {
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

interface NotingRequest {
  readonly note: (note: Note) => void;
  readonly params: object;
}

/** @param made - told whether the path was taken by its text alone, without parameters, those of the mounts included */
function noteAs(made: (byText: boolean) => Note): unknown {
  return ({ note, params }: NotingRequest, _res: unknown, next: Next) => {
    note(made(Object.values(params).every((value) => value === undefined)));
    next();
  };
}

/** What stands at the place of a tree that is noting. */
export function notePlaced({ note }: NotingRequest, _res: unknown, next: Next): void {
  note({ kind: 'placed' });
  next();
}
