import type { IncomingMessage, RequestListener } from 'node:http';

/** What a server on this machine is called; `stranger.localhost` is the page's second origin. */
export type OwnName = '127.0.0.1' | 'localhost' | 'stranger.localhost';

/**
 * Answers the requests that are for this server, by one of its names and its port; others get 421 (RFC 9110 15.5.20).
 *
 * A page of the web reaches a server on the reader's machine under a name of its own, whose address is 127.0.0.1 the second
 * time it is looked up (DNS rebinding). To the browser that is the page's own origin, which CORS has no say in; but the
 * request says for which name it is.
 */
export function ownHost(names: readonly OwnName[], listener: RequestListener): RequestListener {
  return (req, res) => {
    const { localPort = 0 } = req.socket;
    // Browsers leave out the port of the scheme.
    const ports = localPort === 80 ? ['', ':80'] : [`:${localPort}`];
    const own = names.flatMap((name) => ports.map((port) => name + port));
    if (hostsOf(req).every((host) => own.includes(host))) {
      listener(req, res);
      return;
    }
    const text = `This server answers requests for ${own.join(' and ')} alone.\n`;
    res.writeHead(421, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' }).end(text);
  };
}

/**
 * Of each line of Host, and of a target in absolute form, which comes before Host (RFC 9112 3.2.2): the names and ports.
 * Where there is none the request is for nobody.
 */
function hostsOf({ url = '', headersDistinct: { host = [''] } }: IncomingMessage): readonly string[] {
  if (url.startsWith('/') || url === '*') return host.map((name) => name.toLowerCase());
  const [, scheme = '', authority = ''] = /^([^:/?#]*):\/\/([^/?#]*)/.exec(url) ?? [];
  return [...host, scheme.toLowerCase() === 'http' ? authority : ''].map((name) => name.toLowerCase());
}
