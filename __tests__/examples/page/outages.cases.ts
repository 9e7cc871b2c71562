import type { Page } from 'playwright-core';
import { describeExamplePage } from '../../support/example-page';
import { card, edit, press, saved } from './note-cards';

const milk = { id: '1', title: 'Buy milk' };
/** The client sends a request again for ten seconds. */
const patience = { timeout: 20_000 };

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

  test('one that could not be saved stays in its form, and what was said of it goes when it is over', async () => {
    await edit(tab, { Title: 'Bread' });
    await example.stopServers();
    await press(tab, 'Save');
    const said = card(tab).getByText(
      'The API is not responding. Nothing is lost: try again once it is back.',
    );
    await said.waitFor(patience);
    expect(await tab.getByText('Failed to fetch').count()).toBe(0);
    await example.startServers();
    await said.waitFor({ state: 'detached' });
    expect(await card(tab).getByLabel('Title').inputValue()).toBe('Bread');
    await press(tab, 'Save');
    await saved(tab, 'Bread');
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

  test('a note that cannot be created stays in its form', async () => {
    await press(tab, 'New note');
    await tab.getByLabel('Title').fill('Bread');
    await example.stopServers();
    await press(tab, 'Create');
    await tab.locator('#new-note').getByText('The API is not responding.').waitFor();
    await example.startServers();
    await tab.locator('#new-note .problem:empty').waitFor({ state: 'attached' });
    await press(tab, 'Create');
    await tab.getByText('Created: Bread').waitFor();
  });
});

describeExamplePage('while the API alone is down', [milk], (example) => {
  let tab: Page;

  beforeEach(async () => {
    tab = await example.shared();
    await tab.route(`${example.api}/**`, (route) => route.abort('connectionrefused'));
  });
  afterEach(() => tab.unroute(`${example.api}/**`));

  test('the page that opens says so, and shows the notes by itself when it is over', async () => {
    await tab.reload();
    await tab.locator('#outage').getByText('is not responding').waitFor();
    await tab.getByText('The notes will appear once the API is back.').waitFor(patience);
    await tab.unroute(`${example.api}/**`);
    await card(tab).getByRole('heading', { name: 'Buy milk' }).waitFor();
    expect(await tab.getByText('will appear').count()).toBe(0);
  });

  test('a note that cannot be opened says so, until it is over', async () => {
    await press(tab, 'Edit Buy milk');
    const said = card(tab).getByRole('alert').getByText('The API is not responding.');
    await said.waitFor(patience);
    await tab.unroute(`${example.api}/**`);
    await said.waitFor({ state: 'detached' });
    await edit(tab, { Title: 'Bread' });
  });
});
