/** Of a response's header fields, those that CORS is about. */
export function corsFields(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = ([name]: [string, unknown]) =>
    name.startsWith('access-control-') || ['vary', 'allow'].includes(name);
  return Object.fromEntries(Object.entries(headers).filter(named));
}
