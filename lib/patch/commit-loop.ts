import { readMember } from '../config/prototype-pollution';
import { falsePrecondition } from '../http/check-preconditions';
import { pointerMember } from '../http/pointer-member';
import type { PatchRequest } from '../http/routed-request';
import { formatPointer, quotedPointer, readChild, tokensIn } from '../json/pointer';
import { isContainer, isEqualJson } from '../json/value';
import { checkReplacement, checkValue } from '../stores/contract/check-result';
import type { FoundState, ReadContext, ResourceStore, Stored } from '../stores/contract/resource-store';
import { backOff } from '../stores/contract/retry';
import type { ClientConnection } from './client-connection';
import { lostRace, withConflict } from './conflict';
import type { Exchange, PendingTrace } from './exchange';
import { PatchError } from './formats/patch-error';
import type { PatchParser } from './formats/patch-parser';
import { createPendingOutcome, findReplay, type IdempotentRequest, type Replay } from './idempotency';
import type { PatchSettings } from './options/settings';
import { createPatchReader, type PatchReader } from './patch-reader';
import { readPermitted } from './permission';
import { nothingWritable, targetNotFound } from './refusals';
import type { ChosenFormat } from './request';
import { changedPointers } from './rules/changed-pointers';
import type { HiddenMembers } from './rules/hidden-members';
import type { PermittedState } from './rules/permitted-state';
import type { Protection } from './rules/protected-members';

/** How many times a request is retried after it lost a race to another process. */
export const maxRetries = 15;

/** A request whose document has arrived: a patch, or a whole representation. */
export interface ReceivedChange<T> {
  readonly key: string;
  readonly req: PatchRequest;
  readonly client: ClientConnection;
  readonly trace: PendingTrace;
  readonly format: ChosenFormat<PatchParser<T>>;
  readonly document: Buffer;
  /** The numbers of the document that a body parser of the app may have rounded. */
  readonly roundable: ReadonlySet<number>;
  /** Whether the document is the whole representation. */
  readonly isWhole: boolean;
  /** Undefined if the request has no idempotency key. */
  readonly once: IdempotentRequest | undefined;
}

export interface Committed<T> {
  /** Undefined if the request creates the resource. */
  readonly before: Stored<T> | undefined;
  readonly after: Stored<T>;
}

/**
 * Makes the change: reads, decides on that state, writes only if it is still the current one, and otherwise
 * begins again.
 *
 * Within one process the changes of a key are queued (`storeQueue`), so they cause no races. Between
 * processes the store's conditional write decides, and the loser begins again with the fresh state,
 * preconditions included (RFC 5789 2.2): `If-Match: "x"` then fails, while a patch without preconditions is
 * applied to the winner's state.
 *
 * @param first - the state to begin with, if it has been read
 * @throws ProblemError to refuse; 409 `lost-race` when the retries are used up
 */
export async function commit<T>(
  settings: PatchSettings<T>,
  { key, req, client, trace, format, document, roundable, isWhole, once }: ReceivedChange<T>,
  first?: PermittedState<T>,
): Promise<Committed<T> | Replay<T>> {
  const { store, limits, initial, hidden, protect, rules, createValidators, findStale } = settings;
  const leavesOut = settings.unwritable === 'ignore' && (isWhole || format.mediaType === 'application/json');
  const reading = readingContext(settings, { client, once });
  const doubles = readMember(store, 'doubles') ?? [];
  let reader: PatchReader<T> | undefined;
  let found: FoundState<T> | undefined;

  for (let lost = 0, state = first; ; lost++, state = undefined) {
    // Read.
    state ??= await readPermitted(settings, key, { req, client }, reading, found);
    const { stored } = state;
    const replay = once && findReplay(stored, once);
    if (replay !== undefined) return replay;

    // Decide. RFC 9110 13.2.1: preconditions count only if the request would otherwise succeed, but before its
    // content is processed. So 404 comes before them, and a malformed document after.
    const base = stored === undefined ? await initial?.(req) : stored.value;
    if (base === undefined) throw targetNotFound();
    const refusal = falsePrecondition(req, () => stored && createValidators(stored, req), settings);
    if (refusal !== undefined) throw await withConflict(settings, req, refusal, stored);
    reader ??= await createPatchReader(settings, req, format, document, base, leavesOut ? [] : hidden.paths);
    const patch = reader.parse();
    const protection = await protect(req, stored?.value);
    const visible = hidden.visible(base);
    const originals = new Map<object, object>();
    const sent = patch(visible, originals);
    const completed = isWhole ? protection.complete(visible, sent) : sent;
    const applying = {
      visible,
      result: completed,
      isNew: stored === undefined,
      apply: (value: unknown) => patch(value as T),
    };
    const stale = findStale(applying);
    if (stale !== undefined) throw await withConflict(settings, req, stale, stored);
    const rounded = roundable.size > 0 ? findRounded(visible, sent, roundable, doubles) : undefined;
    if (rounded !== undefined) throw numberRounded(rounded, isWhole);
    const result = leavesOut
      ? leaveOut(
          store,
          hidden,
          { key, current: stored?.value, visible, protection, named: reader.names },
          completed,
        )
      : completed;
    const applied = { key, state, base, visible, result, originals, isWhole, protection, req };
    const next = await rules(applied);

    // Write, if the state is still the current one.
    client.assertAnswerNeeded();
    const context = client.context({
      maxBytes: limits.result,
      ...(stored && { current: stored }),
      ...(once && { outcome: createPendingOutcome(settings, { once, req }, stored, next) }),
    });
    trace.attempts++;
    const expected = stored === undefined ? null : (stored.version ?? '');
    const writeResult = checkReplacement(store, await store.replace(key, expected, next, context));
    if (writeResult.after !== undefined) {
      settings.adviseOnUnmoved(stored, writeResult.after);
      return { before: stored, after: writeResult.after };
    }

    // Again, on the state that the store has found, unless it can lack the outcome of this very request.
    found = await afterLostRace(
      settings,
      key,
      { req, client },
      lost,
      stored,
      once ? undefined : writeResult.found,
    );
  }
}

/**
 * The result of a patch without the changes of members that the client cannot write.
 *
 * @throws ProblemError 422 if the document names no other members. A page that sends a whole record without having
 *   changed it names others.
 */
function leaveOut<T>(
  store: Pick<ResourceStore<T>, 'accept'>,
  hidden: HiddenMembers,
  { key, current, visible, protection, named }: LeavingOut<T>,
  result: unknown,
): unknown {
  const allowed = protection.leaveOut(visible, hidden.leaveOut(result)) as T;
  const accepted = checkValue('accept', store.accept?.(key, allowed, current)) ?? allowed;
  const leftOut = isEqualJson(accepted, visible) ? changedPointers(accepted, result) : [];
  const names = new Set(leftOut.map((pointer) => tokensIn(pointer)[0]));
  const [pointer] = leftOut;
  if (pointer !== undefined && named().every((name) => names.has(name))) throw nothingWritable(pointer);
  return accepted;
}

interface LeavingOut<T> {
  readonly key: string;
  readonly current: T | undefined;
  readonly visible: unknown;
  readonly protection: Protection;
  /** The members that the document of the request names. */
  readonly named: () => readonly string[];
}

/**
 * The JSON Pointer of a changed number that the client has sent and a body parser may have rounded.
 *
 * @param sent - the numbers of the body that may have been rounded
 * @param doubles - the members that the store holds as doubles, and would round in the same way
 */
function findRounded(
  before: unknown,
  after: unknown,
  sent: ReadonlySet<unknown>,
  doubles: readonly string[],
): string | undefined {
  const path: string[] = [];

  function find(old: unknown, next: unknown): string | undefined {
    if (old === next || doubles.includes(formatPointer(path))) return undefined;
    if (!isContainer(next)) return sent.has(next) ? formatPointer(path) : undefined;
    for (const token of Object.keys(next)) {
      path.push(token);
      const found = find(readChild(old, token), readChild(next, token));
      if (found !== undefined) return found;
      path.pop();
    }
    return undefined;
  }
  return find(before, after);
}

function numberRounded(pointer: string, isWhole: boolean): PatchError {
  const detail =
    `The number at ${quotedPointer(pointer, 200)} may have been rounded by a middleware that has parsed the ` +
    'body: JavaScript cannot hold every integer beyond 2^53. Send it as a string. ' +
    'In the app, mount the route before the body parser.';
  const code = isWhole ? 'representation-malformed' : 'patch-malformed';
  return new PatchError(code, detail, pointerMember(pointer));
}

/** What the store is told when a change reads: the outcome of the same request is wanted with the state. */
export function readingContext<T>(
  { limits }: PatchSettings<T>,
  { client, once }: Pick<ReceivedChange<T>, 'client' | 'once'>,
): ReadContext {
  const maxBytes = limits.result;
  return client.context(once === undefined ? { maxBytes } : { maxBytes, outcome: { id: once.id } });
}

/**
 * Prepares the next attempt. If the store has returned the state that it found, the next attempt is made on that
 * at once. If that attempt loses its race, too, there are many writers, so the next one waits, and reads then.
 *
 * @param lost - how many attempts lost their race before this one
 * @param found - the state that the store has returned, if any
 * @returns the state for the next attempt; undefined if it must be read
 * @throws ProblemError when the retries are used up: 409 `lost-race`; 404 if there was no state to begin
 *   with, because then the store cannot hold this key
 * @throws Error if no other write came first, so that the database must have dropped this one
 */
export async function afterLostRace<T>(
  settings: PatchSettings<T>,
  key: string,
  exchange: Pick<Exchange, 'req' | 'client'>,
  lost: number,
  before: Stored<T> | undefined,
  found: FoundState<T> | undefined,
): Promise<FoundState<T> | undefined> {
  if (lost === maxRetries)
    throw before === undefined ? targetNotFound() : await lostRace(settings, key, exchange, before, found);
  if (found !== undefined && lost % 2 === 0) return found;
  await backOff(lost);
  return undefined;
}
