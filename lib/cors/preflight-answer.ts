import type { ServerResponse } from 'node:http';
import { parseFieldList } from '../http/field-list';
import { setIfUnset, varyOn } from '../http/response-head';
import type { TargetMethods } from '../routes/allowed-methods';
import type { CorsPolicy } from './policy/policy';

/** A whole answer to a preflight, ready to be written. Its content is empty. */
export interface PreflightAnswer {
  readonly status: 200 | 403;
  /** Names and values in turn. */
  readonly fields: string[];
}

/** The answers of one policy. */
export interface PreflightAnswers {
  readonly refused: PreflightAnswer;
  /**
   * @param target - undefined: no route is seen
   * @param requested - the header names asked for, where the policy sends them back
   * @returns undefined where the preflight goes on to the app
   */
  allowed(
    target: TargetMethods | undefined,
    allowOrigin: string,
    requested: string | undefined,
  ): PreflightAnswer | undefined;
  /** Makes an answer to a preflight of what the app answers an OPTIONS request; called when its head is written. */
  complete(res: ServerResponse, requested: string | undefined): void;
}

/**
 * The methods that a preflight for this target lists: every one that its routes handle, or those of them that the host
 * narrowed to. Not only the one that was asked for: so the browser can keep the answer for the others, and where it
 * has to refuse one its console says which.
 */
export function listedMethods(policy: CorsPolicy, target: TargetMethods): readonly string[] {
  return narrowed(policy, target.methods);
}

function narrowed({ methods }: CorsPolicy, found: readonly string[]): readonly string[] {
  return methods === undefined ? found : found.filter((method) => methods.includes(method));
}

export function preflightAnswers(policy: CorsPolicy): PreflightAnswers {
  const { allowedHeaders, unseen } = policy;
  // All answers differ from that to a plain OPTIONS by the presence of this field. What it says has no say.
  const asked = ['Access-Control-Request-Method'];
  if (allowedHeaders === 'requested') asked.push('Access-Control-Request-Headers');
  const varies = ['Vary', [...policy.vary, ...asked].join(', ')];
  // Said, because there are browsers that wait for the content of an answer to OPTIONS that does not say it has none.
  const empty = ['Content-Length', '0'];
  const ofUnseen = unseen && [...preflightFields(policy, unseen), ...varies, ...empty];
  /** What depends on the target alone, by what `TargetMethods` there are: as many as the routes make. */
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
 * What whoever answers says in Allow, as Express does at the end of a router that cannot be seen into. Undefined where the
 * answer is no success, which browsers refuse (Fetch, CORS-preflight fetch step 7), or where it is complete: an
 * Access-Control-Allow-Methods of the app's is about what only the app knows.
 */
function methodsAnswered(res: ServerResponse): readonly string[] | undefined {
  const isOk = res.statusCode >= 200 && res.statusCode <= 299;
  if (!isOk || !res.hasHeader('Allow') || res.hasHeader('Access-Control-Allow-Methods')) return undefined;
  const allow = res.getHeader('Allow');
  return parseFieldList(typeof allow === 'number' ? String(allow) : allow);
}

/** Names and values in turn, of all but the origin. */
function preflightFields(policy: CorsPolicy, methods: readonly string[]): string[] {
  const { credentials, allowedHeaders, maxAge } = policy;
  const listed = allowedHeaders === 'requested' ? [] : allowedHeaders;
  return [
    // Sent also where it is empty: without the field, a request with the use-CORS-preflight flag would have its own
    // method allowed (Fetch, CORS-preflight fetch step 7.4).
    ...['Access-Control-Allow-Methods', methods.join(', ')],
    ...(listed.length > 0 ? ['Access-Control-Allow-Headers', listed.join(', ')] : []),
    ...(credentials ? ['Access-Control-Allow-Credentials', 'true'] : []),
    ...['Access-Control-Max-Age', String(maxAge)],
  ];
}
