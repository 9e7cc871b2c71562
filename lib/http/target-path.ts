/** RFC 9112 3.2.2: in the absolute form the path begins behind scheme and authority. */
const schemeAndAuthority = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/** The path of a request target, without query: the part that names a resource in Express's routes. */
export function pathOf(requestTarget: string): string {
  const path = requestTarget.replace(schemeAndAuthority, '').replace(/[?#].*$/s, '');
  return path === '' ? '/' : path;
}

/**
 * The path as a reference that leads back to this very path when a client resolves it. `//host/x` would lead to
 * another host (RFC 3986 4.2), where this server has nothing to say.
 */
export function pathReference(path: string): string {
  return path.startsWith('//') ? `/.${path}` : path;
}
