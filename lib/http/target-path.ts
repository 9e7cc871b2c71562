import type { IncomingMessage } from 'node:http';

/** A request target without the scheme and authority of its absolute form (RFC 9112 3.2.2). */
export function originForm(requestTarget: string): string {
  return requestTarget.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
}

/**
 * The request target that the client sent: below a mount path, routers trim `req.url`, and keep the original
 * in `req.originalUrl`.
 */
export function sentTarget(req: IncomingMessage & { readonly originalUrl?: string }): string {
  return req.originalUrl ?? req.url ?? '';
}

/** The path of a request target, without the query: the part that Express's routes match. */
export function toPath(requestTarget: string): string {
  const path = originForm(requestTarget).replace(/[?#].*$/s, '');
  return path === '' ? '/' : path;
}

/**
 * The path as a reference for a header, which stays on this server when a client resolves it. `//host/x`, and
 * in browsers `/\\host/x`, would refer to another server (RFC 3986 4.2).
 */
export function pathReference(path: string): string {
  const slashed = visibleAscii(path.replaceAll('\\', '%5C'));
  return slashed.startsWith('//') ? `/.${slashed}` : slashed;
}

/**
 * A URI reference with only the characters that a header value can have: all others are percent-encoded as
 * UTF-8 (RFC 3986 2.5), and a lone surrogate becomes U+FFFD.
 */
function visibleAscii(reference: string): string {
  return reference.replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(Buffer.from(text).toString()));
}
