// Without the server of WebSockets, whose port is always the same.
export default { logLevel: 'silent', server: { hmr: false, ws: false } };
