import type { Exchange } from '../exchange.js';
import { byId } from './element.js';
import { ExchangeItem, type ItemActions } from './exchange-item.js';
import type { StreamState } from './exchange-stream.js';

/** How many exchanges are shown. */
const shown = 40;

const states: Readonly<Record<StreamState, string>> = {
  live: 'Live',
  waiting: 'Reconnecting …',
  paused: 'Paused',
};

/** The live panel: each request with the preflight before it, newest first. */
export class ExchangeLog {
  readonly #list = byId('exchange-list', HTMLOListElement);
  readonly #blank = byId('no-exchanges', HTMLParagraphElement);
  readonly #state = byId('stream-state', HTMLSpanElement);
  readonly #actions: ItemActions;
  #items: readonly ExchangeItem[] = [];

  constructor(actions: ItemActions) {
    this.#actions = actions;
    byId('clear-exchanges', HTMLButtonElement).addEventListener('click', () => {
      this.#show([]);
    });
  }

  showState(state: StreamState): void {
    this.#state.textContent = states[state];
    this.#state.dataset['state'] = state;
  }

  add(exchange: Exchange): void {
    const asked = this.#items.find((item) => item.isFollowedBy(exchange));
    if (asked !== undefined) {
      asked.follow(exchange);
      return;
    }
    const item = new ExchangeItem(exchange, this.#actions);
    this.#list.prepend(item.root);
    this.#show([item, ...this.#items].slice(0, shown));
  }

  #show(items: readonly ExchangeItem[]): void {
    this.#items = items;
    while (this.#list.children.length > items.length) this.#list.lastElementChild?.remove();
    this.#blank.hidden = items.length > 0;
  }
}
