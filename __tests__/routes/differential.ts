import { METHODS } from 'node:http';
import { methodNotAllowed } from '../../lib/options/method-not-allowed';
import { optionsHandler } from '../../lib/options/options-handler';
import { dispatch, type Outcome } from '../support/in-process';
import { flavours } from './flavours';
import { Random } from './random';
import { isWildcard, RandomRoutes, verbs, type HandlerStep, type RouterPlan } from './random-routes';
import { buildTree, namesVerb, type Buildable, type Flavour } from './route-trees';

/** A request for which the library said something else than the app's own dispatch shows. */
interface Disagreement {
  readonly seed: number;
  readonly method: string;
  readonly url: string;
  readonly expected: string;
  readonly actual: string;
}

/** What was compared, by what was expected. */
interface Census {
  cases: number;
  readonly expected: Record<string, number>;
  readonly disagreements: Disagreement[];
}

/** What must come up many times: a run that never met a case says nothing about it. */
const labels = [
  'OPTIONS 200',
  'OPTIONS 200 handler',
  'OPTIONS 400',
  'OPTIONS 404',
  'other 200 handler',
  'other 400',
  'other 404',
  'other 405',
];

/** The trees are those of one seed and the next ones: SEED=… repeats a run, or tries others. */
export function describeDifferential(title: string, cases: number, firstSeed: number): void {
  const seed = Number(process.env['SEED'] ?? firstSeed);

  describe(`${title} (SEED=${seed})`, () => {
    beforeAll(() => {
      Error.stackTraceLimit = 0; // every 405 is an error, of which nobody reads the stack here
    });

    it.each(flavours)('$name', async (flavour) => {
      const census = await compare(flavour, cases, seed);
      expect(census.disagreements.slice(0, 10)).toEqual([]);
      expect(census.cases).toBeGreaterThanOrEqual(cases);
      expect(Object.keys(census.expected).sort()).toEqual(labels);
      const rare = Object.entries(census.expected).filter(([, times]) => times < cases / 2_000);
      expect(rare).toEqual([]);
    });
  });
}

const urlsPerTree = 12;

/**
 * Sends requests for random targets through random trees, with every verb and for real, and compares what is reached
 * with what the library says of the same target on a twin.
 */
async function compare(flavour: Flavour, cases: number, seed: number): Promise<Census> {
  const census: Census = { cases: 0, expected: {}, disagreements: [] };
  for (let treeSeed = seed; census.cases < cases; treeSeed++) {
    const random = new Random(treeSeed);
    const routes = new RandomRoutes(random, flavour.version, flavour.app !== undefined);
    const plan = routes.tree();
    const twins = makeTwins(flavour, plan, random.chance(0.8) ? plan : random.pick(routersOf(plan)));
    const urls = Array.from({ length: urlsPerTree }, () => routes.url());
    const compared = await Promise.all(urls.map((url) => compareTarget(twins, plan, url)));
    for (const { url, method, label, expected, actual } of compared.flat()) {
      census.cases++;
      census.expected[label] = (census.expected[label] ?? 0) + 1;
      if (expected !== actual) census.disagreements.push({ seed: treeSeed, method, url, expected, actual });
    }
  }
  return census;
}

function routersOf(plan: RouterPlan): RouterPlan[] {
  return [plan, ...plan.steps.flatMap((step) => (step.kind === 'mount' ? routersOf(step.inner) : []))];
}

interface Twins {
  /** Without the library; where that stands in the other, it notes that it was reached. */
  readonly host: Buildable;
  /** Without the library, and without Express's own answers to OPTIONS. */
  readonly quiet: Buildable;
  readonly ours: Buildable;
}

/** @param at - the router on which our OPTIONS handler stands first: mostly the root */
function makeTwins(flavour: Flavour, plan: RouterPlan, at: RouterPlan): Twins {
  // Only an Express app is found from a request; of a router, the library is told.
  const options = (root: unknown) => (flavour.app === undefined ? { root } : {});
  return {
    host: buildTree(flavour, plan, { at, first: () => noteReached }),
    quiet: buildTree(flavour, plan, { quiet: true }),
    ours: buildTree(flavour, plan, {
      at,
      first: (root) => optionsHandler(options(root)),
      last: (root) => methodNotAllowed(options(root)),
    }),
  };
}

function noteReached(req: { noteReached: () => void }, _res: unknown, next: () => void): void {
  req.noteReached();
  next();
}

interface Compared {
  readonly url: string;
  readonly method: string;
  readonly label: string;
  readonly expected: string;
  readonly actual: string;
}

async function compareTarget(
  { host, quiet, ours }: Twins,
  plan: RouterPlan,
  url: string,
): Promise<Compared[]> {
  let takesAll = false;
  let handlerReached = false;
  const notes = (verb: string) => ({
    noteAll: () => (takesAll = true),
    noteReached: () => (handlerReached ||= verb === 'OPTIONS'),
  });
  const [hosts, our] = await Promise.all([
    Promise.all(verbs.map((verb) => dispatch(host, verb, url, notes(verb)))),
    Promise.all(verbs.map((verb) => dispatch(ours, verb, url))),
  ]);
  const handled = verbs.filter((verb, i) => verb !== 'OPTIONS' && 'handler' in (hosts[i]?.headers ?? {}));
  const reached = url === '*' ? ofServer(plan) : { handled, takesAll };
  const reachesOptions = handled.length === 0 && 'handler' in (await dispatch(quiet, 'OPTIONS', url)).headers;

  return verbs.map((method, i) => {
    const byHost = hosts[i];
    const byUs = our[i];
    if (byHost === undefined || byUs === undefined) throw new Error('a request without an outcome');
    const expected =
      method === 'OPTIONS' && handlerReached
        ? expectedOptions(byHost, { ...reached, reachesOptions, malformed: hosts.some(isMalformed) })
        : expectedOther(method, byHost, handled);
    const label = `${method === 'OPTIONS' ? method : 'other'} ${/^\d+(?: handler)?/.exec(expected)?.[0]}`;
    return { url, method, label, expected, actual: shown(byUs) };
  });
}

interface Reached {
  /** The verbs but OPTIONS for which a handler of the app's was reached. */
  readonly handled: readonly string[];
  /** A route for all verbs was passed, on a path that is not a bare wildcard. */
  readonly takesAll: boolean;
  /** An OPTIONS handler of the app's is reached where Express does not answer by itself before. */
  readonly reachesOptions: boolean;
  readonly malformed: boolean;
}

function expectedOptions(byHost: Outcome, { handled, takesAll, reachesOptions, malformed }: Reached): string {
  if ('handler' in byHost.headers) return shown(byHost);
  if (handled.length > 0) return allowed(200, handled);
  if (takesAll) return allowed(200, METHODS);
  if (reachesOptions) return allowed(200, []);
  return malformed ? '400' : '404';
}

function expectedOther(method: string, byHost: Outcome, handled: readonly string[]): string {
  return method !== 'OPTIONS' && byHost.status === 404 && handled.length > 0
    ? allowed(405, handled)
    : shown(byHost);
}

/** What `OPTIONS *` is about: every route, by what it was made of. */
function ofServer({ steps }: RouterPlan): Pick<Reached, 'handled' | 'takesAll'> {
  const every = steps.map((step) => {
    if (step.kind === 'mount') return ofServer(step.inner);
    if (step.kind === 'middleware') return { handled: [], takesAll: false };
    const { path, handlers } = step.kind === 'all' ? { path: step.path, handlers: [loneAll] } : step;
    const handled = handlers.filter(namesVerb).map(({ verb }) => verb);
    const getIsHead = handled.includes('GET') && !handlers.some(({ verb }) => verb === 'HEAD');
    const takesAll = handlers.some(({ verb, arity }) => verb === 'all' && arity === 3);
    return {
      handled: getIsHead ? [...handled, 'HEAD'] : handled,
      takesAll: takesAll && handled.length === 0 && !isWildcard(path),
    };
  });
  return {
    handled: every.flatMap(({ handled }) => handled),
    takesAll: every.some(({ takesAll }) => takesAll),
  };
}

const loneAll: HandlerStep = { verb: 'all', arity: 3 };

function isMalformed({ status }: Outcome): boolean {
  return status === 400;
}

function allowed(status: number, methods: readonly string[]): string {
  return `${status} ${[...new Set([...methods, 'OPTIONS'])].sort().join(', ')}`;
}

function shown({ status, headers }: Outcome): string {
  if (headers['handler'] !== undefined) return `${status} handler ${headers['handler']}`;
  return headers['allow'] === undefined ? String(status) : `${status} ${headers['allow']}`;
}
