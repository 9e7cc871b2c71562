/** The client in a page and in workers of every kind, of another origin than the API, in a real browser. */
import type { Page } from 'playwright-core';
import { BrowserWithServers, describeInChromium } from '../support/chromium';
import { scenarioModule } from './describe-scenarios';
import { faultyApp } from './faulty-app';
import { expected, resentByRuntime } from './runtime-scenarios';

/** How each kind is given the API, and how it gives back the results. */
const kinds = {
  page: {
    api: 'globalThis.api',
    tell: '(results) => globalThis.done(results)',
    start: "import('/page.js')",
  },
  worker: {
    api: 'new Promise((resolve) => (self.onmessage = ({ data }) => resolve(data)))',
    tell: '(results) => self.postMessage(results)',
    start: `{
      const worker = new Worker('/worker.js', { type: 'module' });
      worker.onmessage = ({ data }) => done(data);
      worker.postMessage(api);
    }`,
  },
  'shared-worker': {
    api: `new Promise((resolve) => (self.onconnect = ({ ports: [port] }) => {
      self.port = port;
      port.onmessage = ({ data }) => resolve(data);
    }))`,
    tell: '(results) => self.port.postMessage(results)',
    start: `{
      const { port } = new SharedWorker('/shared-worker.js', { type: 'module' });
      port.onmessage = ({ data }) => done(data);
      port.postMessage(api);
    }`,
  },
  'service-worker': {
    api: `new Promise((resolve) => (self.onmessage = (event) => {
      self.page = event.source;
      event.waitUntil(new Promise((settle) => (self.settle = settle)));
      resolve(event.data);
    }))`,
    tell: '(results) => (self.page.postMessage(results), self.settle())',
    start: `{
      navigator.serviceWorker.onmessage = ({ data }) => done(data);
      navigator.serviceWorker.startMessages();
      navigator.serviceWorker.register('/service-worker.js', { type: 'module' })
        .then(() => navigator.serviceWorker.ready)
        .then(({ active }) => active.postMessage(api));
    }`,
  },
} as const;

type Kind = keyof typeof kinds;

class Workers extends BrowserWithServers {
  readonly apis = new Map<string, string>();
  origin = '';

  override async open(): Promise<void> {
    await super.open();
    const scripts = new Map<string, string>();
    for (const [kind, { api, tell }] of Object.entries(kinds)) {
      scripts.set(`/${kind}.js`, await scenarioModule(api, tell));
      this.apis.set(kind, await this.listen(faultyApp()));
    }
    this.origin = await this.listen((req, res) => {
      const script = scripts.get(req.url ?? '');
      res.setHeader('Content-Type', script === undefined ? 'text/html' : 'text/javascript');
      res.end(script ?? '<!doctype html><link rel="icon" href="data:,">');
    });
  }

  async page(): Promise<Page> {
    const page = await this.browser.newPage();
    await page.goto(this.origin);
    return page;
  }
}

describeInChromium('in Chromium', () => {
  const workers = new Workers();
  beforeAll(() => workers.open());
  afterAll(() => workers.close());

  test.each(Object.keys(kinds) as Kind[])('%s', async (kind) => {
    const page = await workers.page();
    const results = await page.evaluate<string>(
      `new Promise((done) => {
        const api = globalThis.api = ${JSON.stringify(workers.apis.get(kind))};
        globalThis.done = done;
        ${kinds[kind].start}
      })`,
    );
    await page.close();
    const {
      'reads, revalidates, forgets': read,
      'an answer lost, without one': lost,
      ...rest
    } = JSON.parse(results) as Record<string, unknown>;
    expect({ ...expected, ...rest }).toEqual(expected);
    expect(Object.keys(rest)).toHaveLength(Object.keys(expected).length - 2);
    // The browser has a cache of its own, which asks with what it has.
    expect(read).toEqual(['first', true, true, ['GET 200', 'GET 304', 'GET 304']]);
    expect([expected['an answer lost, without one'], resentByRuntime]).toContainEqual(lost);
  });
});
