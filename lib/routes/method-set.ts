/** What the routes of the host's app say of one target resource. Targets with the same methods share one object. */
export interface TargetMethods {
  /** Sorted, no duplicates; HEAD where GET is, OPTIONS always. */
  readonly methods: readonly string[];
  /** The media types of `patchHandler` on this target, in order; empty where PATCH is not registered with it. */
  readonly acceptPatch: readonly string[];
  /** The same of `queryHandler` and QUERY. */
  readonly acceptQuery: readonly string[];
  /** Only routes for all verbs (`app.all`) match, so the methods are every verb that Express registers. */
  readonly allVerbs: boolean;
}

/**
 * Every TargetMethods there is, by content. There are as many as the host's routes have different sets of methods and
 * unions of them, however many paths are asked for: so what is prepared for one may be kept.
 */
const interned = new Map<string, TargetMethods>();

/** The media types that handlers of ours take. */
export type Accepted = Partial<Pick<TargetMethods, 'acceptPatch' | 'acceptQuery'>>;

/** The one object of these contents. */
export function targetMethods(
  methods: Iterable<string>,
  { acceptPatch = [], acceptQuery = [] }: Accepted = {},
  allVerbs = false,
): TargetMethods {
  const sorted = [...new Set([...methods, 'OPTIONS'])].sort();
  const content = JSON.stringify([sorted, acceptPatch, acceptQuery, allVerbs]);
  const known = interned.get(content);
  if (known !== undefined) return known;
  const made = Object.freeze({
    methods: Object.freeze(sorted),
    acceptPatch: Object.freeze([...acceptPatch]),
    acceptQuery: Object.freeze([...acceptQuery]),
    allVerbs,
  });
  interned.set(content, made);
  return made;
}

const unions = new WeakMap<TargetMethods, WeakMap<TargetMethods, TargetMethods>>();

/**
 * The methods of a target that two routes match. Of two PATCH handlers of ours only the first ever answers, so its
 * media types stand; so it is with QUERY.
 */
export function union(a: TargetMethods | undefined, b: TargetMethods | undefined): TargetMethods | undefined {
  if (a === undefined || a === b) return b;
  if (b === undefined) return a;
  const ofA = unions.get(a) ?? new WeakMap<TargetMethods, TargetMethods>();
  unions.set(a, ofA);
  const known = ofA.get(b);
  if (known !== undefined) return known;
  const made = targetMethods([...a.methods, ...b.methods], {
    acceptPatch: a.acceptPatch.length > 0 ? a.acceptPatch : b.acceptPatch,
    acceptQuery: a.acceptQuery.length > 0 ? a.acceptQuery : b.acceptQuery,
  });
  ofA.set(b, made);
  return made;
}
