import type { Page } from 'playwright-core';
import { describeExamplePage } from '../../../support/example-page';
import {
  card,
  choose,
  conflict,
  edit,
  gone,
  keptDrafts,
  person,
  press,
  reload,
  restored,
  saved,
} from './note-cards';

const milk = { id: '1', title: 'Buy milk', body: 'Two litres', tags: ['home'] };
const bread = { id: '2', title: 'Bread' };

describeExamplePage('what was typed and not saved, in the end', [milk, bread], (example) => {
  let tab: Page;

  beforeEach(async () => {
    tab = await example.shared();
  });

  test.each<{ readonly how: string; readonly leave: () => Promise<void> }>([
    { how: 'cancelled', leave: () => press(tab, 'Cancel') },
    { how: 'taken back letter by letter', leave: () => card(tab).getByLabel('Title').fill('Buy milk') },
    {
      how: 'discarded by Escape',
      leave: async () => {
        for (let presses = 0; presses < 2; presses++) await tab.keyboard.press('Escape');
      },
    },
    {
      how: 'deleted with its note',
      leave: async () => {
        await press(tab, 'Delete');
        await press(tab, 'Confirm delete');
        await tab.getByText('Deleted.').waitFor();
      },
    },
  ])('is gone when it was $how', async ({ leave }) => {
    await edit(tab, { Title: 'Buy oat milk' });
    expect(await keptDrafts(tab)).toBe('draft:Ada:1');
    await leave();
    expect(await keptDrafts(tab)).toBe('');
    await reload(tab);
    expect(await tab.locator('.restored').count()).toBe(0);
  });

  test('is merged with what others have saved before the reload', async () => {
    await edit(tab, { Text: 'Three litres' });
    const { version = null } = (await example.notes.get('1')) ?? {};
    await example.notes.replace('1', version, { ...milk, title: 'Buy oat milk', body: 'One litre' });
    await reload(tab);
    await restored(tab);
    await press(tab, 'Save');
    await conflict(tab).getByText('One litre').waitFor();
    await choose(tab, 'Text', 'Mine');
    await saved(tab, 'Buy oat milk');
    expect(await example.stored('1')).toEqual({ ...milk, title: 'Buy oat milk', body: 'Three litres' });
  });

  test('of a note that others have saved: cancel shows what they have saved', async () => {
    await edit(tab, { Text: 'Three litres' });
    const { version = null } = (await example.notes.get('1')) ?? {};
    await example.notes.replace('1', version, { ...milk, title: 'Buy oat milk' });
    await reload(tab);
    await restored(tab);
    await press(tab, 'Cancel');
    await card(tab).getByRole('heading', { name: 'Buy oat milk' }).waitFor();
  });

  test('of a note that is deleted meanwhile is there, and can be saved in its place', async () => {
    await press(card(tab, 1), 'Edit Bread');
    await card(tab, 1).getByLabel('Title').fill('Rye bread');
    await example.notes.delete('2');
    await reload(tab);
    await restored(tab, 1);
    await press(card(tab, 1), 'Save');
    await gone(tab).waitFor();
    await press(tab, 'Restore it');
    await card(tab, 1).getByRole('status').getByText('Restored.').waitFor();
    expect(await example.stored('2')).toEqual({ id: '2', title: 'Rye bread' });
    expect(await keptDrafts(tab)).toBe('');
  });

  test('of a note that is deleted meanwhile: cancel lets it go', async () => {
    await edit(tab, { Title: 'Buy oat milk' });
    await example.notes.delete('1');
    await reload(tab);
    await restored(tab, 1);
    await press(tab, 'Cancel');
    await tab.getByText('This note was deleted.').waitFor();
    expect(await tab.locator('.person:first-child h3').allInnerTexts()).toEqual(['Bread']);
  });

  test('of a new note is there after a reload, until it is created', async () => {
    await press(tab, 'New note');
    await tab.getByLabel('Title').fill('Rolls');
    await reload(tab);
    expect(await person(tab, 'Ada').getByLabel('Title').inputValue()).toBe('Rolls');
    await press(tab, 'Create');
    await tab.getByText('Created: Rolls').waitFor();
    expect(await keptDrafts(tab)).toBe('');
  });

  test('by something else under this name is left alone, and breaks nothing', async () => {
    for (const value of ['', '{', 'null', '{"base":{},"typed":{}}', '{"base":{"id":"1","title":1}}'])
      await tab
        .evaluate(`sessionStorage.setItem('draft:Ada:1', ${JSON.stringify(value)})`)
        .then(() => reload(tab));
    await press(card(tab), 'Cancel');
    expect(await card(tab).getByRole('heading').innerText()).toBe('Buy milk');
    await edit(tab, { Title: 'Buy oat milk' });
    await press(tab, 'Save');
    await saved(tab, 'Buy oat milk');
  });

  test('is not kept where the browser keeps nothing, and is saved all the same', async () => {
    await tab.evaluate(
      `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }`,
    );
    await edit(tab, { Title: 'Buy oat milk' });
    expect(await keptDrafts(tab)).toBe('');
    await press(tab, 'Save');
    await saved(tab, 'Buy oat milk');
  });
});
