import { readMember } from '../config/prototype-pollution';
import { inspectResult } from '../config/inspect';
import { preconditionRefusal } from '../http/preconditions';
import { debugLog } from '../http/debug-log';
import { header } from '../http/header';
import type { Middleware, PatchRequest } from '../http/middleware';
import { pointerMember } from '../http/pointer-member';
import { returnPreference } from '../http/prefer';
import { pathReference, toPath } from '../http/target-path';
import { readAppJson } from '../json/app-json';
import { formatPointer, quotedPointer, readChild, tokensIn } from '../json/pointer';
import { isContainer, isEqualJson, isJsonObject } from '../json/value';
import { checkReplacement, checkValue, hasValue } from '../stores/contract/check-result';
import { expectedVersion, type FoundState, type Stored } from '../stores/contract/resource-store';
import { chosenFormat } from './content';
import { createHandler } from './create-handler';
import { PatchError } from './formats/patch-error';
import type { FormatTable } from './formats/format-table';
import { parsePatch, type PatchParser } from './formats/patch-parser';
import { readJson } from './formats/read-json';
import { createPendingOutcome, findOutcome, fingerprint, type Outcome, unlessInFlight } from './idempotency';
import { storeQueue } from './key-queue';
import { afterLostRace } from './lost-race';
import type { PatchSettings } from './settings';
import {
  forbidden,
  memberForbidden,
  nothingWritable,
  partialPut,
  readOnly,
  targetNotFound,
  tooManyChanges,
  tooManyRaces,
} from './refusals';
import { changedPointers, changesWithin } from './rules/changed-pointers';
import type { Protection } from './rules/protected-members';
import { createRepresentation, readBeforeTurn, readPermitted, withCurrent } from './target';

const debug = debugLog('patch');

/**
 * Creates the handler of PATCH (RFC 5789) or PUT (RFC 9110 9.3.4), from checked options. It changes the
 * target resource as the request's document says, and answers. The checks are made in the order of
 * docs/patch.md, and the first one that fails decides the answer.
 *
 * The change is made from one state of the resource, and written only if the resource is still in that state.
 * Otherwise everything begins again with the fresh state, including the preconditions (RFC 5789 2.2):
 * `If-Match: "x"` then fails, while a patch without preconditions is applied to the state that the winner has
 * written. Within one process, the changes of a key are queued, so only a change that has waited for too
 * long, or a direct write to the store, races with another; between processes, the store's conditional write
 * decides.
 *
 * @param isWhole - whether the documents are whole representations, rather than patches
 */
export function createChangeHandler<T>(
  settings: PatchSettings<T>,
  method: 'PATCH' | 'PUT',
  formats: FormatTable<PatchParser<T>> = settings.formats,
  isWhole = false,
): Middleware {
  const { store, options, limits, hidden, authorize } = settings;
  const mediaTypes = formats.mediaTypes.join(', ');
  // RFC 5789 3.1, RFC 9110 12.5.1
  const accepted = method === 'PATCH' ? { 'Accept-Patch': mediaTypes } : { Accept: mediaTypes };
  const doubles = readMember(store, 'doubles') ?? [];

  return createHandler(settings, [method], async ({ req, res, client, trace }) => {
    // The headers (415, 400), the body (413), and a target without a key (404). The store is read afterwards,
    // so that a client that never sends its body does not keep a value in memory.
    if (method === 'PUT' && header(req, 'content-range') !== undefined) throw partialPut();
    const chosen = chosenFormat(formats, req, accepted);
    const { format, mediaType, parameters } = chosen;
    const idempotencyKey = settings.readIdempotencyKey(req);
    const key = (trace.key = settings.readKey(req));
    const { bytes: sentDocument, isAsSent, roundable } = await settings.readContent(req);
    if (key === undefined) throw targetNotFound();
    const once = idempotencyKey && { ...idempotencyKey, fingerprint: fingerprint(req, chosen, sentDocument) };
    const ignoresUnwritable =
      options.unwritable === 'ignore' && (isWhole || mediaType === 'application/json');
    const parse = (bytes: Buffer) =>
      parsePatch(format, mediaType, bytes, {
        limits,
        parameters,
        request: req,
        hidden: ignoresUnwritable ? [] : hidden.paths,
      });

    // Access (403). `may` is called before the request waits for its turn, and again for each state that the
    // request is checked on. Without `may`, nothing is read in advance.
    const reading = client.context({ maxBytes: limits.result, ...(once && { outcome: { id: once.id } }) });
    const permittedState = (found?: FoundState<T>) => readPermitted(settings, key, req, reading, found);
    const readInAdvance = await readBeforeTurn(settings, key, permittedState);

    // Reads, checks and writes, until no other write has come in between. It runs below, when the request has
    // its turn in the queue of the key.
    const carryOut = async (): Promise<Committed<T>> => {
      let document: Buffer | undefined;
      let state = readInAdvance ?? (await permittedState());
      for (let lost = 0; ; lost++) {
        const stored = state.current;
        const repeated = stored && once && findOutcome(stored, once);
        if (repeated) return { before: undefined, after: stored, repeated };

        // RFC 9110 13.2.1: preconditions are evaluated only if the request would otherwise succeed, but
        // before its content is processed. So 404 comes before them, and a malformed document after them.
        const base = stored === undefined ? await settings.initial?.(req) : stored.value;
        if (base === undefined) throw targetNotFound();
        const refusal = preconditionRefusal(
          req,
          () => stored && settings.createValidators(stored, req),
          options,
        );
        if (refusal !== undefined) throw await withCurrent(settings, req, refusal, stored);

        // The document is parsed for each attempt: if a rule of the app has modified the values of an attempt
        // that lost its race, the next attempt must still begin from the values that were sent.
        document ??= await prepareDocument(settings, req, sentDocument, base, parse);
        const patch = parse(document);
        // If neither the app nor the store has a rule, everything from here to `next` leaves the patch's
        // result as it is.
        const protection = await settings.protect(req, stored?.value);
        const visible = hidden.visible(base);
        // Filled by the patch: each edited copy with its original. Only a schema in `validate` reads it, to
        // recognize the elements of a list.
        const originals = new Map<object, object>();
        const applied = patch(visible, originals);
        const completed = isWhole ? protection.complete(visible, applied) : applied;
        const stale = settings.findStale(visible, completed, stored === undefined, (value) =>
          patch(value as T),
        );
        if (stale !== undefined) throw await withCurrent(settings, req, stale, stored);
        const rounded = roundable.size > 0 ? findRounded(visible, applied, roundable, doubles) : undefined;
        if (rounded !== undefined) throw numberRounded(rounded, isWhole);

        // Members that the client cannot write are left out of the change, or refused (422, 403).
        let result = completed;
        if (ignoresUnwritable) {
          const allowed = protection.leaveOut(visible, hidden.leaveOut(completed)) as T;
          result = checkValue('accept', store.accept?.(key, allowed, stored?.value)) ?? allowed;
          if (isEqualJson(result, visible))
            assertNamesOthers(readJson(document, limits.depth), result, completed);
        }
        hidden.assertUntouched(visible, result);
        assertAllowed(protection, visible, result, limits.bytes);

        // The app's own rules, on the whole value (422, 403).
        const withHidden = (result === visible ? base : hidden.restored(result, base)) as T;
        const context = { key, stored, base, result, originals, isWhole, protection, req };
        const next = await settings.toValidated(withHidden, context);
        if (authorize !== undefined) {
          const changes = changesWithin(stored?.value, next, limits.bytes);
          if (changes === undefined) throw tooManyChanges(limits.bytes);
          const change = {
            current: stored?.value,
            next,
            get changed() {
              return changes.pointers;
            },
          };
          if (!(await authorize(req, change))) throw forbidden();
        }

        // The write, if the state is still the current one. Without versions, `expected` is an empty text,
        // and the condition is `writing.current`.
        client.assertAnswerNeeded();
        trace.attempts++;
        const writing = client.context({
          maxBytes: limits.result,
          ...(stored && { current: stored }),
          ...(once && {
            outcome: createPendingOutcome(
              once,
              stored,
              next,
              (made) => settings.createTag(made, req),
              readMember(store, 'fit') === undefined,
            ),
          }),
        });
        const expected = stored === undefined ? null : expectedVersion(stored);
        const written = checkReplacement(store, await store.replace(key, expected, next, writing));
        if (written.after !== undefined) {
          settings.adviseOnUnmoved(stored, written.after);
          return { before: stored, after: written.after };
        }
        // The state that the store has found can lack the outcome of this very request, so with an
        // Idempotency-Key it is read again.
        const present = once ? undefined : written.found;
        state = await afterLostRace(lost, stored, present, permittedState, (current) =>
          withCurrent(settings, req, tooManyRaces(), current),
        );
      }
    };
    const inTurn =
      once === undefined ? carryOut : () => unlessInFlight(store, key, once, carryOut, permittedState);
    const { before, after, repeated } = await storeQueue(store).run(key, inTurn, client);
    if (repeated === undefined) {
      trace.outcome = before === undefined ? 'created' : 'changed';
      settings.notifyPatched({ key, before, after, patch: { mediaType, document: sentDocument }, req });
    } else {
      trace.outcome = 'repeated';
      debug('%s: a repeat of an earlier request; nothing was written', req.originalUrl);
    }

    // The answer: 204, 200 with the representation, or 201 if the resource was created.
    //
    // The first answer to an idempotent request is not stored. It is made again as long as the resource is in
    // the state that the request made; versions are compared, because the app's entity tags can repeat.
    const isCurrent =
      repeated === undefined || (repeated.version !== undefined && repeated.version === after.version);
    // RFC 9110 9.3.4: the answer to PUT has an ETag only if GET returns exactly the bytes that were sent,
    // because a client can use the tag for the representation that it has. For a state that is gone, this
    // cannot be checked any more.
    const mayHaveTag =
      method === 'PATCH' || (isCurrent && isAsSent && (await isShownAs(sentDocument, settings, after, req)));
    const earlierTag = repeated && readMember(repeated, 'tag');
    // The tag and the content are made from the state that the store has written, which can differ from the
    // value that it received: a body has the bytes that GET sends under the same tag.
    const tag = !mayHaveTag ? undefined : isCurrent ? createAnswerTag(settings, after, req) : earlierTag;
    const preference = returnPreference(header(req, 'prefer'));
    const showsContent = isCurrent && (preference ?? options.respond) === 'representation';
    const content = showsContent ? await createContent(settings, after, req) : undefined;
    const status = repeated?.status ?? (before === undefined ? 201 : 204);

    // If a time limit of the app has answered during the write, the change was made, but cannot be reported.
    if (res.headersSent) return;
    res.statusCode = trace.status = status === 204 && content !== undefined ? 200 : status;
    // No header that would make the answer cacheable (RFC 5789 2).
    if (tag !== undefined) res.setHeader('ETag', tag);
    // Content-Location: the content, or the ETag of a 204, belongs to the resource at the path that the
    // client requested, even if the app has rewritten `req.url` (RFC 9110 8.7), unless the write has moved
    // the resource. A 201 has no Location: the created resource is the target (15.3.2).
    if (!hasMoved(req, before, after))
      res.setHeader('Content-Location', pathReference(toPath(req.originalUrl)));
    if (preference === 'minimal' || (preference !== undefined && content !== undefined))
      res.setHeader('Preference-Applied', `return=${preference}`);
    if (content !== undefined) res.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (res.statusCode !== 204) res.setHeader('Content-Length', Buffer.byteLength(content ?? ''));
    res.end(content);
  });
}

/** A change that was made, or the repeat of a request that made one. */
interface Committed<T> {
  /** Undefined if the request has created the resource, and for a repeat. */
  readonly before: Stored<T> | undefined;
  readonly after: Stored<T>;
  /** The outcome of the first request, if this one is a repeat. */
  readonly repeated?: Outcome | undefined;
}

/**
 * The document to apply: the document that was sent, or the result of the option `prepare`.
 *
 * @param base - the value that it is applied to
 * @throws PatchError if the document is malformed
 * @throws TypeError if `prepare` returns undefined or a function, NotJsonError if JSON cannot hold its result
 */
async function prepareDocument<T>(
  { options: { prepare }, limits }: PatchSettings<T>,
  req: PatchRequest,
  document: Buffer,
  base: T,
  parse: (bytes: Buffer) => unknown,
): Promise<Buffer> {
  if (prepare === undefined) return document;
  parse(document);
  const sent = readJson(document, limits.depth);
  // A function that reads the members of the document must not get null.
  if (isJsonObject(base) && !isContainer(sent)) throw notAnObject();
  const prepared: unknown = await prepare(sent, req);
  if (prepared === undefined || typeof prepared === 'function') {
    throw new TypeError(
      `The option prepare returned ${inspectResult(prepared)}. ` +
        'Return the document to apply, such as the one that it received.',
    );
  }
  return Buffer.from(JSON.stringify(readAppJson(prepared, 'The document that the option prepare returned')));
}

function notAnObject(): PatchError {
  const detail =
    'The document is null, a text, a number, true or false, but the resource is an object. ' +
    'Send an object with the members to change.';
  return new PatchError('patch-kind', detail);
}

/**
 * The JSON Pointer of a changed number that a body parser may have rounded.
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

/**
 * With `unwritable: 'ignore'`, checks a change of which nothing is left. A page that sends a whole record
 * without having changed it also names members that it could write, and is not refused.
 *
 * @throws ProblemError 422 if the document names only members that the client cannot write
 */
function assertNamesOthers(document: unknown, result: unknown, completed: unknown): void {
  const leftOut = changedPointers(result, completed);
  const [pointer] = leftOut;
  const names = new Set(leftOut.map((one) => tokensIn(one)[0]));
  const named = isJsonObject(document) ? Object.keys(document) : [];
  if (pointer !== undefined && named.every((name) => names.has(name))) throw nothingWritable(pointer);
}

/** @throws ProblemError 422 for a change of members that nobody can write, 403 if other clients can */
function assertAllowed(protection: Protection, visible: unknown, result: unknown, limit: number): void {
  const pointer = protection.firstChange(visible, result);
  if (pointer === undefined) return;
  if (!protection.isRight) throw readOnly(pointer);
  const changes = changesWithin(visible, result, limit)?.pointers ?? [];
  const denied = changes.filter((change) => protection.protects(tokensIn(change)) !== undefined);
  throw memberForbidden(denied.length === 0 ? [pointer] : denied);
}

/** Whether GET would return exactly these bytes. */
async function isShownAs<T>(
  bytes: Buffer,
  settings: PatchSettings<T>,
  state: Stored<T>,
  req: PatchRequest,
): Promise<boolean> {
  const content = await createContent(settings, state, req);
  return content !== undefined && Buffer.from(content).equals(bytes);
}

/**
 * The change is committed, so an error in `represent` costs only the body, and must not make the request seem
 * to have failed.
 */
async function createContent<T>(
  settings: PatchSettings<T>,
  state: Stored<T>,
  req: PatchRequest,
): Promise<string | undefined> {
  if (!hasValue(state)) return undefined;
  try {
    return await createRepresentation(settings, state.value, req);
  } catch (error) {
    settings.warnOfRepresentation(error);
    return undefined;
  }
}

/** As with `represent`, an error in `entityTag` costs only the header. */
function createAnswerTag<T>(
  { createTag, warnOfTag }: PatchSettings<T>,
  state: Stored<T>,
  req: PatchRequest,
): string | undefined {
  // If the state is its content, the tag is made from the value.
  if (state.version === undefined && !hasValue(state)) return undefined;
  try {
    return createTag(state, req);
  } catch (error) {
    // Without a value, `entityTag` is not to blame.
    if (hasValue(state)) warnOfTag(error);
    return undefined;
  }
}

/**
 * Whether the write has changed a member that the URL contains: a member that has the name of a route
 * parameter, and had its value, such as the slug of `/articles/:slug`.
 */
function hasMoved(
  { params }: PatchRequest,
  before: Stored<unknown> | undefined,
  after: Stored<unknown>,
): boolean {
  if (before === undefined || !hasValue(after)) return false;
  return Object.keys(params).some((name) => {
    const old = readChild(before.value, name);
    return !isContainer(old) && String(old) === params[name] && readChild(after.value, name) !== old;
  });
}
