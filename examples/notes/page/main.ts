import { byId, element } from './element.js';
import { ExchangeLog } from './exchange-log.js';
import { followExchanges } from './exchange-stream.js';
import { notesApi } from './notes-api.js';
import { NotesList } from './notes-list.js';
import { openPreflightLab } from './preflight-lab.js';
import { clearPassingProblems } from './problem-line.js';
import { Reachability } from './reachability.js';

/** The settings that the server of the page sends. */
interface Config {
  readonly api: string;
  /** An origin of this server that the API's policy does not allow. */
  readonly stranger: string;
}

/** Each has a client of their own, which shares nothing with the other but the API. */
const people = ['Ada', 'Ben'];

function start({ api, stranger }: Config): void {
  byId('api-origin', HTMLElement).textContent = api;

  const outage = byId('outage', HTMLDivElement);
  const reachability = new Reachability(api, (isReachable) => {
    outage.textContent = isReachable
      ? ''
      : `The API at ${api} is not responding. Your text is kept, and this page reconnects by itself.`;
    if (isReachable) {
      clearPassingProblems();
      announce('The API is responding again.');
    }
    for (const list of lists) list.reach(isReachable);
  });
  const lists = people.map(
    (person) => new NotesList({ person, api: notesApi(api, reachability.fetch), reachability, announce }),
  );
  byId('people', HTMLDivElement).replaceChildren(...lists.map(({ root }) => root));
  const log = new ExchangeLog({ api, copy });
  openPreflightLab({ api, stranger, unanswered: () => void reachability.check() });

  const load = (): void => {
    for (const list of lists) void list.load();
  };
  let hasLoaded = false;
  followExchanges({
    exchange: (exchange, isNew) => {
      log.add(exchange);
      if (isNew) for (const list of lists) list.hear(exchange);
    },
    state: (state) => {
      log.showState(state);
      // The stream does not report changes made while it was closed.
      if (state === 'live' || !hasLoaded) load();
      hasLoaded = true;
      if (state === 'waiting') void reachability.check();
    },
  });
}

/** @param name - the name of the text's format */
async function copy(text: string, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied as ${name}.`);
  } catch {
    announce('The browser does not let this page copy.');
  }
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

/** Without its server, the page does not know the API: it waits for the server. */
async function begin(): Promise<void> {
  try {
    start((await (await fetch('/config')).json()) as Config);
  } catch (error) {
    console.error(error);
    const text = 'The server of this page is not responding. The page starts once it is back.';
    byId('people', HTMLDivElement).replaceChildren(element('p', { class: 'problem', role: 'alert' }, text));
    setTimeout(() => void begin(), 2_000);
  }
}

void begin();
