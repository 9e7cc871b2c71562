import { ProblemError } from '../http/problem';
import { shownPointer } from '../stores/contract/invalid-result';

/** The refusals of PATCH, and of the other methods of `resource`, each a sentence for the client and a stable code for its program. */

export function targetNotFound(): ProblemError {
  return new ProblemError(
    404,
    'target-not-found',
    'There is no resource here. Look at the address, or create it first.',
  );
}

export function tooManyRaces(): ProblemError {
  const detail = 'Others keep changing the resource, and nothing was written. Send the request again.';
  return new ProblemError(409, 'lost-race', detail, { headers: { 'Retry-After': '1' } });
}

export function readOnly(whole: string): ProblemError {
  const pointer = shownPointer(whole);
  const detail = `The request changes ${JSON.stringify(pointer)}, which is read-only. Leave it as it is.`;
  return new ProblemError(422, 'read-only', detail, { extensions: { pointer } });
}

/** `authorize` decides on a list that is complete, or on none. */
export function tooManyChanges(limit: number): ProblemError {
  const detail = `The JSON Pointers of what the request changes exceed ${limit} bytes. Send it in parts.`;
  return new ProblemError(413, 'limit-changes', detail);
}

/** Said of a resource that is there and of one that is not. */
export function notPermitted(method: string): ProblemError {
  return new ProblemError(403, 'forbidden', `You may not ${method} this resource. Ask for the right to.`);
}

export function forbidden(): ProblemError {
  const detail = 'You may not make this change. Ask for the right to, or change less.';
  return new ProblemError(403, 'forbidden', detail);
}
