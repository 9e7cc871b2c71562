import type { Page } from 'playwright-core';
import { describeExamplePage } from '../../../support/example-page';

const milk = { id: '1', title: 'Buy milk' };

interface Switches {
  readonly origin?: 'here' | 'stranger' | 'sandbox';
  readonly method?: string;
  readonly target?: string;
  readonly header?: string;
}

describeExamplePage('the switches that make a preflight fail', [milk], (example) => {
  let tab: Page;

  beforeAll(async () => {
    await example.reset(milk);
    tab = await example.tab();
  });
  afterAll(() => tab.context().close());
  beforeEach(async () => {
    await tab.getByRole('button', { name: 'Clear' }).click();
  });

  /** What the page reports, and the exchange once the panel shows `status`. */
  async function send(
    { origin = 'here', method = 'PATCH', target = '/notes/1', header = '' }: Switches,
    status: string | RegExp,
  ) {
    await tab.locator(`[name="origin"][value="${origin}"]`).check();
    await tab.getByLabel('Method').selectOption(method);
    await tab.getByLabel('Target').selectOption(target);
    await tab.getByLabel('Extra header').selectOption(header);
    await tab.getByRole('button', { name: 'Send request' }).press('Enter');
    expect(await tab.evaluate('document.activeElement.textContent')).toBe('Send request');
    const report = await tab.locator('#lab-result:not([aria-busy]) > .outcome').locator('..').innerText();
    // The page may have read its list meanwhile.
    const exchange = tab
      .locator('.exchange', { has: tab.locator('.status', { hasText: status }) })
      .filter({ hasText: target });
    await exchange.waitFor();
    return { report, exchange };
  }

  test.each<{
    readonly title: string;
    readonly switches: Switches;
    readonly code: string;
    readonly line: RegExp;
    readonly leg: string;
  }>([
    {
      title: 'an origin that the policy does not name',
      switches: { origin: 'stranger' },
      code: 'cors-origin-not-allowed',
      line: /origin 'http:\/\/stranger\.localhost:\d+' has been blocked.*preflight/,
      leg: 'Preflight',
    },
    {
      title: 'an origin that is opaque',
      switches: { origin: 'sandbox' },
      code: 'cors-origin-not-allowed',
      line: /origin 'null' has been blocked.*preflight/,
      leg: 'Preflight',
    },
    {
      title: 'an origin that may not read, though it needs no preflight',
      switches: { origin: 'stranger', method: 'GET' },
      code: 'cors-origin-not-allowed',
      line: /No 'Access-Control-Allow-Origin'/,
      leg: 'Request',
    },
    {
      title: 'a method without a route',
      switches: { method: 'DELETE', target: '/notes' },
      code: 'cors-method-not-allowed',
      line: /Method DELETE is not allowed/,
      leg: 'Preflight',
    },
    {
      title: 'a method in lower case',
      switches: { method: 'patch' },
      code: 'cors-method-not-allowed',
      line: /Method patch is not allowed/,
      leg: 'Preflight',
    },
    {
      title: 'a header field that is not allowed',
      switches: { header: 'X-Request-Id' },
      code: 'cors-header-not-allowed',
      line: /field x-request-id is not allowed/,
      leg: 'Preflight',
    },
    {
      title: 'a path without routes',
      switches: { target: '/nowhere' },
      code: 'cors-preflight-status',
      line: /HTTP ok status/,
      leg: 'Preflight',
    },
  ])('$title: the browser refuses, and the page says why', async ({ switches, code, line, leg }) => {
    // The line may come after the report, as a frame of another origin has a process of its own.
    const [{ report, exchange }] = await Promise.all([
      send(switches, 'Refused'),
      tab.waitForEvent('console', (message) => line.test(message.text())),
    ]);
    expect(report).toContain('Refused by the browser');
    expect(report).toContain('TypeError: Failed to fetch');
    expect(report).toContain(code);
    // The request itself was never sent where a preflight asked for it.
    expect((await exchange.innerText()).match(/^(?:Preflight|Request)$/gm)).toEqual([leg]);
  });

  test.each<{ readonly title: string; readonly switches: Switches; readonly status: RegExp }>([
    { title: 'what the defaults are', switches: {}, status: /412 Precondition Failed/ },
    {
      title: 'a header field that is allowed',
      switches: { header: 'Authorization' },
      status: /412 Precondition Failed/,
    },
    { title: 'GET', switches: { method: 'GET' }, status: /200 OK/ },
    {
      title: 'POST where there is no such route, which needs no answer but 405',
      switches: { method: 'POST' },
      status: /405/,
    },
    { title: 'POST of what is no note', switches: { method: 'POST', target: '/notes' }, status: /422/ },
    { title: 'DELETE under a state that there never is', switches: { method: 'DELETE' }, status: /412/ },
    { title: 'PUT under a state that there never is', switches: { method: 'PUT' }, status: /412/ },
  ])('$title: sent, and answered', async ({ switches, status }) => {
    const before = [...example.notes.entries()];
    const { report } = await send(switches, status);
    expect(report).toContain('Sent, and answered');
    expect(report).toMatch(status);
    expect(report).toMatch(/cors-(?:allowed|preflight-allowed|preflight-not-needed)/);

    expect([...example.notes.entries()]).toEqual(before);
  });

  test('what a browser keeps of a preflight is told', async () => {
    const shown = tab.locator('.exchange', { hasText: 'asked-for-once' });
    await tab.evaluate(`(async () => {
      for (const body of ['{"body":"a"}', '{"body":"b"}'])
        await fetch('${example.api}/notes/1?asked-for-once', {
          method: 'PATCH', body, headers: { 'Content-Type': 'application/merge-patch+json' },
        });
    })()`);
    await shown.nth(1).waitFor();
    await shown.nth(0).getByText('No preflight this time').waitFor();
    await shown.nth(1).getByText('Preflight', { exact: true }).waitFor();
  });

  test('all fields of a message are shown on demand', async () => {
    const { exchange } = await send({ method: 'GET' }, '200 OK');
    expect(await exchange.innerText()).not.toContain('Vary');
    await exchange.locator('summary').first().click();
    await exchange.locator('.messages').first().waitFor();
    expect(await exchange.innerText()).toMatch(/Access-Control-Expose-Headers\s+ETag/);
  });

  test('a tab that opens later sees what went before', async () => {
    await send({ header: 'X-Request-Id' }, 'Refused');
    const later = await example.tab();
    await later.locator('.exchange', { hasText: 'x-request-id' }).first().waitFor();
    await later.context().close();
  });
});
