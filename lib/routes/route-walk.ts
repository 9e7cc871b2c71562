import { isRouter, MalformedTarget, type Layer, type Router } from '../express/layers';
import { positionAt, restore, trim } from '../express/url';
import type { IndexedLayer } from './index/indexed-layer';
import { isComparable } from './index/plain-path';
import { RouteIndex } from './index/route-index';
import { union, type TargetMethods } from './method-set';
import { reachedBy, type HandledMethods, type Reached, type RouteReading } from './route-methods';

/** What a request for a target would come upon, whatever its method, if every middleware let it pass. */
export interface Findings {
  /** The union over the routes that name their methods, and over what is declared. OPTIONS alone is none. */
  readonly methods: TargetMethods | undefined;
  /** A route for all verbs matches, and its path is not a bare wildcard. */
  readonly allVerbs: boolean;
  /** An OPTIONS handler of the app's: what an OPTIONS request reaches, or what Express's own answer comes before. */
  readonly optionsHandler: 'none' | 'reachable' | 'shadowed';
  /** Express would answer OPTIONS by itself, where no OPTIONS handler does. */
  readonly answeredByExpress: boolean;
  /** The target was found malformed here: no route after this is reachable. */
  readonly malformed: MalformedTarget | undefined;
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
  walk.router(router, url, 0);
  return walk.findings;
}

class RouteWalk {
  readonly findings: { -readonly [Name in keyof Findings]: Findings[Name] } = {
    methods: undefined,
    allVerbs: false,
    optionsHandler: 'none',
    answeredByExpress: false,
    malformed: undefined,
  };
  /** The URLs that routers in the deep have left behind, by those that they got. */
  readonly #walked = new Map<Router, Map<string, string>>();

  constructor(private readonly observer: WalkObserver | undefined) {}

  /** Walks one router and returns the URL that it leaves behind, which for an odd one is not the one that it got. */
  router(router: Router, url: string, depth: number): string {
    const { findings, observer } = this;
    const index = RouteIndex.of(router);
    observer?.router(router, index);
    let at = positionAt(url);
    let listed = false;
    if (at.path === undefined || depth > deepest) return url;
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
        this.#count(reading.methods);
        findings.allVerbs ||= reading.methods.allVerbs;
        listed ||= reading.methods.listedByExpress;
        continue;
      }
      const trimmed = trim(at, matched, index.rules);
      if (trimmed === undefined) continue;
      const left = this.#middleware(entry.layer, trimmed.url, depth);
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
    return at.url;
  }

  /** @returns the URL that the middleware leaves behind */
  #middleware(layer: Layer, url: string, depth: number): string {
    const reached = reachedBy(layer);
    this.observer?.middleware(layer, reached);
    if (reached === undefined) return url;
    if (!isRouter(reached)) {
      this.#count(reached);
      return url;
    }
    if (depth < deep) return this.router(reached, url, depth + 1);
    const urls = this.#walked.get(reached) ?? new Map<string, string>();
    const known = urls.get(url);
    if (known !== undefined) return known;
    this.#walked.set(reached, urls.set(url, url));
    // What is found once more is found already: nothing changes by being counted again.
    const left = this.router(reached, url, depth + 1);
    urls.set(url, left);
    return left;
  }

  #count({ methods, answersOptions }: HandledMethods): void {
    const { findings } = this;
    findings.methods = union(findings.methods, methods);
    if (answersOptions && findings.optionsHandler !== 'reachable') {
      findings.optionsHandler = findings.answeredByExpress ? 'shadowed' : 'reachable';
    }
  }
}
