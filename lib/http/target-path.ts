/** A request target without the scheme and authority that stand in front of its absolute form (RFC 9112 3.2.2). */
export function originForm(requestTarget: string): string {
  return requestTarget.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
}

/** The path of a request target, without query: the part that names a resource in Express's routes. */
export function pathOf(requestTarget: string): string {
  const path = originForm(requestTarget).replace(/[?#].*$/s, '');
  return path === '' ? '/' : path;
}

/**
 * The path as a reference that stays on this server when a client resolves it. `//host/x`, and in browsers `/\\host/x`,
 * would lead to another host (RFC 3986 4.2), where this server has nothing to say.
 */
export function pathReference(path: string): string {
  const slashed = path.replaceAll('\\', '%5C');
  return slashed.startsWith('//') ? `/.${slashed}` : slashed;
}

/**
 * A URI reference in the characters that a field value may have: all others percent-encoded as UTF-8 (RFC 3986 2.5), with
 * U+FFFD for a lone surrogate.
 */
export function visibleAscii(reference: string): string {
  return reference.replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(Buffer.from(text).toString()));
}
