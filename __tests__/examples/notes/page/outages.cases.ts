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
