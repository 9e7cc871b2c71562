import type { Page } from 'playwright-core';
import { describeExamplePage } from '../../../support/example-page';
import { card, edit, press, saved } from './note-cards';

const milk = { id: '1', title: 'Buy milk' };
describeExamplePage('while the server is down for longer than the client waits', [milk], (example) => {
  let tab: Page;

  beforeEach(async () => {
    tab = await example.shared();
  });
  afterEach(async () => {
    await example.startServers();
  });

  test('one that could not be saved stays in its form, and what was said of it goes when it is over', async () => {
    await edit(tab, { Title: 'Bread' });
    await example.stopServers();
    await press(tab, 'Save');
    const said = card(tab).getByText(
      'The API is not responding. Nothing is lost: try again once it is back.',
    );
    // The client sends it again for ten seconds.
    await said.waitFor();
    expect(await tab.getByText('Failed to fetch').count()).toBe(0);
    await example.startServers();
    await said.waitFor({ state: 'detached' });
    expect(await card(tab).getByLabel('Title').inputValue()).toBe('Bread');
    await press(tab, 'Save');
    await saved(tab, 'Bread');
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
    await tab.getByText('The notes will appear once the API is back.').waitFor();
    await tab.unroute(`${example.api}/**`);
    await card(tab).getByRole('heading', { name: 'Buy milk' }).waitFor();
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
