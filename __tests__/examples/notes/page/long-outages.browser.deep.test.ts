import type { Locator, Page } from 'playwright-core';
import { describeExamplePage } from '../../../support/example-page';
import { card, edit, person, press, saved } from './note-cards';

const milk = { id: '1', title: 'Buy milk' };
describeExamplePage('while the server is down for longer than the client waits', [milk], (example) => {
  let tab: Page;

  beforeEach(async () => {
    tab = await example.shared();
  });
  afterEach(async () => {
    await example.startServers();
  });

  async function saveInVain(): Promise<Locator> {
    await edit(tab, { Title: 'Bread' });
    await example.stopServers();
    await press(tab, 'Save');
    const said = card(tab).getByRole('alert').getByText('The API is not responding. Your text is kept');
    // The client sends it again for ten seconds.
    await said.waitFor();
    expect(await tab.getByText('Failed to fetch').count()).toBe(0);
    return said;
  }

  test('what could not be saved is saved when it is over', async () => {
    await saveInVain();
    await example.startServers();
    await saved(tab, 'Bread');
    expect(await card(tab).getByRole('status').innerText()).toBe('Saved after all.');
    expect((await example.stored('1'))?.title).toBe('Bread');
  });

  test('what is changed since then is saved by its author alone', async () => {
    const said = await saveInVain();
    await card(tab).getByLabel('Title').fill('Rolls');
    await said.waitFor({ state: 'detached' });
    await example.startServers();
    await tab.locator('#outage:empty').waitFor({ state: 'attached' });
    await press(tab, 'Reload');
    await tab.locator('.person:first-child .cards:not([aria-busy])').waitFor();
    expect(await card(tab).getByLabel('Title').inputValue()).toBe('Rolls');
    expect(await example.stored('1')).toEqual(milk);
    await press(tab, 'Save');
    await saved(tab, 'Rolls');
  });

  test('a note that cannot be created stays in its form', async () => {
    await press(tab, 'New note');
    await tab.getByLabel('Title').fill('Bread');
    await example.stopServers();
    await press(tab, 'Create');
    await tab.locator('.new-note').getByText('The API is not responding.').waitFor();
    await example.startServers();
    await tab.locator('.new-note .problem:empty').waitFor({ state: 'attached' });
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
    await person(tab, 'Ada').getByText('The notes will appear once the API is back.').waitFor();
    await tab.unroute(`${example.api}/**`);
    await card(tab).getByLabel('Title').waitFor();
    expect(await tab.getByText('will appear').count()).toBe(0);
  });

  test('a note that cannot be opened says so, until it is over', async () => {
    await press(tab, 'Edit Buy milk');
    const said = card(tab).getByRole('alert').getByText('The API is not responding.');
    await said.waitFor();
    await tab.unroute(`${example.api}/**`);
    await said.waitFor({ state: 'detached' });
    await edit(tab, { Title: 'Bread' });
  });
});
