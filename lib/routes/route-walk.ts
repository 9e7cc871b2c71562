import { isRouter, MalformedTarget, type Layer, type LayerMatch, type Router } from '../express/layers';
import { positionAt, restore, trim } from '../express/url';
import type { IndexedLayer } from './index/indexed-layer';
import { isComparable } from './index/plain-path';
import { RouteIndex } from './index/route-index';
import { union, type TargetMethods } from './method-set';
import {
  reachedBy,
  Waypoints,
  type HandledMethods,
  type Reached,
  type RouteMethods,
  type RouteReading,
} from './route-methods';
import { Waypoint } from './waypoint';

/** What a request for a target would come upon, whatever its method, if every middleware let it pass. */
export interface Findings {
  /** The union over the routes that name their methods, and over what is declared. OPTIONS alone is none. */
  readonly methods: TargetMethods | undefined;
  /** The same without the routes on bare wildcards, on which hosts also have what passes requests on. */
  readonly specific: TargetMethods | undefined;
  /** A route for all verbs matches, and its path is not a bare wildcard. */
  readonly allVerbs: boolean;
  /** One does whose path is literal, mounts included, while what is `specific` matches by parameters alone. */
  readonly literalAllVerbs: boolean;
  /** An OPTIONS handler of the app's: what an OPTIONS request reaches, or what Express's own answer comes before. */
  readonly optionsHandler: 'none' | 'reachable' | 'shadowed';
  /** Express would answer OPTIONS by itself, where no OPTIONS handler does. */
  readonly answeredByExpress: boolean;
  /** The target was found malformed here: no route after this is reachable. */
  readonly malformed: MalformedTarget | undefined;
  /** Our own middlewares that stand on the way, in this order. */
  readonly waypoints: readonly Waypoint[];
}

/** Told what a walk reads on its way: what its findings rest on. */
export interface WalkObserver {
  router(router: Router, index: RouteIndex): void;
  /** A layer that was asked whether it matches the path. */
  candidate(entry: IndexedLayer): void;
  route(entry: IndexedLayer, reading: RouteReading): void;
  middleware(layer: Layer, reached: Reached): void;
}

/** Routers in routers, as of one mounted on itself: Express runs out of stack at some 2,100. */
const deepest = 2_000;
/** From here on a router is walked once for each URL: two that are mounted on each other twice have no end of ways. */
const deep = 5;

/** Walks the routers as Express dispatches a request, and gathers what it would find. */
export function walkRoutes(router: Router, url: string, observer?: WalkObserver): Findings {
  const walk = new RouteWalk(observer);
  walk.router(router, url, { depth: 0, literal: true });
  return walk.findings;
}

/** The way to a router. */
interface Way {
  readonly depth: number;
  /** No mount took a parameter. */
  readonly literal: boolean;
}

class RouteWalk {
  readonly #waypoints: Waypoint[] = [];
  readonly findings: { -readonly [Name in keyof Findings]: Findings[Name] } = {
    methods: undefined,
    specific: undefined,
    allVerbs: false,
    literalAllVerbs: false,
    optionsHandler: 'none',
    answeredByExpress: false,
    malformed: undefined,
    waypoints: this.#waypoints,
  };
  /** What is `specific` has matched by a literal path. */
  #literalMethods = false;
  /** What routes name, for certain, and no declaration does. */
  #certain: TargetMethods | undefined = undefined;
  /** The URLs that routers in the deep have left behind, by those that they got. */
  readonly #walked = new Map<Router, Map<string, string>>();

  constructor(private readonly observer: WalkObserver | undefined) {}

  /** Walks one router and returns the URL that it leaves behind, which for an odd one is not the one that it got. */
  router(router: Router, url: string, way: Way): string {
    const { findings, observer } = this;
    const passed = this.#waypoints.length;
    const index = RouteIndex.of(router);
    observer?.router(router, index);
    let at = positionAt(url);
    let listed = false;
    if (at.path === undefined || way.depth > deepest) return url;
    let comparable = isComparable(at.path);
    let candidates = index.candidates(at.path);
    for (let i = 0; i < candidates.length; i++) {
      const position = candidates[i] ?? 0;
      const entry = index.layers[position];
      if (entry === undefined) break;
      observer?.candidate(entry);
      const matched = entry.match(at.path, comparable);
      if (matched === undefined) continue;
      if (matched instanceof MalformedTarget) {
        findings.malformed = matched;
        return at.url;
      }
      const reading = entry.reading();
      if (reading !== undefined) {
        observer?.route(entry, reading);
        this.#route(reading.methods, way.literal && matched.literal);
        listed ||= reading.methods.listedByExpress;
        continue;
      }
      const trimmed = trim(at, matched.path, index.rules);
      if (trimmed === undefined) continue;
      const left = this.#middleware(entry.layer, trimmed.url, onward(way, matched));
      if (findings.malformed !== undefined) return at.url;
      if (at.restores) continue;
      at = positionAt(restore(at, trimmed, left, index.rules));
      if (at.path === undefined) break;
      comparable = isComparable(at.path);
      candidates = index.candidates(at.path).filter((next) => next > position);
      i = -1;
    }
    // At the end of its stack a router answers OPTIONS for the routes that had no handler for it.
    if (listed) findings.answeredByExpress ||= findings.optionsHandler !== 'reachable';
    for (let i = passed; i < this.#waypoints.length; i++) this.#waypoints[i]?.leave();
    return at.url;
  }

  /** @returns the URL that the middleware leaves behind */
  #middleware(layer: Layer, url: string, way: Way): string {
    const reached = reachedBy(layer);
    this.observer?.middleware(layer, reached);
    if (reached === undefined) return url;
    if (reached instanceof Waypoints) {
      this.#pass(reached);
      return url;
    }
    if (!isRouter(reached)) {
      this.#count(reached, way.literal);
      return url;
    }
    if (way.depth <= deep) return this.router(reached, url, way);
    const urls = this.#walked.get(reached) ?? new Map<string, string>();
    const known = urls.get(url);
    if (known !== undefined) return known;
    this.#walked.set(reached, urls.set(url, url));
    // What is found once more is found already: nothing changes by being counted again.
    const left = this.router(reached, url, way);
    urls.set(url, left);
    return left;
  }

  #route(route: RouteMethods, literal: boolean): void {
    const { findings } = this;
    for (const waypoint of this.#waypoints) waypoint.addRoute(route);
    this.#certain = union(this.#certain, route.certain);
    this.#count(route, literal, route.bareWildcard);
    findings.allVerbs ||= route.allVerbs;
    findings.literalAllVerbs =
      !this.#literalMethods && (findings.literalAllVerbs || (route.allVerbs && literal));
    if (route.waypoints !== undefined) this.#pass(route.waypoints);
  }

  #count({ methods, answersOptions }: HandledMethods, literal: boolean, bareWildcard = false): void {
    const { findings } = this;
    for (const waypoint of this.#waypoints) waypoint.addMethods(methods);
    findings.methods = union(findings.methods, methods);
    if (!bareWildcard && methods !== undefined) {
      findings.specific = union(findings.specific, methods);
      if (literal) {
        this.#literalMethods = true;
        findings.literalAllVerbs = false;
      }
    }
    if (answersOptions && findings.optionsHandler !== 'reachable') {
      findings.optionsHandler = findings.answeredByExpress ? 'shadowed' : 'reachable';
    }
  }

  #pass({ middlewares }: Waypoints): void {
    for (const middleware of middlewares) this.#waypoints.push(new Waypoint(middleware, this.#certain));
  }
}

function onward({ depth, literal }: Way, matched: LayerMatch): Way {
  return { depth: depth + 1, literal: literal && matched.literal };
}
