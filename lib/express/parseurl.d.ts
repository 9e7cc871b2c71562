/** The URL parser of Express's own routers; it keeps its result on the object that it is given. */
declare module 'parseurl' {
  function parseUrl(request: { url: string }): { pathname: string | null } | undefined;
  export = parseUrl;
}
