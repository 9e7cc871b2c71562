import type { Verdict } from '../exchange.js';
import { fetchSource, type PlainRequest } from './copy-as.js';
import { byId, element, unlessBusy } from './element.js';
import { frameSender, sendFromHere, type Outcome, type Sender } from './senders.js';

export interface LabOptions {
  readonly api: string;
  /** An origin of this server that the API's policy does not allow. */
  readonly stranger: string;
  /** Called when no answer came to a request that CORS allows. */
  readonly unanswered: () => void;
}

/** Sends a request from an origin, with a method and a header, and shows what the browser does with it. */
export function openPreflightLab({ api, stranger, unanswered }: LabOptions): void {
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
    preview.textContent = fetchSource(request());
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
      const [outcome, verdict] = await Promise.all([sender.send(sent), explained(sender.origin, sent)]);
      const isUnanswered = 'failed' in outcome && verdict?.allowed !== false;
      result.replaceChildren(...report(outcome, verdict));
      result.toggleAttribute('data-passing', isUnanswered);
      if (isUnanswered) unanswered();
      result.scrollIntoView({ block: 'nearest' });
    });
  });
}

/** Writes have an If-Match that never matches, so they change nothing, whatever the browser allows. */
function labRequest(url: string, method: string, header: string): PlainRequest {
  const headers: Record<string, string> = header === '' ? {} : { [header]: 'example' };
  if (method === 'GET') return { url, init: { method, headers } };
  headers['If-Match'] = '"no-such-state"';
  if (method === 'DELETE') return { url, init: { method, headers } };
  const isPatch = method.toUpperCase() === 'PATCH';
  headers['Content-Type'] = isPatch ? 'application/json-patch+json' : 'application/json';
  return { url, init: { method, headers, body: isPatch ? '[]' : '{}' } };
}

/** Undefined if the server of this page does not answer. */
async function explained(origin: string, { url, init }: PlainRequest): Promise<Verdict | undefined> {
  const headers = Object.keys(init.headers).join(',').toLowerCase();
  const question = { origin, method: init.method, path: new URL(url).pathname, headers };
  try {
    const response = await fetch(`/explain?${new URLSearchParams(question).toString()}`);
    return response.ok ? ((await response.json()) as Verdict) : undefined;
  } catch {
    return undefined;
  }
}

function report(outcome: Outcome, verdict: Verdict | undefined): readonly HTMLElement[] {
  const failed = 'failed' in outcome;
  const rows: (readonly [string, string])[] = [
    ['Script sees', failed ? outcome.failed : outcome.answered],
    ...(verdict?.step === undefined ? [] : [['Step', verdict.step] as const]),
    ...(verdict === undefined ? [] : [['Code', verdict.code] as const]),
  ];
  const list = rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
  return [
    element('p', { class: `outcome ${failed ? 'bad' : 'good'}` }, outcomeHeading(failed, verdict)),
    element('p', {}, outcomeReason(failed, verdict)),
    element('dl', { class: 'fields' }, ...list),
  ];
}

function outcomeHeading(failed: boolean, verdict: Verdict | undefined): string {
  if (!failed) return 'Sent, and answered';
  return verdict?.allowed === false ? 'Refused by the browser' : 'Not answered';
}

function outcomeReason(failed: boolean, verdict: Verdict | undefined): string {
  if (failed && verdict?.allowed !== false)
    return 'The server is not responding. Send the request again once it is back.';
  return verdict?.reason ?? 'The server of this page is not responding, so it cannot say why.';
}
