import { byId, element } from './element.js';
import { ExchangeLog } from './exchange-log.js';
import { followExchanges } from './exchange-stream.js';
import { notesApi } from './notes-api.js';
import { NotesList } from './notes-list.js';
import { openPreflightLab, type LabOptions } from './preflight-lab.js';

async function start(): Promise<void> {
  const config = (await (await fetch('/config')).json()) as LabOptions;
  byId('page-origin', HTMLElement).textContent = location.origin;
  byId('api-origin', HTMLElement).textContent = config.api;

  const log = new ExchangeLog();
  followExchanges(
    (exchange) => {
      log.add(exchange);
    },
    (state) => {
      log.showState(state);
    },
  );
  openPreflightLab(config);

  const notes = new NotesList(notesApi(config.api), announce);
  await notes.load();
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void notes.load();
  });
}

let hiding: ReturnType<typeof setTimeout> | undefined;

function announce(text: string): void {
  const status = byId('announcement', HTMLDivElement);
  clearTimeout(hiding);
  status.textContent = text;
  hiding = setTimeout(() => {
    status.replaceChildren();
  }, 6_000);
}

start().catch((error: unknown) => {
  console.error(error);
  byId('notes-state', HTMLDivElement).replaceChildren(
    element(
      'p',
      { class: 'problem', role: 'alert' },
      'This page could not start: its server does not answer.',
    ),
  );
});
