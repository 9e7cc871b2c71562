/** Content negotiation, as Express uses it. */
declare module 'negotiator' {
  class Negotiator {
    constructor(request: { headers: Readonly<Record<string, string | string[] | undefined>> });
    mediaType(available: readonly string[]): string | undefined;
  }
  export = Negotiator;
}
