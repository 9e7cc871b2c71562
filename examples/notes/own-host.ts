import type { IncomingMessage, RequestListener } from 'node:http';

/** The host names of a server on this machine; `stranger.localhost` is the page's second origin. */
export type OwnName = '127.0.0.1' | 'localhost' | 'stranger.localhost';

/**
 * Answers requests whose host is one of these names, with the port of this server; other requests get 421 (RFC 9110 15.5.20).
 *
 * A web page can reach a server on the user's machine under a name of its own, which resolves to 127.0.0.1 the second time
 * (DNS rebinding). To the browser that is the page's own origin, so CORS does not apply; but the request still names the
 * host.
 */
export function ownHost(names: readonly OwnName[], listener: RequestListener): RequestListener {
  return (req, res) => {
    const { localPort = 0 } = req.socket;
    // Browsers leave out the port of the scheme.
    const ports = localPort === 80 ? ['', ':80'] : [`:${localPort}`];
    const own = names.flatMap((name) => ports.map((port) => name + port));
    if (readHosts(req).every((host) => own.includes(host))) {
      listener(req, res);
      return;
    }
    const text = `This server only answers requests for ${own.join(' and ')}.\n`;
    res.writeHead(421, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' }).end(text);
  };
}

/**
 * The name and port of each Host line, or of a target in absolute form, which takes precedence (RFC 9112 3.2.2). A
 * request without any is not for this server.
 */
function readHosts({ url = '', headersDistinct: { host = [''] } }: IncomingMessage): readonly string[] {
  if (url.startsWith('/') || url === '*') return host.map((name) => name.toLowerCase());
  const [, scheme = '', authority = ''] = /^([^:/?#]*):\/\/([^/?#]*)/.exec(url) ?? [];
  return [...host, scheme.toLowerCase() === 'http' ? authority : ''].map((name) => name.toLowerCase());
}
