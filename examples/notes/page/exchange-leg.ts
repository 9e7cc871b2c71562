import type { Exchange, Fields, Verdict } from '../exchange.js';
import { bodyView } from './body-view.js';
import { asCurl, asFetch } from './copy-as.js';
import { button, element } from './element.js';
import { problemIn, type Problem } from './problem-marks.js';

export interface LegActions {
  /** The origin of the API, to which the copied requests go. */
  readonly api: string;
  readonly copy: (text: string, name: string) => Promise<void>;
}

/** One request and its response: a summary, and both complete messages on demand. */
export function exchangeLeg(exchange: Exchange, actions: LegActions): HTMLElement {
  const { preflight, status, phrase, took, verdict, requestFields, responseFields } = exchange;
  const problem = problemIn(exchange);
  const summary = element(
    'summary',
    {},
    element('span', { class: 'leg-name' }, preflight ? 'Preflight' : 'Request'),
    element('span', { class: `leg-status ${statusKind(status)}` }, `${String(status)} ${phrase}`),
    element('span', { class: 'took' }, `${String(took)} ms`),
  );
  const details = element('details', {}, summary);
  details.addEventListener(
    'toggle',
    () => {
      details.append(messages(exchange, problem?.marks ?? [], actions));
    },
    { once: true },
  );

  const made = element('div', { class: `leg ${preflight ? 'preflight' : 'request'}` }, details);
  const seen = preflight ? askedAndTold(requestFields, responseFields) : validators(exchange);
  if (seen.length > 0) made.append(fieldList(seen));
  if (problem !== undefined) made.append(problemView(exchange, problem));
  if (verdict?.allowed === false) made.append(refusal(verdict));
  return made;
}

/** Both messages as they were sent, and buttons that copy the request. */
function messages(exchange: Exchange, marks: readonly string[], { api, copy }: LegActions): HTMLElement {
  const { method, url, requestFields, requestBody, status, phrase, responseFields, responseBody } = exchange;
  const [curl, script] = [asCurl(api, exchange), asFetch(api, exchange)];
  const copies = [
    ...(curl === undefined ? [] : [button('Copy as curl', 'quiet small', () => copy(curl, 'curl'))]),
    ...(script === undefined ? [] : [button('Copy as fetch', 'quiet small', () => copy(script, 'fetch'))]),
  ];
  const cannot = element(
    'p',
    { class: 'hint' },
    'It cannot be copied: not all of its body was kept as text.',
  );
  return element(
    'div',
    { class: 'messages' },
    element('p', { class: 'line' }, `${method} ${url}`),
    fieldList(requestFields),
    ...(requestBody === undefined ? [] : [bodyView('Request body', requestBody, marks)]),
    copies.length > 0 ? element('div', { class: 'actions' }, ...copies) : cannot,
    element('p', { class: 'line' }, `${String(status)} ${phrase}`),
    fieldList(responseFields),
    ...(responseBody === undefined ? [] : [bodyView('Response body', responseBody)]),
  );
}

/** The problem, and its place in the request. */
function problemView({ requestBody }: Exchange, { detail, marks }: Problem): HTMLElement {
  const made = element('div', { class: 'leg-problem' }, element('p', {}, detail));
  if (requestBody !== undefined && marks.length > 0)
    made.append(bodyView('What was refused', requestBody, marks));
  return made;
}

function askedAndTold(asked: Fields, told: Fields): Fields {
  const method = readHeader(asked, 'Access-Control-Request-Method') ?? '';
  const names = readHeader(asked, 'Access-Control-Request-Headers');
  const methods = readHeader(told, 'Access-Control-Allow-Methods');
  return [
    ['Asks for', names === undefined ? method : `${method} with ${names.replaceAll(',', ', ')}`],
    ...(methods === undefined ? [] : [['Allowed', methods] as const]),
  ];
}

/** The state that the request is based on, the current state, and the formats that the resource accepts. */
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

export function needsPreflight(method: string): boolean {
  return !['GET', 'HEAD', 'POST'].includes(method);
}

function refusal({ reason, step }: Verdict): HTMLElement {
  const made = element('div', { class: 'verdict' }, element('p', {}, reason));
  if (step !== undefined) made.append(element('p', { class: 'step' }, step));
  return made;
}

function fieldList(fields: Fields): HTMLElement {
  const rows = fields.map(([name, value]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, value)),
  );
  return element('dl', { class: 'fields' }, ...rows);
}

export function statusKind(status: number): string {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

export function readHeader(fields: Fields, wanted: string): string | undefined {
  return fields.find(([name]) => name === wanted)?.[1];
}
