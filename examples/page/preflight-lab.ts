import type { Verdict } from '../exchange.js';
import { byId, element, unlessBusy } from './element.js';
import { frameSender, sendFromHere, type Outcome, type PlainRequest, type Sender } from './senders.js';

export interface LabOptions {
  readonly api: string;
  /** An origin of this server that the API's policy does not allow. */
  readonly stranger: string;
}

/** The switches: a request from an origin, with a method and a header field, and what the browser makes of it. */
export function openPreflightLab({ api, stranger }: LabOptions): void {
  const form = byId('lab-form', HTMLFormElement);
  const preview = byId('lab-preview', HTMLElement);
  const result = byId('lab-result', HTMLDivElement);
  const senders: Record<string, { readonly origin: string; readonly send: Sender }> = {
    here: { origin: location.origin, send: sendFromHere },
    stranger: { origin: stranger, send: frameSender(stranger) },
    sandbox: { origin: 'null', send: frameSender('null') },
  };
  for (const [name, { origin }] of Object.entries(senders))
    byId(`origin-${name}`, HTMLElement).textContent = origin;

  const chosen = (name: string): string => {
    const value = new FormData(form).get(name);
    return typeof value === 'string' ? value : '';
  };
  const request = (): PlainRequest => labRequest(api + chosen('target'), chosen('method'), chosen('header'));
  const show = (): void => {
    preview.textContent = sourceOf(request());
    result.replaceChildren();
  };
  form.addEventListener('change', show);
  show();

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const sender = senders[chosen('origin')];
    if (sender === undefined) return;
    const sent = request();
    void unlessBusy(result, async () => {
      try {
        const told = await Promise.all([sender.send(sent), explained(sender.origin, sent)]);
        result.replaceChildren(...report(...told));
      } catch (error) {
        result.replaceChildren(element('p', { class: 'problem' }, String(error)));
      }
    });
  });
}

/** A write names a state that there never is, so that it changes nothing, whatever comes of it. */
function labRequest(url: string, method: string, header: string): PlainRequest {
  const headers: Record<string, string> = header === '' ? {} : { [header]: 'example' };
  if (method === 'GET') return { url, init: { method, headers } };
  headers['If-Match'] = '"no-such-state"';
  if (method === 'DELETE') return { url, init: { method, headers } };
  const isPatch = method.toUpperCase() === 'PATCH';
  headers['Content-Type'] = isPatch ? 'application/json-patch+json' : 'application/json';
  return { url, init: { method, headers, body: isPatch ? '[]' : '{}' } };
}

/** The call as one would write it. */
function sourceOf({ url, init }: PlainRequest): string {
  const { method, headers, body } = init;
  const fields = Object.entries(headers).map(([name, value]) => `    '${name}': '${value}',\n`);
  return [
    `await fetch('${url}', {\n  method: '${method}',\n`,
    fields.length > 0 ? `  headers: {\n${fields.join('')}  },\n` : '',
    body === undefined ? '' : `  body: '${body}',\n`,
    '});',
  ].join('');
}

async function explained(origin: string, { url, init }: PlainRequest): Promise<Verdict> {
  const headers = Object.keys(init.headers).join(',').toLowerCase();
  const question = { origin, method: init.method, path: new URL(url).pathname, headers };
  const response = await fetch(`/explain?${new URLSearchParams(question).toString()}`);
  if (!response.ok) throw new Error(`The explanation failed: ${String(response.status)}`);
  return (await response.json()) as Verdict;
}

function report(outcome: Outcome, { allowed, code, step, reason }: Verdict): readonly HTMLElement[] {
  const failed = 'failed' in outcome;
  const refused = allowed ? 'Failed, though CORS allows it: does the API run?' : 'Refused by the browser';
  const rows: (readonly [string, string])[] = [
    ['Script sees', failed ? outcome.failed : outcome.answered],
    ...(step === undefined ? [] : [['Step', step] as const]),
    ['Code', code],
  ];
  const list = rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
  return [
    element('p', { class: `outcome ${failed ? 'bad' : 'good'}` }, failed ? refused : 'Sent, and answered'),
    element('p', {}, reason),
    element('dl', { class: 'fields' }, ...list),
  ];
}
