/** Puts one question to Chromium, from a page of the origin that recipes allow, and to `explainCors`, and compares them. */
import type { Server } from 'node:http';
import type { BrowserContext, Page } from 'playwright-core';
import type { explainCors, Explanation } from 'patch-options/explain';
import { BrowserWithServers } from '../support/chromium';
import { portOf } from '../support/serving';
import { consoleTexts, lineOf } from './questions-in-chromium';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credentials?: true;
  readonly body?: string;
}

interface Browsed {
  readonly allowed: boolean;
  /** The requests that reached the server. */
  readonly requests: readonly string[];
  /** What the console says, if the browser refuses. */
  readonly console: string;
}

/** Pages whose addresses are those of real sites, of which no server is asked. */
export class PagesOfSites extends BrowserWithServers {
  readonly #pages = new Map<string, Page>();
  #context: BrowserContext | undefined;
  #questions = 0;

  override async open(): Promise<void> {
    await super.open();
    this.#context = await this.browser.newContext();
    // A page of the internet may ask a server on this machine.
    await this.#context.grantPermissions(['local-network-access']);
  }

  async #page(origin: string): Promise<Page> {
    const known = this.#pages.get(origin);
    if (known !== undefined) return known;
    if (this.#context === undefined) throw new Error('The browser is not open');
    const page = await this.#context.newPage();
    const body = '<!doctype html><link rel="icon" href="data:,">';
    await page.route(`${origin}/`, (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(`${origin}/`);
    // With routes, Playwright answers preflights itself.
    await page.unroute(`${origin}/`);
    this.#pages.set(origin, page);
    return page;
  }

  /** What a page of the origin gets, with each request that reached the server on the way. */
  async browse(
    origin: string,
    port: number,
    requests: string[],
    asked: Asked,
    host = '127.0.0.1',
  ): Promise<Browsed> {
    const page = await this.#page(origin);
    requests.length = 0;
    const said: string[] = [];
    const listen = (message: { text(): string }): void => void said.push(message.text());
    page.on('console', listen);
    const { method, path, headers = {}, credentials, body } = asked;
    // A preflight that the browser keeps would be none for the next question.
    const url = `http://${host}:${port}${path}?${this.#questions++}`;
    const init = {
      method,
      headers,
      credentials: credentials ? 'include' : 'omit',
      cache: 'no-store',
    } as const;
    const allowed = await page.evaluate(
      ([to, options]) =>
        fetch(to, options).then(
          (response) => response.body?.cancel().then(() => true) ?? true,
          () => false,
        ),
      [url, { ...init, ...(body !== undefined && { body }) }] as const,
    );
    // What the console says comes by another way than the result.
    const cause = /CORS policy|Mixed Content|net::ERR_(?!FAILED)/;
    while (!allowed && !said.some((text) => cause.test(text))) await page.waitForTimeout(5);
    page.off('console', listen);
    return {
      allowed,
      requests: [...requests],
      console: said.find((text) => cause.test(text)) ?? '',
    };
  }
}

/** A server of this process, whose requests are written down before any of its listeners gets them. */
export function placeOf(server: Server): Place {
  const requests: string[] = [];
  const { emit } = server;
  server.emit = function (this: Server, name: string, ...args: unknown[]) {
    const [req] = args as Parameters<Parameters<Server['prependListener']>[1]>;
    if (name === 'request')
      requests.push(lineOf(req.method ?? '', req.url ?? '', (field) => req.headers[field]));
    return Reflect.apply(emit, this, [name, ...args]);
  } as Server['emit'];
  const port = portOf(server);
  return { port, requests, targets: [`http://127.0.0.1:${port}`, server] };
}

function requestsOf({ requests }: Explanation): readonly string[] {
  return requests.map((text) => {
    const [sent = ''] = text.split('\n\n');
    const [, method = '', path = ''] = /^(\S+) (\S+)/.exec(sent) ?? [];
    return lineOf(method, path, (name) => new RegExp(`^${name}: (.*)$`, 'im').exec(sent)?.[1]);
  });
}

/** A server that is asked. */
export interface Place {
  readonly port: number;
  /** The requests that have reached it. */
  readonly requests: string[];
  /** What `explainCors` is passed. */
  readonly targets: readonly Parameters<typeof explainCors>[0][];
}

/** What both say of a question: they agree if each of `explained` equals `browsed`. */
export async function askBoth(
  pages: PagesOfSites,
  explain: typeof explainCors,
  origin: string,
  { port, requests, targets }: Place,
  asked: Asked,
) {
  const { console, ...browsed } = await pages.browse(origin, port, requests, asked);
  const { method, path, headers = {}, credentials = false, body } = asked;
  const question = { origin, method, path, headers, credentials, ...(body !== undefined && { body }) };
  const sends = method !== 'GET' && method !== 'HEAD' && { send: true };
  const [, codes = /^cors-allowed$/] = consoleTexts.find(([text]) => text.test(console)) ?? [];
  const explanations: Explanation[] = [];
  for (const target of targets) explanations.push(await explain(target, { ...question, ...sends }));
  return {
    codes: explanations.map(({ code }) => code),
    browsed,
    explained: explanations.map((explanation) => ({
      allowed: explanation.allowed,
      requests: requestsOf(explanation),
      // The browser's step is another one.
      ...(!codes.test(explanation.code) && { differs: [console, explanation] }),
    })),
  };
}
