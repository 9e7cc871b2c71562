import type { CorsOptions } from '../../lib/cors/policy/options';
import type { FrontOptions } from '../../lib/front';

const origin = 'https://app.example';

/** Policies of that origin which have it as no property of their own. */
export const inheritedPolicies: readonly (readonly [what: string, policy: CorsOptions])[] = [
  [
    'a class instance',
    new (class {
      readonly #origin = origin;
      get origin() {
        return this.#origin;
      }
    })(),
  ],
  ['made from another', Object.create({ origin }) as CorsOptions],
  ['a URL', new URL(origin)],
];

class Options implements FrontOptions {
  readonly #cors = { origin };
  get cors() {
    return this.#cors;
  }
  get body() {
    return () => 'the body';
  }
}

/** The same of options that have that policy, and a body. */
export const inheritedOptions: readonly (readonly [what: string, options: FrontOptions])[] = [
  ['a class instance', new Options()],
  ['made from others', Object.create({ cors: { origin }, body: () => 'the body' }) as FrontOptions],
];
