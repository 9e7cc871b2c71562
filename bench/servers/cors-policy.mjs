/** One policy for all, in the option names that npm cors gave to the field; the lists are this library's defaults. */
export const origin = 'https://app.example';
export const methods = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'];
export const allowedHeaders = [
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'If-Unmodified-Since',
  'Prefer',
  'Idempotency-Key',
  'Authorization',
];
export const exposedHeaders = [
  'ETag',
  'Accept-Patch',
  'Allow',
  'Content-Location',
  'Location',
  'Preference-Applied',
  'Retry-After',
];
export const maxAge = 600;
