/** Requests for a thousand targets, spread over the route groups that servers/express.mjs and its like have. */
export const requests = (method, groups, headers) =>
  Array.from({ length: 1_000 }, (_, i) => ({ method, path: `/group${i % groups}/${7919 * i}`, headers }));
