import { ProblemError } from '../../http/problem';

/** The refusals that concern Idempotency-Key, with the status codes of draft-ietf-httpapi-idempotency-key-header 2.7. */

export function keyRequired(): ProblemError {
  const detail =
    'A write to this resource needs an Idempotency-Key: "…", a string in quotes that no other request has.';
  return new ProblemError(400, 'idempotency-key-required', detail);
}

export function keyMalformed(): ProblemError {
  const detail =
    'Idempotency-Key is no string of a structured field, or an empty one. Send one line with ASCII text in double quotes, a UUID for instance.';
  return new ProblemError(400, 'idempotency-key-malformed', detail);
}

export function keyReused(): ProblemError {
  const detail =
    'Another request to this resource had this Idempotency-Key, and differed in the method, the document, the media ' +
    'type, a precondition or the target URI. Send this one under a key of its own.';
  return new ProblemError(422, 'idempotency-key-reused', detail);
}

export function requestInFlight(): ProblemError {
  const detail =
    'The first request with this Idempotency-Key is still being carried out. Send it again later.';
  return new ProblemError(409, 'idempotency-key-in-flight', detail, { headers: { 'Retry-After': '1' } });
}
