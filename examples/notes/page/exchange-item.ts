import type { Exchange } from '../exchange.js';
import { element } from './element.js';
import { exchangeLeg, statusKind, needsPreflight, readHeader, type LegActions } from './exchange-leg.js';

/** How many milliseconds after its preflight a request follows at most. */
const patience = 5_000;

const kept = 'No preflight this time: the browser still has the last answer (Access-Control-Max-Age).';

export type ItemActions = LegActions;

/** An exchange in the panel: a preflight with the request that followed it, or a request that needed none. */
export class ExchangeItem {
  readonly root = element('li', { class: 'exchange' });
  readonly #first: Exchange;
  readonly #actions: ItemActions;
  readonly #status = element('span', { class: 'status' });
  #waits: boolean;

  constructor(first: Exchange, actions: ItemActions) {
    const { preflight, method, url, at, requestFields, verdict } = first;
    this.#first = first;
    this.#actions = actions;
    this.#waits = preflight && verdict?.allowed !== false;
    const asked = readHeader(requestFields, 'Access-Control-Request-Method');
    const origin = readHeader(requestFields, 'Origin');
    this.root.append(
      element(
        'p',
        { class: 'exchange-head' },
        element('span', { class: 'method' }, asked ?? method),
        element('span', { class: 'path' }, url),
        this.#status,
      ),
      element(
        'p',
        { class: 'exchange-from' },
        element('time', { datetime: new Date(at).toISOString() }, new Date(at).toLocaleTimeString()),
        origin === undefined ? ' without an origin' : ` from ${origin}`,
      ),
    );
    if (!preflight && origin !== undefined && needsPreflight(method))
      this.root.append(element('p', { class: 'leg kept' }, kept));
    this.#add(first);
  }

  /** Whether this is the request that the preflight here asked for. */
  isFollowedBy({ preflight, method, url, at, requestFields }: Exchange): boolean {
    const asked = this.#first.requestFields;
    return (
      this.#waits &&
      !preflight &&
      url === this.#first.url &&
      at - this.#first.at < patience &&
      method === readHeader(asked, 'Access-Control-Request-Method') &&
      readHeader(requestFields, 'Origin') === readHeader(asked, 'Origin')
    );
  }

  follow(exchange: Exchange): void {
    this.#waits = false;
    this.#add(exchange);
  }

  #add(exchange: Exchange): void {
    const { status, phrase, preflight, verdict } = exchange;
    const refused = verdict?.allowed === false;
    if (refused) this.#say('Refused', 'bad');
    else if (preflight) this.#say('Asked', '');
    else this.#say(`${String(status)} ${phrase}`, statusKind(status));
    this.root.append(exchangeLeg(exchange, this.#actions));
  }

  #say(text: string, kind: string): void {
    this.#status.textContent = text;
    this.#status.className = `status ${kind}`;
  }
}
