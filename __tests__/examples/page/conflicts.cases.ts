import type { Locator, Page } from 'playwright-core';
import { describeExamplePage } from '../../support/example-page';
import { card, conflict, edit, press, saved } from './note-cards';

const milk = { id: '1', title: 'Buy milk', body: 'Two litres', tags: ['home'] };

describeExamplePage('an edit of what is not there any more', [milk], (example) => {
  let tab: Page;

  beforeEach(async () => {
    tab = await example.shared();
  });

  describe('two tabs edit one note: the second to save gets 412, and neither loses', () => {
    let other: Page;

    beforeAll(async () => {
      other = await example.tab();
    });
    beforeEach(async () => {
      await example.show(other);
      await edit(tab, { Text: 'Three litres' });
      await edit(other, { Title: 'Buy oat milk', Text: 'One litre' });
      await press(other, 'Save');
      await saved(other, 'Buy oat milk');
      await press(tab, 'Save');
      await conflict(tab).waitFor();
    });
    afterAll(() => other.context().close());

    test('both versions are shown, with the tags that do not match', async () => {
      expect(await example.stored('1')).toMatchObject({ title: 'Buy oat milk', body: 'One litre' });
      const theirs = await tab.getByRole('region', { name: 'Theirs' }).locator('mark').allInnerTexts();
      const mine = await tab.getByRole('region', { name: 'Mine' }).locator('mark').allInnerTexts();
      expect([theirs, mine]).toEqual([['Buy oat milk', 'One litre'], ['Three litres']]);
      const [stale, now] = await conflict(tab).locator('.fields dd').allInnerTexts();
      expect(now).toBe((await fetch(`${example.api}/notes/1`)).headers.get('etag'));
      expect(stale).not.toBe(now);
      expect(await conflict(tab).innerText()).toContain(
        'Keeping mine overwrites their text. Kept either way: their title.',
      );
    });

    test('take theirs: nothing is written', async () => {
      const tag = (await fetch(`${example.api}/notes/1`)).headers.get('etag');
      await press(tab, 'Take theirs');
      await card(tab).getByRole('heading', { name: 'Buy oat milk' }).waitFor();
      expect(await card(tab).innerText()).toContain('One litre');
      expect((await fetch(`${example.api}/notes/1`)).headers.get('etag')).toBe(tag);
    });

    test('keep mine: what I changed is written, on top of theirs', async () => {
      await press(tab, 'Keep mine');
      await saved(tab, 'Buy oat milk');
      expect(await example.stored('1')).toEqual({ ...milk, title: 'Buy oat milk', body: 'Three litres' });
    });

    test('keep mine, and they are faster again: the next conflict is shown', async () => {
      await press(other, 'Edit Buy oat milk');
      await card(other).getByLabel('Text').fill('Four litres');
      await press(other, 'Save');
      await other.getByText('Four litres').waitFor();
      await press(tab, 'Keep mine');
      await conflict(tab).getByText('Four litres').waitFor();
      await press(tab, 'Keep mine');
      await saved(tab, 'Buy oat milk');
      expect(await example.stored('1')).toMatchObject({ title: 'Buy oat milk', body: 'Three litres' });
    });
  });

  describe('somebody deletes what is being edited', () => {
    const gone = (page: Page): Locator => page.getByRole('group', { name: '404 Not Found' });

    beforeEach(async () => {
      await edit(tab, { Title: 'Buy oat milk' });
      await example.notes.delete('1');
      await press(tab, 'Save');
      await gone(tab).waitFor();
    });

    test('take theirs: it goes', async () => {
      await press(tab, 'Take theirs');
      await tab.getByText('There are no notes yet.').waitFor();
    });

    test('keep mine: it is put back', async () => {
      await press(tab, 'Keep mine');
      await tab.getByText('Put back: Buy oat milk').waitFor();
      expect(await example.stored('1')).toEqual({ ...milk, title: 'Buy oat milk' });
    });

    describe('keep mine, and somebody has put another there', () => {
      beforeEach(async () => {
        await example.notes.replace('1', null, { id: '1', title: 'Another' });
        await press(tab, 'Keep mine');
        await conflict(tab).getByText('Another').waitFor();
      });

      test('that one stays, and can be taken', async () => {
        expect(await example.stored('1')).toEqual({ id: '1', title: 'Another' });
        await press(tab, 'Take theirs');
        await card(tab).getByRole('heading', { name: 'Another' }).waitFor();
      });

      test('what I changed can be kept on top of it', async () => {
        await press(tab, 'Keep mine');
        await saved(tab, 'Buy oat milk');
        expect(await example.stored('1')).toEqual({ id: '1', title: 'Buy oat milk' });
      });
    });
  });
});
