import { ProblemError } from '../../http/problem';

/**
 * The refusals that concern Idempotency-Key, with the status codes of
 * draft-ietf-httpapi-idempotency-key-header 2.7.
 */

export function keyRequired(): ProblemError {
  const detail =
    'Idempotency-Key is missing. Send a unique string in double quotes, such as a UUID: ' +
    'Idempotency-Key: "…".';
  return new ProblemError(400, 'idempotency-key-required', detail);
}

export function keyMalformed(): ProblemError {
  const detail =
    'Idempotency-Key must be a non-empty ASCII string in double quotes, such as a UUID: ' +
    'Idempotency-Key: "…".';
  return new ProblemError(400, 'idempotency-key-malformed', detail);
}

export function keyReused(): ProblemError {
  const detail =
    'This Idempotency-Key was already used for a request with another method, document, media type, ' +
    'precondition or target URI. Send this request with a new key.';
  return new ProblemError(422, 'idempotency-key-reused', detail);
}

export function requestInFlight(): ProblemError {
  const detail =
    'The first request with this Idempotency-Key is still in progress. Retry after the time in Retry-After.';
  return new ProblemError(409, 'idempotency-key-in-flight', detail, { headers: { 'Retry-After': '1' } });
}
