import type { Exchange, Fields, Verdict } from '../exchange.js';
import { element } from './element.js';

/** A request follows its preflight at once, in milliseconds. */
const patience = 5_000;

const kept = 'No preflight this time: a browser keeps the answer for Access-Control-Max-Age.';

/** An exchange in the panel: a preflight with the request that followed it, or a request that needed none. */
export class ExchangeItem {
  readonly root = element('li', { class: 'exchange' });
  readonly #first: Exchange;
  readonly #status = element('span', { class: 'status' });
  #waits: boolean;

  constructor(first: Exchange) {
    const { preflight, method, url, at, requestFields, verdict } = first;
    this.#first = first;
    this.#waits = preflight && verdict?.allowed !== false;
    const asked = valueOf(requestFields, 'Access-Control-Request-Method');
    const origin = valueOf(requestFields, 'Origin');
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
      method === valueOf(asked, 'Access-Control-Request-Method') &&
      valueOf(requestFields, 'Origin') === valueOf(asked, 'Origin')
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
    else this.#say(`${String(status)} ${phrase}`, kindOf(status));
    this.root.append(leg(exchange));
  }

  #say(text: string, kind: string): void {
    this.#status.textContent = text;
    this.#status.className = `status ${kind}`;
  }
}

/** One request and its answer: what matters at a glance, and all fields on demand. */
function leg(exchange: Exchange): HTMLElement {
  const { preflight, method, url, status, phrase, took, verdict } = exchange;
  const { requestFields, responseFields } = exchange;
  const name = preflight ? 'Preflight' : 'Request';
  const summary = element(
    'summary',
    {},
    element('span', { class: 'leg-name' }, name),
    element('span', { class: `leg-status ${kindOf(status)}` }, `${String(status)} ${phrase}`),
    element('span', { class: 'took' }, `${String(took)} ms`),
  );
  const all = element(
    'div',
    { class: 'all-fields' },
    element('p', { class: 'line' }, `${method} ${url}`),
    fieldList(requestFields),
    element('p', { class: 'line' }, `${String(status)} ${phrase}`),
    fieldList(responseFields),
  );
  const made = element('div', { class: `leg ${preflight ? 'preflight' : 'request'}` });
  made.append(element('details', {}, summary, all));
  const seen = preflight ? askedAndTold(requestFields, responseFields) : validators(exchange);
  if (seen.length > 0) made.append(fieldList(seen));
  if (verdict?.allowed === false) made.append(refusal(verdict));
  return made;
}

function askedAndTold(asked: Fields, told: Fields): Fields {
  const method = valueOf(asked, 'Access-Control-Request-Method') ?? '';
  const names = valueOf(asked, 'Access-Control-Request-Headers');
  const methods = valueOf(told, 'Access-Control-Allow-Methods');
  return [
    ['asks for', names === undefined ? method : `${method} with ${names.replaceAll(',', ', ')}`],
    ...(methods === undefined ? [] : [['is told', methods] as const]),
  ];
}

/** The state that the request was made on, the state that there is now, and what the resource understands. */
function validators({ method, status, requestFields, responseFields }: Exchange): Fields {
  const after = status === 412 ? 'ETag (now)' : 'ETag (after)';
  const labels: Readonly<Record<string, string>> = {
    'If-Match': 'If-Match (before)',
    'If-None-Match': 'If-None-Match',
    'Idempotency-Key': 'Idempotency-Key',
    Allow: 'Allow',
    'Accept-Patch': 'Accept-Patch',
    ETag: needsPreflight(method) ? after : 'ETag',
  };
  return [...requestFields, ...responseFields].flatMap(([name, value]) => {
    const label = labels[name];
    return label === undefined ? [] : [[label, value] as const];
  });
}

function needsPreflight(method: string): boolean {
  return !['GET', 'HEAD', 'POST'].includes(method);
}

function refusal({ reason, step }: Verdict): HTMLElement {
  const made = element('div', { class: 'verdict' }, element('p', {}, reason));
  if (step !== undefined) made.append(element('p', { class: 'step' }, step));
  return made;
}

function fieldList(fields: Fields): HTMLElement {
  const rows = fields.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
  return element('dl', { class: 'fields' }, ...rows);
}

function kindOf(status: number): string {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

function valueOf(fields: Fields, wanted: string): string | undefined {
  return fields.find(([name]) => name === wanted)?.[1];
}
