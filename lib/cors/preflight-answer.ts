import type { ServerResponse } from 'node:http';
import vary from 'vary';
import type { TargetMethods } from '../routes/allowed-methods';
import type { CorsPolicy } from './cors-policy';

/** A whole answer to a preflight, ready to be written. Its content is empty. */
export interface PreflightAnswer {
  readonly status: 200 | 403;
  /** Of the answer's fields, the only one that may depend on more than the target. */
  readonly allowOrigin: string | undefined;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Joined to what others have put into Vary. */
  readonly vary: string;
}

/** The answers of one policy. */
export interface PreflightAnswers {
  readonly refused: PreflightAnswer;
  allowed(target: TargetMethods, allowOrigin: string | undefined): PreflightAnswer;
}

/** What a target that only takes all verbs alike is asked for in practice. */
const commonMethods: readonly string[] = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];

/**
 * The methods that a preflight for this target lists: every one that its routes handle, or those of them that the host
 * narrowed to. Not only the one that was asked for: so the browser can keep the answer for the others, and where it
 * has to refuse one its console says which.
 */
export function listedMethods({ methods: narrowed }: CorsPolicy, target: TargetMethods): readonly string[] {
  const computed = target.allVerbs ? commonMethods : target.methods;
  return narrowed === undefined ? computed : computed.filter((method) => narrowed.includes(method));
}

export function preflightAnswers(policy: CorsPolicy): PreflightAnswers {
  // Both answers differ from that to a plain OPTIONS by the presence of this field. What it says has no say.
  const varyNames = [...policy.vary, 'Access-Control-Request-Method'].join(', ');
  const refused = { status: 403, allowOrigin: undefined, fields: [], vary: varyNames } as const;
  const prepared = new WeakMap<TargetMethods, PreflightAnswer['fields']>();

  return {
    refused,
    allowed(target, allowOrigin) {
      let fields = prepared.get(target);
      if (fields === undefined) {
        fields = preflightFields(policy, target);
        prepared.set(target, fields);
      }
      return { status: 200, allowOrigin, fields, vary: varyNames };
    },
  };
}

function preflightFields(policy: CorsPolicy, target: TargetMethods): PreflightAnswer['fields'] {
  const { credentials, allowedHeaders, maxAge } = policy;
  return [
    // Sent also where it is empty: without the field, a request with the use-CORS-preflight flag would have its own
    // method allowed (Fetch, CORS-preflight fetch step 7.4).
    ['Access-Control-Allow-Methods', listedMethods(policy, target).join(', ')],
    ...(allowedHeaders.length > 0
      ? [['Access-Control-Allow-Headers', allowedHeaders.join(', ')] as const]
      : []),
    ...(credentials ? [['Access-Control-Allow-Credentials', 'true'] as const] : []),
    ['Access-Control-Max-Age', String(maxAge)],
  ];
}

/** Ends the response with the answer. Header fields that others have set stay. */
export function writePreflightAnswer(res: ServerResponse, answer: PreflightAnswer): void {
  res.statusCode = answer.status;
  if (answer.allowOrigin !== undefined) res.setHeader('Access-Control-Allow-Origin', answer.allowOrigin);
  for (const [name, value] of answer.fields) res.setHeader(name, value);
  vary(res, answer.vary);
  // Said, because there are browsers that wait for the content of an answer to OPTIONS that does not say it has none.
  res.setHeader('Content-Length', '0');
  res.end();
}
