import type { Page } from 'playwright-core';
import { describeExamplePage } from '../../../support/example-page';
import { card, edit, press, saved } from './note-cards';

const milk = { id: '1', title: 'Buy milk' };

describeExamplePage('a second tab', [milk], (example) => {
  let tab: Page;
  let other: Page;

  beforeAll(async () => {
    other = await example.tab();
  });
  beforeEach(async () => {
    tab = await example.shared();
    await example.show(other);
  });
  afterAll(() => other.context().close());

  const titles = (page: Page) => page.locator('.person:first-child h3').allInnerTexts();

  test('sees what the first has created, saved and deleted, and what any program has', async () => {
    await press(tab, 'New note');
    await tab.getByLabel('Title').fill('Bread');
    await press(tab, 'Create');
    await card(other, 1).getByRole('heading', { name: 'Bread' }).waitFor();

    await edit(tab, { Title: 'Buy oat milk' });
    await press(tab, 'Save');
    await card(other).getByRole('heading', { name: 'Buy oat milk' }).waitFor();

    await press(tab, 'Edit Bread');
    await press(tab, 'Delete');
    await press(tab, 'Confirm delete');
    await card(other, 1).waitFor({ state: 'detached' });

    const headers = { 'Content-Type': 'application/merge-patch+json' };
    await fetch(`${example.api}/notes/1`, { method: 'PATCH', headers, body: '{"title":"Tea"}' });
    for (const page of [tab, other]) await card(page).getByRole('heading', { name: 'Tea' }).waitFor();
  });

  test('keeps what is typed in it, and its focus', async () => {
    await edit(other, { Title: 'Buy soy milk' });
    await edit(tab, { Text: 'Two litres' });
    await press(tab, 'Save');
    await saved(tab, 'Buy milk');
    await other.locator('.exchange', { hasText: 'If-Match (before)' }).first().waitFor();
    await press(tab, 'New note');
    await tab.getByLabel('Title').fill('Bread');
    await press(tab, 'Create');
    await card(other, 1).getByRole('heading', { name: 'Bread' }).waitFor();
    expect(await card(other).getByLabel('Title').inputValue()).toBe('Buy soy milk');
    expect(await other.evaluate('document.activeElement.name')).toBe('title');
    await press(other, 'Save');
    await saved(other, 'Buy soy milk');
    expect(await example.stored('1')).toEqual({ id: '1', title: 'Buy soy milk', body: 'Two litres' });
  });

  test('asks for the list once after what it has done itself: for the person who has not', async () => {
    const lists: string[] = [];
    other.on('request', (request) => {
      if (request.url() === `${example.api}/notes` && request.method() === 'GET') lists.push(request.url());
    });
    await edit(other, { Title: 'Buy oat milk' });
    await press(other, 'Save');
    await saved(other, 'Buy oat milk');
    await card(tab).getByRole('heading', { name: 'Buy oat milk' }).waitFor();
    // Later than it would have asked.
    await fetch(`${example.api}/notes/1?mark`);
    await other.locator('.exchange', { hasText: '?mark' }).waitFor();
    await other.waitForTimeout(600);
    expect(lists).toHaveLength(1);
    expect(await titles(other)).toEqual(['Buy oat milk']);
  });
});
