/**
 * The methods and media types of a target resource, as the app's routes define them. Equal sets are the same
 * object.
 */
export interface TargetMethods {
  /** Sorted, no duplicates; HEAD where GET is, OPTIONS always. */
  readonly names: readonly string[];
  /**
   * The media types of the target's `patchHandler`, in order; empty if PATCH has another handler, or none.
   */
  readonly acceptPatch: readonly string[];
  /** Whether only `app.all` matches, so that the methods are a fixed list. */
  readonly allVerbs: boolean;
}

/**
 * Every TargetMethods, by content. Their number depends on the app's routes, not on the paths that clients
 * request, so anything that is computed for one of them can be kept.
 */
const interned = new Map<string, TargetMethods>();

/** The one object with this content. */
export function targetMethods(
  methods: Iterable<string>,
  acceptPatch: readonly string[] = [],
  allVerbs = false,
): TargetMethods {
  const sorted = [...new Set([...methods, 'OPTIONS'])].sort();
  const content = JSON.stringify([sorted, acceptPatch, allVerbs]);
  const known = interned.get(content);
  if (known !== undefined) return known;
  const set = Object.freeze({
    names: Object.freeze(sorted),
    acceptPatch: Object.freeze([...acceptPatch]),
    allVerbs,
  });
  interned.set(content, set);
  return set;
}

const unions = new WeakMap<TargetMethods, WeakMap<TargetMethods, TargetMethods>>();

/**
 * The methods of a target that two routes match. Of two PATCH handlers only the first ever answers, so its
 * media types count.
 */
export function union(a: TargetMethods | undefined, b: TargetMethods | undefined): TargetMethods | undefined {
  if (a === undefined || a === b) return b;
  if (b === undefined) return a;
  const unionsWithA = unions.get(a) ?? new WeakMap<TargetMethods, TargetMethods>();
  unions.set(a, unionsWithA);
  const known = unionsWithA.get(b);
  if (known !== undefined) return known;
  const acceptPatch = a.acceptPatch.length > 0 ? a.acceptPatch : b.acceptPatch;
  const both = targetMethods([...a.names, ...b.names], acceptPatch);
  unionsWithA.set(b, both);
  return both;
}
