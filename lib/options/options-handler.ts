import type { ServerResponse } from 'node:http';
import { OptionsCheck } from '../configuration';
import { isThenable } from '../app-callbacks';
import { debugLog } from '../http/debug-log';
import { handOn } from '../http/hand-on';
import { endResponse } from '../http/response-head';
import { mediaTypeList } from '../http/media-type-list';
import type { Middleware, Next } from '../http/middleware';
import { ProblemError } from '../http/problem';
import { sendProblem } from '../http/send-problem';
import { pathOf } from '../http/target-path';
import {
  createTargetInspection,
  type TargetFindings,
  type TargetMethods,
  type TargetOptions,
} from '../routes/allowed-methods';
import { passesOptions } from '../express/handler-metadata';
import { checkRoot } from '../routes/request-target';
import { targetMethods } from '../routes/method-set';

const debug = debugLog('options');

/** What `body` is told. */
export interface OptionsBodyContext {
  /** Without a query. */
  readonly path: string;
  readonly methods: readonly string[];
  readonly acceptPatch: readonly string[];
  /** The media types of queries that the target takes; empty where QUERY is not registered with `queryHandler`. */
  readonly acceptQuery: readonly string[];
}

/** Options of `optionsHandler`. */
export interface OptionsHandlerOptions extends TargetOptions {
  /**
   * Makes the content, or a promise of it, sent as JSON (RFC 9110 9.3.7 leaves the format open); undefined: none.
   * Default: none.
   */
  readonly body?: (target: OptionsBodyContext) => unknown;
  /** With 204 the answer has no content and no Content-Length (RFC 9110 8.6). Default 200, as in RFC 5789 3.1. */
  readonly status?: 200 | 204;
}

/**
 * Answers OPTIONS (RFC 9110 9.3.7) with the methods of the target's routes in `Allow` and the media types of its
 * `patchHandler` in `Accept-Patch` (RFC 5789 3.1); `OPTIONS *` with the methods of the whole server. A target without
 * routes, or with an OPTIONS handler of the host's, goes on.
 *
 * Mount it first: at the end of any router Express answers OPTIONS by itself, with that router's routes alone.
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function optionsHandler(options: OptionsHandlerOptions = {}): Middleware {
  const check = new OptionsCheck('optionsHandler()');
  const own = check.names(options, ['root', 'body', 'status']);
  checkOptionsHandler(own, check);
  check.done();
  return createOptionsHandler(own, own.root);
}

/** The same of options that are checked, and may hold others too. */
export function createOptionsHandler(
  { body, status = 200 }: Omit<OptionsHandlerOptions, 'root'>,
  root: unknown,
): Middleware {
  const inspect = createTargetInspection({ root });
  const answer = createAnswer(status);

  return passesOptions(function optionsHandler(req, res, next) {
    if (req.method !== 'OPTIONS') {
      next();
      return;
    }
    const found = inspect(req, optionsHandler);
    if (found === undefined || found.routes.optionsHandler === 'reachable') {
      debug('%s: left to the host', req.url);
      next();
      return;
    }
    const target = found.target ?? (found.routes.optionsHandler === 'shadowed' ? optionsAlone : undefined);
    if (target === undefined) {
      answerWithoutMethods(found, res, next);
      return;
    }
    debug('%s: %s', found.url, target.methods);
    try {
      const { methods, acceptPatch, acceptQuery } = target;
      const content = body?.({ path: pathOf(found.url), methods, acceptPatch, acceptQuery });
      if (isThenable(content)) {
        const settled = Promise.resolve(content).then((value) => {
          // Meanwhile a time limit of the host's may have answered.
          if (!res.headersSent) answer(res, target, value);
        });
        settled.catch((error: unknown) => {
          handOn(error, res, next);
        });
      } else {
        answer(res, target, content);
      }
    } catch (error) {
      handOn(error, res, next);
    }
  });
}

/** The methods of a target for which the host has an OPTIONS handler and nothing else. */
const optionsAlone = targetMethods([]);

/**
 * No method is left where only handlers of four arguments match, or where the target is malformed before any route.
 * Express answers the latter with 400. Of the former it would list the methods, though each of them gives 404.
 */
function answerWithoutMethods({ routes }: TargetFindings, res: ServerResponse, next: Next): void {
  const detail = 'No route of this server answers for this target. Look at the address.';
  if (!routes.answeredByExpress) next();
  else if (routes.malformed !== undefined) next(routes.malformed.error);
  else sendProblem(res, new ProblemError(404, 'not-found', detail));
}

type Answer = (res: ServerResponse, target: TargetMethods, value: unknown) => void;

function createAnswer(status: number): Answer {
  /** The fields of each answer, by what `TargetMethods` there are: as many as the routes make, however many targets. */
  const prepared = new WeakMap<TargetMethods, TargetFields>();
  // RFC 9110 9.3.7: a Content-Length of 0 where there is no content; 8.6: none in a 204.
  const empty = status === 204 ? [] : ['Content-Length', '0'];

  return (res, target, value) => {
    let fields = prepared.get(target);
    if (fields === undefined) prepared.set(target, (fields = fieldsOf(target, empty)));
    const content = value === undefined ? value : (JSON.stringify(value) as string | undefined);
    if (content === undefined) {
      endResponse(res, status, fields.withoutContent);
      return;
    }
    const length = String(Buffer.byteLength(content));
    const described = ['Content-Type', 'application/json', 'Content-Length', length];
    endResponse(res, status, [...fields.ofTarget, ...described], content);
  };
}

/** Names and values in turn. */
interface TargetFields {
  readonly ofTarget: string[];
  readonly withoutContent: string[];
}

function fieldsOf(
  { methods, acceptPatch, acceptQuery }: TargetMethods,
  empty: readonly string[],
): TargetFields {
  const ofTarget = ['Allow', methods.join(', ')];
  if (acceptPatch.length > 0) ofTarget.push('Accept-Patch', acceptPatch.join(', '));
  if (acceptQuery.length > 0) ofTarget.push('Accept-Query', mediaTypeList(acceptQuery));
  return { ofTarget, withoutContent: [...ofTarget, ...empty] };
}

export function checkOptionsHandler(options: OptionsHandlerOptions, check: OptionsCheck): void {
  checkRoot(check, options);
  const { body, status }: { body?: unknown; status?: unknown } = options;
  if (body !== undefined && typeof body !== 'function') {
    check.mistake('body', body, {
      code: 'option-type',
      reason: 'is no function',
      fix: 'Give a function that returns the content of the answer.',
    });
  }
  if (status !== undefined && status !== 200 && status !== 204) {
    check.mistake('status', status, {
      code: 'option-value',
      reason: 'is no status of an answer to OPTIONS',
      fix: 'Give 200 or 204.',
    });
  }
  if (status === 204 && body !== undefined) {
    check.mistake('status', status, {
      code: 'option-conflict',
      reason: 'has no content',
      fix: 'Leave out `body`, or answer with 200.',
    });
  }
}
