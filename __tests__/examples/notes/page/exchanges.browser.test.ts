import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { describeExamplePage } from '../../../support/example-page';
import { edit, press, saved } from './note-cards';

const run = promisify(execFile);
const milk = { id: '1', title: 'Buy milk', body: 'Two litres', tags: ['home'] };
const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';

describeExamplePage('what passed between the page and the API', [milk], (example) => {
  let tab: Page;

  beforeEach(async () => {
    tab = await example.shared();
    await tab.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press(tab, 'Clear');
  });

  /** Sends a request to the API, as any program may, and gives what the panel shows of it. */
  async function sent(method: string, path: string, type: string, body: string): Promise<Locator> {
    await fetch(example.api + path, { method, headers: { 'Content-Type': type }, body });
    const shown = tab.locator('.exchange', { hasText: path }).first();
    await shown.waitFor();
    return shown;
  }

  /** Opens the details of the last message, which the page makes then. */
  async function details(exchange: Locator): Promise<void> {
    await exchange.locator('summary').last().click();
    await exchange.locator('.messages').last().waitFor();
  }
  const linesOf = async (text: Locator) => (await text.innerText()).split('\n');

  async function copied(exchange: Locator, as: 'curl' | 'fetch'): Promise<string> {
    await press(exchange, `Copy as ${as}`);
    await tab.getByRole('status').getByText(`Copied as ${as}.`).waitFor();
    return tab.evaluate<string>('navigator.clipboard.readText()');
  }

  test('the bodies of both messages, over several lines', async () => {
    await edit(tab, { Title: 'Buy oat milk' });
    await press(tab, 'Save');
    await saved(tab, 'Buy oat milk');
    const exchange = tab.locator('.exchange', { hasText: 'If-Match (before)' });
    await details(exchange);
    expect(await linesOf(exchange.getByLabel('Request body'))).toEqual([
      ...[
        '[',
        '  {',
        '    "op": "replace",',
        '    "path": "/title",',
        '    "value": "Buy oat milk"',
        '  }',
        ']',
      ],
    ]);
    expect(await linesOf(exchange.getByLabel('Response body'))).toEqual([
      ...[
        '{',
        '  "id": "1",',
        '  "title": "Buy oat milk",',
        '  "body": "Two litres",',
        '  "tags": ["home"]',
        '}',
      ],
    ]);
  });

  test('markup in a body is the text that it is', async () => {
    const title = '<img src=x onerror="document.title=1"></pre><script>document.title=2</script>';
    const exchange = await sent(
      'PATCH',
      '/notes/1?markup',
      mergePatch,
      JSON.stringify({ title, nope: title }),
    );
    expect(await exchange.locator('mark').innerText()).toBe(`"nope": ${JSON.stringify(title)}`);
    await details(exchange);
    const broken = await sent('PATCH', '/notes/1?broken', mergePatch, `{${title}`);
    await details(broken);
    expect(await broken.getByLabel('Request body').innerText()).toBe(`{${title}`);
    expect(await tab.locator('main img, main script').count()).toBe(0);
    expect(await tab.title()).toBe('Notes · patch-options');
  });

  test.each([
    {
      title: 'an operation that does not fit',
      type: jsonPatch,
      body: '[{"op":"remove","path":"/body"},{"op":"remove","path":"/colour"}]',
      detail: 'Operation 1',
      marks: ['{"op": "remove", "path": "/colour"}'],
    },
    {
      title: 'an element of a list',
      type: jsonPatch,
      body: '[{"op":"replace","path":"/tags","value":["a","b","a"]}]',
      detail: 'Each tag can be listed only once.',
      marks: ['"a"'],
    },
    {
      title: 'two members',
      type: mergePatch,
      body: '{"title":" ","body":"x","tags":3}',
      detail: 'Title cannot be blank.',
      marks: ['"title": " "', '"tags": 3'],
    },
  ])('what a problem points to is marked: $title', async ({ type, body, detail, marks }) => {
    const exchange = await sent('PATCH', '/notes/1?marked', type, body);
    // At a glance, and in the details.
    const glance = exchange.locator('.leg-problem');
    expect(await glance.innerText()).toContain(detail);
    expect(await glance.locator('mark').allInnerTexts()).toEqual(marks);
    await details(exchange);
    expect(await glance.isVisible()).toBe(false);
    expect(await exchange.getByLabel('Request body').locator('mark').allInnerTexts()).toEqual(marks);
    expect(await exchange.getByLabel('Response body').innerText()).toContain('"status": ');
  });

  test('a long body is cut, which is said, and cannot be copied', async () => {
    const exchange = await sent(
      'PATCH',
      '/notes/1?long',
      mergePatch,
      JSON.stringify({ body: 'x'.repeat(20_000) }),
    );
    await details(exchange);
    const cut = await exchange.getByLabel('Request body').innerText();
    expect(cut).toMatch(/^\{"body":"x+$/);
    expect(cut).toHaveLength(16_384);
    await exchange.getByText('Only the beginning is shown: the body has 20011 bytes.').waitFor();
    await exchange.getByText('It cannot be copied').waitFor();
    expect(await exchange.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  });

  test('copied as curl it runs in a shell, to the same end', async () => {
    const body = '[{"op":"add","path":"/body","value":"it\'s $HOME, `id` and \\"\\\\\\""}]';
    const exchange = await sent('PATCH', '/notes/1?curl', jsonPatch, body);
    await details(exchange);
    const command = await copied(exchange, 'curl');
    expect(command).toContain(`${example.api}/notes/1?curl`);
    await example.reset(milk);
    const { stdout } = await run('bash', ['-c', command]);
    expect(stdout).toMatch(/^HTTP\/1\.1 204 /);
    expect((await example.stored('1'))?.body).toBe('it\'s $HOME, `id` and "\\"');
  });

  test('copied as curl, a change under a condition says what it would be answered now', async () => {
    await edit(tab, { Title: 'Buy oat milk' });
    await press(tab, 'Save');
    await saved(tab, 'Buy oat milk');
    const exchange = tab.locator('.exchange', { hasText: 'If-Match (before)' });
    await details(exchange);
    const command = await copied(exchange, 'curl');
    expect(command).toMatch(/-H 'If-Match: ".*"'/);
    // It was made, as its Idempotency-Key tells; without one, the state is another by now.
    expect((await run('bash', ['-c', command])).stdout).toMatch(/^HTTP\/1\.1 200 /);
    const another = command.replace(/ \\\n {2}-H 'Idempotency-Key: .*'/, '');
    expect((await run('bash', ['-c', another])).stdout).toMatch(/^HTTP\/1\.1 412 /);
  });

  test('a preflight is copied as curl alone', async () => {
    const preflight = { Origin: example.url, 'Access-Control-Request-Method': 'PATCH' };
    await fetch(`${example.api}/notes/1?preflight`, { method: 'OPTIONS', headers: preflight });
    const exchange = tab.locator('.exchange', { hasText: '/notes/1?preflight' });
    await details(exchange);
    const command = await copied(exchange, 'curl');
    expect((await run('bash', ['-c', command])).stdout).toMatch(/Access-Control-Allow-Methods: DELETE, GET/);
    expect(await exchange.getByRole('button', { name: 'Copy as fetch' }).count()).toBe(0);
  });

  test('copied as fetch it runs in a page', async () => {
    const exchange = await sent('PATCH', '/notes/1?fetch', mergePatch, '{"title":"it\'s </script> \\u2028"}');
    await details(exchange);
    const script = await copied(exchange, 'fetch');
    await example.reset(milk);
    expect(await tab.evaluate(`(async () => { const answer = ${script} return answer.status; })()`)).toBe(
      204,
    );
    expect((await example.stored('1'))?.title).toBe("it's </script> \u2028");
  });

  test('where the browser lets nobody copy, the page says so', async () => {
    await tab.context().clearPermissions();
    await tab.evaluate("navigator.clipboard.writeText = () => Promise.reject(new DOMException('no'))");
    await fetch(`${example.api}/notes/1?refused`);
    const shown = tab.locator('.exchange', { hasText: '/notes/1?refused' });
    await details(shown);
    await press(shown, 'Copy as curl');
    await tab.getByText('The browser does not let this page copy.').waitFor();
  });
});
