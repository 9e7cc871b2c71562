import type { CorsOptions } from '../../lib/cors/options';
import type { OptionsListenerOptions } from '../../lib/options-listener';

const origin = 'https://app.example';

/** Policies of that origin which have it as no property of their own. */
export const inheritedPolicies: readonly { readonly what: string; readonly cors: CorsOptions }[] = [
  {
    what: 'a class instance',
    cors: new (class {
      readonly #origin = origin;
      get origin() {
        return this.#origin;
      }
    })(),
  },
  { what: 'made from another', cors: Object.create({ origin }) as CorsOptions },
  { what: 'a URL', cors: new URL(origin) },
];

class Options implements OptionsListenerOptions {
  readonly #cors = { origin };
  get cors() {
    return this.#cors;
  }
  get body() {
    return () => 'the body';
  }
}

/** The same of options that have that policy, and a body. */
export const inheritedOptions: readonly {
  readonly what: string;
  readonly options: OptionsListenerOptions;
}[] = [
  { what: 'a class instance', options: new Options() },
  {
    what: 'made from others',
    options: Object.create({ cors: { origin }, body: () => 'the body' }) as OptionsListenerOptions,
  },
];
