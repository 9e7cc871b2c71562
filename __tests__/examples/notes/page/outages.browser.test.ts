import type { Page } from 'playwright-core';
import { describeExamplePage } from '../../../support/example-page';
import { card, edit, press, saved } from './note-cards';

const milk = { id: '1', title: 'Buy milk' };

describeExamplePage('while the server is down', [milk], (example) => {
  let tab: Page;

  beforeEach(async () => {
    tab = await example.shared();
  });
  afterEach(async () => {
    await example.startServers();
  });

  const outage = () => tab.locator('#outage').getByText(`The API at ${example.api} is not responding.`);
  const isOver = () => tab.locator('#outage:empty').waitFor({ state: 'attached' });

  test('the page says so at once, whoever asks, and takes it back when it is over', async () => {
    await example.stopServers();
    await outage().waitFor();
    await tab.getByText('Reconnecting …').waitFor();
    expect(await card(tab).getByRole('heading').innerText()).toBe('Buy milk');
    await example.notes.replace('2', null, { id: '2', title: 'Bread' });
    await example.startServers();
    await isOver();
    await tab.getByText('Live', { exact: true }).waitFor();
    await card(tab, 1).getByRole('heading', { name: 'Bread' }).waitFor();
  });

  test('a change that is saved meanwhile is made when it is over', async () => {
    await edit(tab, { Title: 'Bread' });
    await example.stopServers();
    await press(tab, 'Save');
    await outage().waitFor();
    await example.startServers();
    await saved(tab, 'Bread');
    await isOver();
  });

  test('a request of the preflight section is not answered, which is said in plain words until it is over', async () => {
    await example.stopServers();
    await press(tab, 'Send request');
    const result = tab.locator('#lab-result');
    await result.getByText('Not answered').waitFor();
    await result.getByText('The server is not responding. Send the request again once it is back.').waitFor();
    await example.startServers();
    await tab.locator('#lab-result:empty').waitFor();
  });
});

describeExamplePage('while the API is silent', [milk], (example) => {
  let tab: Page;

  beforeEach(async () => {
    tab = await example.shared();
    await edit(tab, { Title: 'Bread' });
  });
  afterEach(() => tab.unrouteAll());

  const status = () => card(tab).getByRole('status');
  const outage = () => tab.locator('#outage:not(:empty)');

  test('a save says that it saves, within two seconds that nobody answers, and in the end that it is saved', async () => {
    await tab.route(`${example.api}/**`, () => undefined);
    const start = performance.now();
    await press(tab, 'Save');
    expect(await status().innerText()).toBe('Saving …');
    await status().getByText('The API is not responding. Your text is kept').waitFor();
    // The timers of the page take 1.8 seconds; the rest is for busy machines.
    expect(performance.now() - start).toBeLessThan(4_000);
    await outage().waitFor();
    expect(await card(tab).getByLabel('Title').inputValue()).toBe('Bread');
    await tab.unroute(`${example.api}/**`);
    await saved(tab, 'Bread');
    expect(await status().innerText()).toBe('Saved after all.');
    expect((await example.stored('1'))?.title).toBe('Bread');
  });

  test('a slow answer is no outage while the API answers other requests', async () => {
    let outages = 0;
    await tab.exposeFunction('countOutage', () => outages++);
    await tab.evaluate(`new MutationObserver(() => globalThis.countOutage())
      .observe(document.getElementById('outage'), { childList: true })`);
    await tab.route(`${example.api}/notes/1`, async (route) => {
      await tab.waitForTimeout(2_500);
      await route.continue();
    });
    await press(tab, 'Save');
    await saved(tab, 'Bread');
    await tab.unroute(`${example.api}/notes/1`);
    expect(await status().innerText()).toBe('Saved.');
    expect(outages).toBe(0);
  });
});
