/** The client in pages of another origin than the API, in a real browser. */
import type { Page } from 'playwright-core';
import { MemoryStore } from '../../lib';
import { BrowserWithServers, describeInChromium } from '../support/chromium';
import { clientBundle } from '../support/client-bundle';
import { times } from '../support/deep-scale';
import {
  audit,
  type Done,
  emptyLedger,
  keepLedgers,
  type Ledger,
  ledgerApp,
  nothingAmiss,
  type Retitled,
} from './ledger';
import { UnrulyProxy } from './unruly-proxy';

class Tabs extends BrowserWithServers {
  readonly store = new MemoryStore<Ledger>();
  readonly history: Retitled[] = [];
  /** Of each request that reached the API: the method, and the status of its answer. */
  readonly lines: string[] = [];
  api = '';
  #origin = '';

  override async open(): Promise<void> {
    await super.open();
    const bundle = await clientBundle();
    this.#origin = await this.listen((req, res) => {
      const isScript = req.url === '/client.mjs';
      res.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
      res.end(isScript ? bundle : '<!doctype html><link rel="icon" href="data:,">');
    });
    const app = ledgerApp(this.store, {
      onPatched: ({ key, before, after }) => {
        const from = before?.value.title ?? '';
        if (after.value.title !== from) this.history.push({ id: key, from, to: after.value.title });
      },
      idempotencyLimits: { keep: 10_000, total: 10_000, maxAge: 3_600 },
    });
    this.api = await this.listen((req, res) => {
      res.once('finish', () => this.lines.push(`${req.method ?? ''} ${res.statusCode}`));
      app(req, res);
    });
  }

  async tab(): Promise<Page> {
    const page = await this.browser.newPage();
    await page.goto(this.#origin);
    return page;
  }
}

/** A script in a page, where `client` is made for this API. */
const inPage = <R>(page: Page, api: string, script: string): Promise<R> =>
  page.evaluate(`(async () => {
    const { resourceClient } = await import('/client.mjs');
    const client = resourceClient(${JSON.stringify(api)}, { idempotency: true, timeout: 15000 });
    ${script}
  })()`);

describeInChromium('in Chromium', () => {
  const tabs = new Tabs();
  beforeAll(() => tabs.open());
  afterAll(() => tabs.close());
  beforeEach(async () => {
    for (const key of ['a', 'b']) {
      const { version } = (await tabs.store.get(key)) ?? {};
      await tabs.store.replace(key, version ?? null, emptyLedger);
    }
    tabs.history.length = 0;
    tabs.lines.length = 0;
  });

  test('a page is told 304 to its own If-None-Match, and 200 when there is something new', async () => {
    const page = await tabs.tab();
    const read = await inPage<unknown[]>(
      page,
      tabs.api,
      `const first = await client.get('/ledgers/a');
       const again = await client.get('/ledgers/a');
       const other = resourceClient(${JSON.stringify(tabs.api)});
       await other.change('/ledgers/a', (ledger) => { ledger.title = 'new'; });
       const { value } = await client.get('/ledgers/a');
       return [again === first, value.title];`,
    );
    expect(read).toEqual([true, 'new']);
    const withoutPreflights = tabs.lines.filter((line) => !line.startsWith('OPTIONS'));
    // The second client has its own memory, and the browser a cache, which asks with what it has.
    expect(withoutPreflights.slice(0, 2)).toEqual(['GET 200', 'GET 304']);
    expect(withoutPreflights.slice(-2)).toEqual(['PATCH 200', 'GET 200']);
  });

  const changes = times(2, 150);
  test(`three tabs with ${changes} changes each, over a network where everything goes wrong`, async () => {
    const proxy = await UnrulyProxy.start(Number(new URL(tabs.api).port));
    const pages = await Promise.all(Array.from({ length: 3 }, () => tabs.tab()));
    const done = await Promise.all(
      pages.map((page, i) =>
        inPage<Done>(
          page,
          proxy.url,
          `const keepLedgers = ${keepLedgers.toString()};
           return keepLedgers(client, 'tab${i}', ${changes}, ['a', 'b']);`,
        ),
      ),
    );
    await proxy.close();
    const stored = await Promise.all(
      ['a', 'b'].map(async (id) => (await tabs.store.get(id))?.value ?? emptyLedger),
    );
    expect(audit(done, stored, tabs.history)).toEqual(nothingAmiss);
    expect(done.flatMap(({ made }) => made)).toHaveLength(3 * (changes - Math.floor(changes / 4)));
    expect(done.flatMap(({ uncertain }) => uncertain)).toEqual([]);
    process.stdout.write(
      `${3 * changes} changes in three tabs: ${[...proxy.counts].map(([fault, n]) => `${n} ${fault}`).join(', ')}\n`,
    );
  });
});
