/** The URL parser of Express's routers. It caches its result on the given object. */
declare module 'parseurl' {
  function parseUrl(request: { url: string }): { pathname: string | null } | undefined;
  export = parseUrl;
}
