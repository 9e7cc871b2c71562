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
  allowed(target: TargetMethods, allowOrigin: string): PreflightAnswer;
}

/**
 * The methods that a preflight for this target lists: every one that its routes handle, or those of them that the host
 * narrowed to. Not only the one that was asked for: so the browser can keep the answer for the others, and where it
 * has to refuse one its console says which.
 */
export function listedMethods({ methods: narrowed }: CorsPolicy, target: TargetMethods): readonly string[] {
  return narrowed === undefined
    ? target.methods
    : target.methods.filter((method) => narrowed.includes(method));
}

export function preflightAnswers(policy: CorsPolicy): PreflightAnswers {
  // Both answers differ from that to a plain OPTIONS by the presence of this field. What it says has no say.
  const varies = ['Vary', [...policy.vary, 'Access-Control-Request-Method'].join(', ')];
  // Said, because there are browsers that wait for the content of an answer to OPTIONS that does not say it has none.
  const empty = ['Content-Length', '0'];
  /** What depends on the target alone, by what `TargetMethods` there are: as many as the routes make. */
  const prepared = new WeakMap<TargetMethods, readonly string[]>();

  return {
    refused: { status: 403, fields: [...varies, ...empty] },
    allowed(target, allowOrigin) {
      let fields = prepared.get(target);
      if (fields === undefined) {
        fields = [...preflightFields(policy, target), ...varies, ...empty];
        prepared.set(target, fields);
      }
      return { status: 200, fields: ['Access-Control-Allow-Origin', allowOrigin, ...fields] };
    },
  };
}

function preflightFields(policy: CorsPolicy, target: TargetMethods): readonly string[] {
  const { credentials, allowedHeaders, maxAge } = policy;
  return [
    // Sent also where it is empty: without the field, a request with the use-CORS-preflight flag would have its own
    // method allowed (Fetch, CORS-preflight fetch step 7.4).
    ...['Access-Control-Allow-Methods', listedMethods(policy, target).join(', ')],
    ...(allowedHeaders.length > 0 ? ['Access-Control-Allow-Headers', allowedHeaders.join(', ')] : []),
    ...(credentials ? ['Access-Control-Allow-Credentials', 'true'] : []),
    ...['Access-Control-Max-Age', String(maxAge)],
  ];
}
