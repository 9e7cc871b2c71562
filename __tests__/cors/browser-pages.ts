import type { RequestListener } from 'node:http';
import type { BrowserContext, Page } from 'playwright-core';
import { BrowserWithServers } from '../support/chromium';

/** What a script learns of its request: the answer as far as it may read it, or that there is none to be read. */
export type Outcome =
  | { readonly status: number; readonly fields: Readonly<Record<string, string>>; readonly text: string }
  | { readonly failed: string };

/** The options of `fetch` that can be sent into a page. */
export interface PageRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly credentials?: 'include' | 'omit';
  readonly redirect?: 'follow' | 'error';
  readonly cache?: 'default' | 'no-store';
}

/** A service that pages call, with every request that reached it, preflights included, less its query. */
export interface Service {
  readonly url: string;
  readonly requests: string[];
}

/** A browser with pages on several origins, and the services that they call. */
export class BrowserPages extends BrowserWithServers {
  readonly #pages = new Map<string, Promise<Page>>();
  #context: BrowserContext | undefined;

  async serve(app: RequestListener): Promise<Service> {
    const requests: string[] = [];
    const url = await this.listen((req, res) => {
      requests.push(`${req.method ?? ''} ${req.url?.replace(/\?.*/, '') ?? ''}`);
      app(req, res);
    });
    return { url, requests };
  }

  /** A server of pages, whose origin it returns. */
  async origin(): Promise<string> {
    const { url } = await this.serve((req, res) => {
      const frame = '<iframe sandbox="allow-scripts" src="/frame"></iframe>';
      res.setHeader('Content-Type', 'text/html');
      res.end(`<!doctype html><link rel="icon" href="data:,">${req.url === '/' ? frame : ''}`);
    });
    return url;
  }

  /**
   * What a script on a page of this origin learns of its request; of a page in a sandboxed frame there, whose origin is
   * null, `inFrame`.
   */
  async fetch(origin: string, url: string, request: PageRequest = {}, inFrame = false): Promise<Outcome> {
    const page = await this.#page(origin);
    const frame = inFrame ? page.frames()[1] : page.mainFrame();
    if (frame === undefined) throw new Error(`The page of ${origin} has no frame`);
    return frame.evaluate(
      async ([target, init]): Promise<Outcome> => {
        try {
          const response = await fetch(target, init);
          const fields = Object.fromEntries(response.headers);
          return { status: response.status, fields, text: await response.text() };
        } catch (error) {
          return { failed: String(error) };
        }
      },
      [url, request] as const,
    );
  }

  /** Whether a page that hears of its upload can read the answer to it. */
  async uploads(origin: string, url: string, method: string): Promise<boolean> {
    const loaded = await this.evaluate(
      origin,
      `new Promise((resolve) => {
        const upload = new XMLHttpRequest();
        upload.upload.onprogress = () => undefined;
        upload.open('${method}', '${url}');
        upload.onload = () => resolve(true);
        upload.onerror = () => resolve(false);
        upload.send('a');
      })`,
    );
    return loaded === true;
  }

  /** What the browser's console says at the next request that it refuses. */
  async consoleLine(origin: string): Promise<string> {
    const page = await this.#page(origin);
    const message = await page.waitForEvent('console', (said) => said.text().includes('CORS policy'));
    return message.text();
  }

  /** Calls back with whatever the console says, until the function that it returns is called. */
  async listenToConsole(origin: string, listener: (text: string) => void): Promise<() => void> {
    const page = await this.#page(origin);
    const told = (message: { text(): string }): void => {
      listener(message.text());
    };
    page.on('console', told);
    return () => {
      page.off('console', told);
    };
  }

  /** Waits for a turn of the page, in which what it has said arrives. */
  async pause(origin: string): Promise<void> {
    await this.evaluate(origin, 'new Promise((resolve) => setTimeout(resolve, 5))');
  }

  /** The value of an expression in a page of this origin: for what the types of Node do not know. */
  async evaluate(origin: string, expression: string): Promise<unknown> {
    const page = await this.#page(origin);
    return page.evaluate(expression);
  }

  #page(origin: string): Promise<Page> {
    const known = this.#pages.get(origin);
    if (known !== undefined) return known;
    const opened = this.#open(origin);
    this.#pages.set(origin, opened);
    return opened;
  }

  async #open(origin: string): Promise<Page> {
    this.#context ??= await this.browser.newContext();
    const page = await this.#context.newPage();
    await page.goto(`${origin}/`);
    return page;
  }
}
