import type { Page } from 'playwright-core';
import { describeExamplePage } from '../../../support/example-page';
import { card, edit, keptDrafts, press, reload, restored, saved } from './note-cards';

const milk = { id: '1', title: 'Buy milk', body: 'Two litres', tags: ['home'] };
const bread = { id: '2', title: 'Bread' };

describeExamplePage('what was typed and not saved', [milk, bread], (example) => {
  let tab: Page;

  beforeEach(async () => {
    tab = await example.shared();
  });

  test('is there after a reload, note by note, with its patch, and can be saved', async () => {
    await edit(tab, { Title: 'Buy oat milk', Tags: 'home, ' });
    await press(card(tab, 1), 'Edit Bread');
    await card(tab, 1).getByLabel('Text').fill('Rye');
    await reload(tab);
    await restored(tab);
    await restored(tab, 1);
    expect(await card(tab).getByLabel('Title').inputValue()).toBe('Buy oat milk');
    expect(await card(tab).getByLabel('Tags').inputValue()).toBe('home, ');
    expect(await card(tab).getByLabel('The patch').textContent()).toContain('"Buy oat milk"');
    expect(await card(tab, 1).getByLabel('Text').inputValue()).toBe('Rye');

    await press(card(tab), 'Save');
    await saved(tab, 'Buy oat milk');
    expect(await keptDrafts(tab)).toBe('draft:Ada:2');
    await reload(tab);
    await card(tab).getByRole('heading', { name: 'Buy oat milk' }).waitFor();
    await restored(tab, 1);
  });
});
