import { methodNotAllowed } from '../../lib/allow/method-not-allowed';
import { optionsHandler } from '../../lib/allow/options-handler';
import { dispatch, type Outcome } from '../support/in-process';
import { flavours } from './flavours';
import { Random } from './random';
import { isWildcard, RandomRoutes, verbs, type HandlerStep, type RouterPlan } from './random-routes';
import {
  buildTree,
  hasVerb,
  namesVerb,
  notePlaced,
  type Buildable,
  type Flavour,
  type Note,
  type Place,
} from './route-trees';

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
  // In front of a route that takes the request.
  'other let pass',
  // A route for all verbs beside others.
  'OPTIONS 200 all beside',
];

/** The trees are those of one seed and the next ones: SEED=… repeats a run, or tries others. */
export function describeDifferential(title: string, cases: number, firstSeed: number): void {
  const seed = Number(process.env['SEED'] ?? firstSeed);

  describe(`${title} (SEED=${seed})`, () => {
    beforeAll(() => {
      Error.stackTraceLimit = 0; // every 405 is an error, of which nobody reads the stack here
      jest.spyOn(process, 'emitWarning').mockImplementation(); // of those that stand in front of routes
    });

    afterAll(() => {
      jest.restoreAllMocks();
    });

    it.each(flavours)('$name', async (flavour) => {
      const census = await compare(flavour, cases, seed);
      expect(census.disagreements.slice(0, 10)).toEqual([]);
      expect(census.cases).toBeGreaterThanOrEqual(cases);
      expect(Object.keys(census.expected).sort()).toEqual([...labels].sort());
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
    const router = random.chance(0.5) ? plan : random.pick(routersOf(plan));
    const place = {
      router,
      step: random.chance(0.4) ? router.steps.length : random.integer(0, router.steps.length),
    };
    const twins = makeTwins(flavour, plan, random.chance(0.8) ? plan : random.pick(routersOf(plan)), place);
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
  /** Without the library: everything passes on, and notes that it was reached. */
  readonly noting: Buildable;
  readonly ours: Buildable;
}

/**
 * @param at - the router on which our OPTIONS handler stands first: mostly the root
 * @param place - of our 405
 */
function makeTwins(flavour: Flavour, plan: RouterPlan, at: RouterPlan, place: Place): Twins {
  // Only an Express app is found from a request; of a router, the library is told.
  const options = (root: unknown) => (flavour.app === undefined ? { root } : {});
  return {
    host: buildTree(flavour, plan, { at, first: () => noteReached }),
    quiet: buildTree(flavour, plan, { quiet: true }),
    noting: buildTree(flavour, plan, { noting: true, place, placed: () => notePlaced }),
    ours: buildTree(flavour, plan, {
      at,
      first: (root) => optionsHandler(options(root)),
      place,
      placed: (root) => methodNotAllowed(options(root)),
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
  { host, quiet, noting, ours }: Twins,
  plan: RouterPlan,
  url: string,
): Promise<Compared[]> {
  let handlerReached = false;
  const onReached = (verb: string) => ({ noteReached: () => (handlerReached ||= verb === 'OPTIONS') });
  const [hosts, our, noted] = await Promise.all([
    Promise.all(verbs.map((verb) => dispatch(host, verb, url, onReached(verb)))),
    Promise.all(verbs.map((verb) => dispatch(ours, verb, url))),
    Promise.all(verbs.map((verb) => notesOf(noting, verb, url))),
  ]);
  const handled = verbs.filter((verb, i) => verb !== 'OPTIONS' && 'handler' in (hosts[i]?.headers ?? {}));
  const passed = findingsOf(noted);
  const reached = url === '*' ? ofServer(plan) : { handled, takesAll: passed.takesAll };
  const reachesOptions = handled.length === 0 && 'handler' in (await dispatch(quiet, 'OPTIONS', url)).headers;

  return verbs.map((method, i) => {
    const byHost = hosts[i];
    const byUs = our[i];
    if (byHost === undefined || byUs === undefined) throw new Error('a request without an outcome');
    const isOptions = method === 'OPTIONS';
    const notes = (noted[i] ?? []).filter(({ kind }) => kind !== 'errors');
    const refusal = isOptions ? undefined : refusalOf(method, notes, passed.specific, handled);
    const expected =
      isOptions && handlerReached
        ? expectedOptions(byHost, { ...reached, reachesOptions, malformed: hosts.some(isMalformed) })
        : refusal === undefined || refusal === 'behind'
          ? shown(byHost)
          : refusal;
    const outcome = /^\d+(?: handler)?/.exec(expected)?.[0];
    const beside = handled.length > 0 && passed.takesAll && outcome === '200';
    const label = isOptions
      ? `OPTIONS ${outcome}${beside ? ' all beside' : ''}`
      : `other ${refusal === 'behind' ? 'let pass' : outcome}`;
    return { url, method, label, expected, actual: shown(byUs) };
  });
}

async function notesOf(noting: Buildable, verb: string, url: string): Promise<readonly Note[]> {
  const notes: Note[] = [];
  // Routes for OPTIONS make no resource, and Express would answer by itself.
  if (verb !== 'OPTIONS') await dispatch(noting, verb, url, { note: (note: Note) => void notes.push(note) });
  return notes;
}

interface Passed {
  /** What takes all verbs counts, beside what has verbs of its own. */
  readonly takesAll: boolean;
  /** The verbs that routes take on paths that are not bare wildcards. */
  readonly specific: readonly string[];
}

function findingsOf(noted: readonly (readonly Note[])[]): Passed {
  const routes = noted.map((notes) => notes.filter((note) => note.kind === 'route' && !note.wildcard));
  const alls = noted.flat().filter(({ kind }) => kind === 'all');
  const specific = verbs.filter((_verb, i) => (routes[i] ?? []).length > 0);
  // Beside what takes all verbs, a verb counts even if it is there for errors alone.
  const forErrors = noted.flat().filter((note) => note.kind === 'errors' && !note.wildcard);
  const byText = [...routes.flat(), ...forErrors].some(isLiteral);
  const alone = specific.length === 0 && forErrors.length === 0;
  const takesAll = alls.length > 0 && (alone || (alls.some(isLiteral) && !byText));
  return { takesAll, specific };
}

function isLiteral(note: Note): boolean {
  return note.kind !== 'placed' && note.literal;
}

/** What our 405 makes of a request, at each place where that comes to it; undefined: it has no say. */
function refusalOf(
  method: string,
  notes: readonly Note[],
  specific: readonly string[],
  handled: readonly string[],
): string | undefined {
  if (specific.length === 0 || specific.includes(method)) return undefined;
  if (method === 'HEAD' && specific.includes('GET')) return undefined;
  let behind = false;
  for (const [i, { kind }] of notes.entries()) {
    if (kind === 'route') break;
    if (kind !== 'placed') continue;
    if (notes.slice(i).every((note) => note.kind === 'placed')) {
      const others = handled.filter((verb) => verb !== method);
      return allowed(405, others);
    }
    behind = true;
  }
  return behind ? 'behind' : undefined;
}

interface Reached {
  /** The verbs but OPTIONS for which a handler of the app's was reached. */
  readonly handled: readonly string[];
  /** A route for all verbs was passed, and counts. */
  readonly takesAll: boolean;
  /** An OPTIONS handler of the app's is reached where Express does not answer by itself before. */
  readonly reachesOptions: boolean;
  readonly malformed: boolean;
}

/** What is said of a route for all verbs. */
const common = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT', 'QUERY'];

function expectedOptions(byHost: Outcome, { handled, takesAll, reachesOptions, malformed }: Reached): string {
  if ('handler' in byHost.headers) return shown(byHost);
  if (handled.length > 0 || takesAll) return allowed(200, takesAll ? [...handled, ...common] : handled);
  if (reachesOptions) return allowed(200, []);
  return malformed ? '400' : '404';
}

/** What `OPTIONS *` is about: every route, by what it was made of. */
function ofServer({ steps }: RouterPlan): Pick<Reached, 'handled' | 'takesAll'> {
  const every = steps.map((step) => {
    if (step.kind === 'mount') return ofServer(step.inner);
    if (step.kind === 'middleware') return { handled: [], takesAll: false };
    const { path, handlers } = step.kind === 'all' ? { path: step.path, handlers: [loneAll] } : step;
    const handled = handlers.filter(namesVerb).map(({ verb }) => verb);
    const getIsHead = handled.includes('GET') && !handlers.some(({ verb }) => verb === 'HEAD');
    const takesAll =
      handlers.some(({ verb, arity }) => verb === 'all' && arity === 3) && !handlers.some(hasVerb);
    return {
      handled: getIsHead ? [...handled, 'HEAD'] : handled,
      takesAll: takesAll && !isWildcard(path),
    };
  });
  const handled = every.flatMap((found) => found.handled);
  return { handled, takesAll: handled.length === 0 && every.some(({ takesAll }) => takesAll) };
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
