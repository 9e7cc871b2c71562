import type { Page } from 'playwright-core';
import { describeExamplePage } from '../../../support/example-page';
import { card, choose, conflict, edit, gone, press, saved } from './note-cards';

const milk = { id: '1', title: 'Buy milk', body: 'Two litres', tags: ['home'] };

describeExamplePage('an edit of what is not there any more', [milk], (example) => {
  let tab: Page;

  beforeEach(async () => {
    tab = await example.shared();
  });

  const tagNow = async () => (await fetch(`${example.api}/notes/1`)).headers.get('etag');

  describe('two tabs edit one note, and neither loses', () => {
    let other: Page;

    beforeAll(async () => {
      other = await example.tab();
    });
    beforeEach(async () => {
      await example.show(other);
      await edit(tab, { Text: 'Three litres' });
    });
    afterAll(() => other.context().close());

    async function otherSaves(changes: { Title?: string; Text?: string; Tags?: string }): Promise<void> {
      await edit(other, changes);
      await press(other, 'Save');
      await saved(other, changes.Title ?? 'Buy milk');
    }

    test('different fields: both are there, and nobody is asked', async () => {
      await otherSaves({ Title: 'Buy oat milk', Tags: 'home, shop' });
      await press(tab, 'Save');
      await saved(tab, 'Buy oat milk');
      expect(await example.stored('1')).toEqual({
        ...{ id: '1', title: 'Buy oat milk', body: 'Three litres', tags: ['home', 'shop'] },
      });
      const refused = tab.locator('.exchange', { hasText: '412 Precondition Failed' });
      expect(await refused.first().innerText()).toMatch(/If-Match \(before\)[^]*ETag \(now\)/);
    });

    test('one list, at either end: both are there', async () => {
      await card(tab).getByLabel('Tags').fill('mine, home');
      await otherSaves({ Tags: 'home, theirs' });
      await press(tab, 'Save');
      await saved(tab, 'Buy milk');
      expect(await example.stored('1')).toMatchObject({ tags: ['mine', 'home', 'theirs'] });
    });

    describe('the same field', () => {
      beforeEach(async () => {
        await otherSaves({ Title: 'Buy oat milk', Text: 'One litre' });
        await press(tab, 'Save');
        await conflict(tab).waitFor();
      });

      test('it alone is asked for, with the original between both versions, and nothing is chosen before a person does', async () => {
        expect(await example.stored('1')).toMatchObject({ title: 'Buy oat milk', body: 'One litre' });
        expect(await conflict(tab).locator('legend').allInnerTexts()).toEqual(['Text']);
        expect(await conflict(tab).getByRole('heading').innerText()).toBe(
          'Somebody else changed “Buy milk” too',
        );
        const versions = await conflict(tab).locator('.versions > *').allInnerTexts();
        expect(versions.map((text) => text.trim().split(/\s*\n\s*/))).toEqual([
          ['Theirs', 'One litre'],
          ['Original', 'Two litres'],
          ['Mine', 'Three litres'],
        ]);
        await press(conflict(tab), 'Save');
        expect(await conflict(tab).locator('input:invalid').count()).toBe(2);
        expect(await example.stored('1')).toMatchObject({ body: 'One litre' });
      });

      test.each(['Choose theirs', 'Discard my changes'])('%s: nothing is written', async (how) => {
        const tag = await tagNow();
        if (how === 'Discard my changes') await press(conflict(tab), how);
        else await choose(tab, 'Text', 'Theirs');
        await tab.getByText('None of your changes were saved.').waitFor();
        await card(tab).getByRole('heading', { name: 'Buy oat milk' }).waitFor();
        expect(await card(tab).innerText()).toContain('One litre');
        expect(await tagNow()).toBe(tag);
      });

      test('choose mine: what I changed is written, on top of theirs', async () => {
        await choose(tab, 'Text', 'Mine');
        await saved(tab, 'Buy oat milk');
        expect(await example.stored('1')).toEqual({ ...milk, title: 'Buy oat milk', body: 'Three litres' });
      });

      test('choose mine, and they are faster again: asked once more', async () => {
        await press(other, 'Edit Buy oat milk');
        await card(other).getByLabel('Text').fill('Four litres');
        await press(other, 'Save');
        // In the note: the patch in the form has it before it is saved.
        await card(other).locator('.body', { hasText: 'Four litres' }).waitFor();
        await choose(tab, 'Text', 'Mine');
        await conflict(tab).getByText('Four litres').waitFor();
        await choose(tab, 'Text', 'Mine');
        await saved(tab, 'Buy oat milk');
        expect(await example.stored('1')).toMatchObject({ title: 'Buy oat milk', body: 'Three litres' });
      });

      test('choose mine, and the API is gone: the form is there again, with what was written', async () => {
        await tab.route(`${example.api}/**`, (route) => route.fulfill({ status: 500 }));
        await choose(tab, 'Text', 'Mine');
        await card(tab).getByRole('alert').getByText('500: ').waitFor();
        expect(await card(tab).getByLabel('Text').inputValue()).toBe('Three litres');
        await tab.unroute(`${example.api}/**`);
        await press(tab, 'Save');
        await choose(tab, 'Text', 'Mine');
        await saved(tab, 'Buy oat milk');
      });
    });

    test('a tag that both have replaced: the list is asked for, and kept as one has it', async () => {
      await card(tab).getByLabel('Tags').fill('mine');
      await otherSaves({ Tags: 'theirs' });
      await press(tab, 'Save');
      await conflict(tab).waitFor();
      expect(await conflict(tab).locator('legend').allInnerTexts()).toEqual([
        'Tags: both of you have changed the list',
      ]);
      await choose(tab, 'Tags', 'Mine');
      await saved(tab, 'Buy milk');
      expect(await example.stored('1')).toMatchObject({ tags: ['mine'] });
    });

    test('several fields: each has its own choice', async () => {
      await card(tab).getByLabel('Title').fill('Buy soy milk');
      await otherSaves({ Title: 'Buy oat milk', Text: '' });
      await press(tab, 'Save');
      await conflict(tab).waitFor();
      expect(await conflict(tab).locator('.version').nth(2).innerText()).toMatch(/Theirs\s+none/);
      await conflict(tab).getByRole('group', { name: 'Title' }).getByLabel('Mine').check();
      await choose(tab, 'Text', 'Theirs');
      await saved(tab, 'Buy soy milk');
      expect(await example.stored('1')).toEqual({ id: '1', title: 'Buy soy milk', tags: ['home'] });
    });
  });

  describe('somebody deletes what is being edited', () => {
    beforeEach(async () => {
      await edit(tab, { Title: 'Buy oat milk' });
      await example.notes.delete('1');
      await press(tab, 'Save');
      await gone(tab).waitFor();
    });

    test('discard my changes: it goes', async () => {
      await press(tab, 'Discard my changes');
      await tab.getByText('There are no notes yet.').waitFor();
    });

    test('restore it: it is there, as I left it', async () => {
      await press(tab, 'Restore it');
      await card(tab).getByRole('status').getByText('Restored.').waitFor();
      expect(await example.stored('1')).toEqual({ ...milk, title: 'Buy oat milk' });
    });

    describe('restore it, and somebody has put another there', () => {
      beforeEach(async () => {
        await example.notes.replace('1', null, { id: '1', title: 'Another' });
        await press(tab, 'Restore it');
        await conflict(tab).getByText('Another').waitFor();
      });

      test('that one stays, and can be taken', async () => {
        expect(await example.stored('1')).toEqual({ id: '1', title: 'Another' });
        await choose(tab, 'Title', 'Theirs');
        await card(tab).getByRole('heading', { name: 'Another' }).waitFor();
      });

      test('what I changed can be kept on top of it', async () => {
        await choose(tab, 'Title', 'Mine');
        await saved(tab, 'Buy oat milk');
        expect(await example.stored('1')).toEqual({ id: '1', title: 'Buy oat milk' });
      });
    });
  });
});
