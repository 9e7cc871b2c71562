import {
  givenPaths,
  isPathless,
  isRouter,
  MalformedTarget,
  type Layer,
  type LayerMatch,
  type Router,
} from '../express/layers';
import { isComparable, routerUrl, urlBelow, restore, trim, type RouterUrl } from '../express/url';
import type { IndexedLayer } from './indexed-layer';
import { union, type TargetMethods } from './method-set';
import { RouteIndex } from './route-index';
import {
  readDestination,
  TrackedMiddlewares,
  type HandledMethods,
  type Destination,
  type RouteMethods,
} from './route-methods';

/** The handlers that a request for a target would reach, with any method, if every middleware called `next`. */
export interface Findings {
  /**
   * The union of the methods of single-verb routes and of declarations, and OPTIONS, as in every set; undefined if
   * there are none, or only OPTIONS.
   */
  readonly methods: TargetMethods | undefined;
  /** `methods` without the methods of routes on bare wildcards, which often only pass requests on. */
  readonly specific: TargetMethods | undefined;
  /** Whether an `app.all` matches whose path is not a bare wildcard. */
  readonly allVerbs: boolean;
  /** Whether such an `app.all` matches by a literal path, mounts included. */
  readonly literalAllVerbs: boolean;
  /**
   * Whether a route for a single verb matches, even if no request reaches its handlers, because all of them
   * are error handlers. A bare wildcard does not count.
   */
  readonly hasVerb: boolean;
  /** Whether such a route matches by a literal path, mounts included. */
  readonly literalVerb: boolean;
  /**
   * The app's own OPTIONS handler: none, one that requests reach, or one that comes after Express's own
   * answer.
   */
  readonly optionsHandler: 'none' | 'reachable' | 'shadowed';
  /** Whether Express would answer OPTIONS itself if no OPTIONS handler does. */
  readonly answeredByExpress: boolean;
  /** The error of a layer that could not decode the path: no later route is reachable. */
  readonly malformed: MalformedTarget | undefined;
  /**
   * The tracked middlewares that the request would reach, in order, with the routes before and after each.
   */
  readonly positions: readonly MiddlewarePosition[];
}

/** Notified of everything that a walk reads and on which its findings depend. */
export interface WalkObserver {
  router(router: Router, index: RouteIndex): void;
  /** A layer that was asked whether it matches. */
  candidate(entry: IndexedLayer): void;
  route(methods: RouteMethods): void;
  middleware(layer: Layer, destination: Destination): void;
}

/**
 * The maximum depth of nested routers, such as one mounted on itself. Express overflows the stack between
 * 1,000 and 2,000, depending on how much V8 has compiled by then, and answers 500. An overflow of the walk,
 * which happens from 1,900, would end the process in `optionsListener`, where nothing catches it.
 */
const maxDepth = 1_000;
/**
 * Below this depth, a router is walked once for each URL: two routers that are mounted on each other twice
 * have endless paths.
 */
const memoizedBelow = 5;

/** Walks the routers as Express dispatches a request, and collects what it would reach. */
export function walkRoutes(router: Router, url: string, observer?: WalkObserver): Findings {
  const at = routerUrl(url);
  const walk = new RouteWalk(observer, at.isUsual);
  walk.router(router, at, { depth: 0, literal: true, comparable: false });
  return walk.findings;
}

/** The mounts between the root and a router. */
interface MountPath {
  readonly depth: number;
  /** Whether no mount path has a parameter. */
  readonly literal: boolean;
  /** Whether the path above is known to be comparable (`isComparable`): then its rest is, too. */
  readonly comparable: boolean;
}

class RouteWalk {
  readonly #positions: MiddlewarePosition[] = [];
  readonly findings: { -readonly [Name in keyof Findings]: Findings[Name] } = {
    methods: undefined,
    specific: undefined,
    allVerbs: false,
    literalAllVerbs: false,
    hasVerb: false,
    literalVerb: false,
    optionsHandler: 'none',
    answeredByExpress: false,
    malformed: undefined,
    positions: this.#positions,
  };
  /** The union of `RouteMethods.certain`; declarations do not count. */
  #certain: TargetMethods | undefined = undefined;
  /** For deeply nested routers: the URL that a router left on the request, by the URL that it got. */
  readonly #walked = new Map<Router, Map<string | number, string>>();

  /**
   * @param isUsual - whether the URL is usual: then each router gets a suffix of it, which its length
   *   identifies
   */
  constructor(
    private readonly observer: WalkObserver | undefined,
    private readonly isUsual: boolean,
  ) {}

  /**
   * Walks one router. Returns the URL that it leaves on the request, which differs from the URL of `start`
   * only for unusual URLs.
   */
  router(router: Router, start: RouterUrl, path: MountPath): string {
    const { findings, observer } = this;
    const passed = this.#positions.length;
    const index = RouteIndex.of(router);
    observer?.router(router, index);
    let at = start;
    let listed = false;
    if (at.path === undefined || path.depth > maxDepth) return at.url;
    let comparable = path.comparable || isComparable(at.path);
    let candidates = index.candidates(at.path);
    for (let i = 0; i < candidates.length; i++) {
      const layerIndex = candidates[i] ?? 0;
      const entry = index.layers[layerIndex];
      if (entry === undefined) break;
      observer?.candidate(entry);
      const matched = entry.match(at.path, comparable);
      if (matched === undefined) continue;
      if (matched instanceof MalformedTarget) {
        findings.malformed = matched;
        return at.url;
      }
      const route = entry.readRoute();
      if (route !== undefined) {
        observer?.route(route);
        this.#route(route, path.literal && matched.literal);
        listed ||= route.listedByExpress;
        continue;
      }
      const trimmed = trim(at, matched.path, index.rules);
      if (trimmed === undefined) continue;
      const below = urlBelow(at, trimmed);
      const urlAfter = this.#middleware(entry.layer, below, extended(path, matched, comparable));
      if (findings.malformed !== undefined) return at.url;
      if (at.isUsual) continue;
      at = routerUrl(restore(at, trimmed, urlAfter, index.rules));
      if (at.path === undefined) break;
      comparable = isComparable(at.path);
      candidates = index.candidates(at.path).filter((next) => next > layerIndex);
      i = -1;
    }
    // At the end of its stack, a router itself answers OPTIONS for matching routes without an OPTIONS
    // handler.
    findings.answeredByExpress ||= listed;
    for (let i = passed; i < this.#positions.length; i++) this.#positions[i]?.leave();
    return at.url;
  }

  /** @returns the URL that the middleware leaves on the request */
  #middleware(layer: Layer, at: RouterUrl, path: MountPath): string {
    const { url } = at;
    const destination = readDestination(layer);
    this.observer?.middleware(layer, destination);
    if (destination === undefined) return url;
    if (destination instanceof TrackedMiddlewares) {
      this.#recordTracked(destination, layer, path.depth);
      return url;
    }
    if (!isRouter(destination)) {
      this.#count(destination, path.literal);
      return url;
    }
    if (path.depth <= memoizedBelow) return this.router(destination, at, path);
    const urls = this.#walked.get(destination) ?? new Map<string | number, string>();
    const key = this.isUsual ? url.length : url;
    const known = urls.get(key);
    if (known !== undefined) return known;
    this.#walked.set(destination, urls.set(key, url));
    // Walking a router again adds nothing: the findings are unions.
    const urlAfter = this.router(destination, at, path);
    urls.set(key, urlAfter);
    return urlAfter;
  }

  #route(route: RouteMethods, literal: boolean): void {
    const { findings } = this;
    for (const position of this.#positions) position.addRoute(route);
    this.#certain = union(this.#certain, route.certain);
    this.#count(route, literal, route.bareWildcard);
    if (route.onlyForErrors && !route.bareWildcard) this.#addVerb(literal);
    findings.allVerbs ||= route.allVerbs;
    findings.literalAllVerbs ||= route.allVerbs && literal;
    if (route.tracked !== undefined) this.#recordTracked(route.tracked);
  }

  #count({ methods, answersOptions }: HandledMethods, literal: boolean, bareWildcard = false): void {
    const { findings } = this;
    for (const position of this.#positions) position.addMethods(methods);
    findings.methods = union(findings.methods, methods);
    if (!bareWildcard && methods !== undefined) {
      findings.specific = union(findings.specific, methods);
      this.#addVerb(literal);
    }
    if (answersOptions && findings.optionsHandler !== 'reachable') {
      findings.optionsHandler = findings.answeredByExpress ? 'shadowed' : 'reachable';
    }
  }

  #addVerb(literal: boolean): void {
    this.findings.hasVerb = true;
    this.findings.literalVerb ||= literal;
  }

  /** @param layer - undefined for middlewares on a route */
  #recordTracked({ middlewares, mayAnswerAllAfter }: TrackedMiddlewares, layer?: Layer, depth = 0): void {
    const covering = this.#positions.filter((position) => position.covers(layer, depth));
    const inFront = covering.map(({ middleware }) => middleware);
    const place = { layer, depth, inFront, before: this.#certain };
    for (const middleware of middlewares)
      this.#positions.push(new MiddlewarePosition(middleware, place, mayAnswerAllAfter));
  }
}

function extended({ depth, literal }: MountPath, matched: LayerMatch, comparable: boolean): MountPath {
  return { depth: depth + 1, literal: literal && matched.literal, comparable };
}

interface MiddlewarePlace {
  /** Its layer; undefined on a route. */
  readonly layer: Layer | undefined;
  /** The depth of its router. */
  readonly depth: number;
  /** The tracked middlewares that every request that reaches it has passed. */
  readonly inFront: readonly object[];
  /** The methods of sure endpoints (`RouteMethods.certain`) before it. */
  readonly before: TargetMethods | undefined;
}

/** A tracked middleware where a walk reached it, with the routes before and after it. */
export class MiddlewarePosition {
  /** The methods after it, including methods of bare wildcards and of declarations. */
  #after: TargetMethods | undefined = undefined;
  /** Whether an `app.all` comes after it whose path is not a bare wildcard. */
  #allAfter = false;
  /**
   * The methods of sure endpoints (`RouteMethods.certain`) after it, on its own router and on routers below.
   */
  #routesHere: TargetMethods | undefined = undefined;
  #allHere = false;
  #left = false;

  /**
   * @param mayAnswerAllAfter - whether a handler for all verbs comes after it, on any path, and even beside
   *   single verbs
   */
  constructor(
    readonly middleware: object,
    readonly place: MiddlewarePlace,
    private mayAnswerAllAfter: boolean,
  ) {}

  /**
   * Whether every request that reaches a later middleware has passed this one: it is for all paths, or for
   * the same path.
   */
  covers(layer: Layer | undefined, depth: number): boolean {
    const ownLayer = this.place.layer;
    if (this.#left || ownLayer === undefined) return false;
    const [path, other] = [ownLayer, layer].map((one) => one && String(givenPaths(one)));
    return isPathless(ownLayer) || (path !== '' && path === other && depth === this.place.depth);
  }

  addRoute({ certain, allVerbs, mayAnswerAll }: RouteMethods): void {
    this.#allAfter ||= allVerbs;
    this.mayAnswerAllAfter ||= mayAnswerAll;
    if (this.#left) return;
    this.#routesHere = union(this.#routesHere, certain);
    this.#allHere ||= allVerbs;
  }

  addMethods(methods: TargetMethods | undefined): void {
    this.#after = union(this.#after, methods);
  }

  /** Called when the walk leaves its router: later routes are on the routers around it. */
  leave(): void {
    this.#left = true;
  }

  /** Whether a request that it passes on can reach a route for its method. */
  precedesRoute(method: string): boolean {
    return this.#allAfter || this.#after?.names.includes(method) === true;
  }

  /** Whether a request that it passes on may be answered, by a route or by a guard. */
  precedesAnswer(method: string): boolean {
    return this.mayAnswerAllAfter || this.precedesRoute(method);
  }

  /**
   * Whether a request that it passes on reaches a route of its own router. If so, it was mounted too early.
   */
  precedesRouteOfItsRouter(method: string): boolean {
    return this.#allHere || this.#routesHere?.names.includes(method) === true;
  }

  /** Whether a route before it handles the method, and no route after it does. */
  followsAllRoutes(method: string): boolean {
    return this.place.before?.names.includes(method) === true && !this.precedesRoute(method);
  }
}
