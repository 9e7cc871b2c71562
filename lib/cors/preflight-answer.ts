import type { ServerResponse } from 'node:http';
import { parseFieldList } from '../http/field-list';
import { setIfUnset, varyOn } from '../http/response-head';
import type { TargetMethods } from '../routes/allowed-methods';
import type { CorsPolicy } from './policy/policy';

/** A complete answer to a preflight, without content. */
export interface PreflightAnswer {
  readonly status: 200 | 403;
  /** Headers as a flat list of names and values. */
  readonly fields: string[];
}

/** The answers of one policy. */
export interface PreflightAnswers {
  readonly refused: PreflightAnswer;
  /**
   * @param target - undefined if no visible route matches
   * @param requested - the requested header names, if the policy echoes them
   * @returns undefined if the preflight goes on to the app
   */
  allowed(
    target: TargetMethods | undefined,
    allowOrigin: string,
    requested: string | undefined,
  ): PreflightAnswer | undefined;
  /**
   * Turns the app's answer to an OPTIONS request into an answer to a preflight; called when its head is
   * written.
   */
  complete(res: ServerResponse, requested: string | undefined): void;
}

/**
 * The methods that the answer to a preflight lists: all that the target's routes handle, restricted by the
 * option `methods`. Not only the requested one: so the browser can cache the answer for the others, and its
 * console can name a missing one.
 */
export function listedMethods(policy: CorsPolicy, target: TargetMethods): readonly string[] {
  return narrowed(policy, target.methods);
}

function narrowed({ methods }: CorsPolicy, found: readonly string[]): readonly string[] {
  return methods === undefined ? found : found.filter((method) => methods.includes(method));
}

export function preflightAnswers(policy: CorsPolicy): PreflightAnswers {
  const { allowedHeaders, unseen } = policy;
  // The presence of this header, not its value, tells a preflight from other OPTIONS requests, which are
  // answered differently.
  const asked = ['Access-Control-Request-Method'];
  if (allowedHeaders === 'requested') asked.push('Access-Control-Request-Headers');
  const varies = ['Vary', [...policy.vary, ...asked].join(', ')];
  // Sent because some browsers wait for content if the answer to OPTIONS has no Content-Length.
  const empty = ['Content-Length', '0'];
  const ofUnseen = unseen && [...preflightFields(policy, unseen), ...varies, ...empty];
  /** The headers that depend only on the target, by `TargetMethods`, whose number depends on the routes. */
  const prepared = new WeakMap<TargetMethods, readonly string[]>();

  function fieldsOf(target: TargetMethods): readonly string[] {
    let fields = prepared.get(target);
    if (fields === undefined) {
      fields = [...preflightFields(policy, listedMethods(policy, target)), ...varies, ...empty];
      prepared.set(target, fields);
    }
    return fields;
  }

  return {
    refused: { status: 403, fields: [...varies, ...empty] },
    allowed(target, allowOrigin, requested) {
      const fields = target === undefined ? ofUnseen : fieldsOf(target);
      if (fields === undefined) return undefined;
      const echoed = requested === undefined ? [] : ['Access-Control-Allow-Headers', requested];
      return { status: 200, fields: ['Access-Control-Allow-Origin', allowOrigin, ...fields, ...echoed] };
    },
    complete(res, requested) {
      const methods = methodsAnswered(res);
      if (methods === undefined) return;
      varyOn(res, asked.join(', '));
      const fields = preflightFields(policy, narrowed(policy, methods));
      if (requested !== undefined) fields.push('Access-Control-Allow-Headers', requested);
      for (let i = 0; i < fields.length; i += 2) setIfUnset(res, fields[i] ?? '', fields[i + 1] ?? '');
    },
  };
}

/**
 * The methods in the Allow header of the app's answer, such as Express's own answer at the end of a router
 * that cannot be walked. Undefined if the answer is not a success, which browsers reject (Fetch,
 * CORS-preflight fetch step 7), or if the app has set Access-Control-Allow-Methods itself.
 */
function methodsAnswered(res: ServerResponse): readonly string[] | undefined {
  const isOk = res.statusCode >= 200 && res.statusCode <= 299;
  if (!isOk || !res.hasHeader('Allow') || res.hasHeader('Access-Control-Allow-Methods')) return undefined;
  const allow = res.getHeader('Allow');
  return parseFieldList(typeof allow === 'number' ? String(allow) : allow);
}

/** All headers but the origin, as a flat list of names and values. */
function preflightFields(policy: CorsPolicy, methods: readonly string[]): string[] {
  const { credentials, allowedHeaders, maxAge } = policy;
  const listed = allowedHeaders === 'requested' ? [] : allowedHeaders;
  return [
    // Sent even if it is empty: without the header, the browser allows the request's own method if the
    // use-CORS-preflight flag is set (Fetch, CORS-preflight fetch step 7.4).
    ...['Access-Control-Allow-Methods', methods.join(', ')],
    ...(listed.length > 0 ? ['Access-Control-Allow-Headers', listed.join(', ')] : []),
    ...(credentials ? ['Access-Control-Allow-Credentials', 'true'] : []),
    ...['Access-Control-Max-Age', String(maxAge)],
  ];
}
