import type { Page } from 'playwright-core';
import { describeExamplePage } from '../../../support/example-page';
import { benSaves, card, conflict, edit, person, press, saved } from './note-cards';

const milk = { id: '1', title: 'Buy milk', body: 'Two litres', tags: ['home'] };

describeExamplePage('two people edit one note, side by side', [milk], (example) => {
  let tab: Page;

  const said = (name: 'Ada' | 'Ben') => person(tab, name).locator('.cards > .card').getByRole('status');
  const marked = (name: 'Ada' | 'Ben') => person(tab, name).locator('.changed').allInnerTexts();
  const focused = (what: string): Promise<unknown> => tab.evaluate(`document.activeElement.${what}`);
  const width = () => tab.evaluate('document.documentElement.scrollWidth');

  describe('as the page opens', () => {
    afterEach(() => tab.context().close());

    test('it says what it is about, with the note in two forms, each read by a client of its own', async () => {
      const asked: string[] = [];
      tab = await example.tab();
      tab.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (request.url().startsWith(example.api)) asked.push(`${request.method()} ${pathname}`);
      });
      await tab.reload();
      expect(await tab.getByRole('heading', { level: 1 }).innerText()).toBe(
        'Two people edit one note. Nothing is lost.',
      );
      for (const name of ['Ada', 'Ben'] as const)
        expect(await person(tab, name).getByLabel('Title').inputValue()).toBe('Buy milk');
      expect(asked.filter((request) => request === 'GET /notes/1')).toHaveLength(2);
      expect(await focused('tagName')).toBe('BODY');
    });

    test.each([
      { viewport: { width: 1280, height: 800 }, isBeside: true },
      { viewport: { width: 768, height: 1024 }, isBeside: true },
      { viewport: { width: 320, height: 640 }, isBeside: false },
    ])('in $viewport.width pixels, the second form is beside the first: $isBeside', async (row) => {
      tab = await example.visitor({ viewport: row.viewport });
      const [ada, ben] = await Promise.all(
        (['Ada', 'Ben'] as const).map((name) => person(tab, name).boundingBox()),
      );
      expect(ben?.y === ada?.y).toBe(row.isBeside);
      expect(await width()).toBe(row.viewport.width);
    });

    test('keys alone: Ada changes the title, Ben the text, and Ben is told of the title', async () => {
      tab = await example.visitor();
      const tabTo = async (label: string): Promise<void> => {
        do await tab.keyboard.press('Tab');
        while ((await focused('labels?.[0]?.firstChild.textContent')) !== label);
      };
      await tabTo('Title');
      await tab.keyboard.type('Buy oat milk');
      await tab.keyboard.press('Enter');
      await saved(tab, 'Buy oat milk');
      expect(await focused('ariaLabel')).toBe('Edit Buy oat milk');
      await tabTo('Text');
      await tab.keyboard.press('ControlOrMeta+A');
      await tab.keyboard.type('Three litres');
      await tab.keyboard.press('ControlOrMeta+Enter');
      await said('Ben').getByText('Saved, with the title that somebody else changed.').waitFor();
      expect(await focused('ariaLabel')).toBe('Edit Buy oat milk');
      expect(await example.stored('1')).toMatchObject({ title: 'Buy oat milk', body: 'Three litres' });
    });

    test('320 pixels are enough for the merge, the conflict and the outage', async () => {
      tab = await example.tab({ viewport: { width: 320, height: 640 } });
      await edit(tab, { Title: 'Buy oat milk', Text: 'x'.repeat(80) });
      await benSaves(tab, { Text: 'y'.repeat(80), Tags: 'home, shop' });
      await press(tab, 'Save');
      await conflict(tab).waitFor();
      expect(await width()).toBe(320);
      await conflict(tab).getByLabel('Mine').check();
      await tab.context().setOffline(true);
      await press(conflict(tab), 'Save');
      await said('Ada').getByText('The API is not responding.').waitFor();
      expect(await width()).toBe(320);
      await tab.context().setOffline(false);
      await saved(tab, 'Buy oat milk');
      expect(await said('Ada').innerText()).toBe(
        'Saved after all, with the tags that somebody else changed.',
      );
      expect(await width()).toBe(320);
    });
  });

  describe('whoever saves second', () => {
    beforeEach(async () => {
      tab = await example.shared();
    });

    test('is told first what is new, and then what it was merged with; so is the other', async () => {
      const answers: number[] = [];
      const answered = (response: { status(): number; request(): { method(): string } }) => {
        if (response.request().method() === 'PATCH') answers.push(response.status());
      };
      await edit(tab, { Title: 'Buy oat milk' });
      await edit(tab, { Text: 'Three litres' }, 'Ben');
      tab.on('response', answered);
      await press(person(tab, 'Ada'), 'Save');
      await saved(tab, 'Buy oat milk');
      expect(await said('Ada').innerText()).toBe('Saved.');
      await said('Ben').getByText('Somebody else changed the title.').waitFor();
      expect(await person(tab, 'Ben').getByLabel('Title').inputValue()).toBe('Buy milk');

      await press(person(tab, 'Ben'), 'Save');
      await said('Ben').getByText('Saved, with the title that somebody else changed.').waitFor();
      expect(await marked('Ben')).toEqual(['Buy oat milk']);
      await said('Ada').getByText('Somebody else changed the text.').waitFor();
      expect(await marked('Ada')).toEqual(['Three litres']);
      tab.off('response', answered);
      expect(answers).toEqual([200, 412, 200]);
      expect(await example.stored('1')).toEqual({ ...milk, title: 'Buy oat milk', body: 'Three litres' });
    });

    test.each([
      {
        first: { Title: 'Oats', Tags: 'home, shop' },
        second: { Text: 'One' },
        expected: 'Saved, with the title and the tags that somebody else changed.',
      },
      {
        first: { Tags: 'home, shop' },
        second: { Tags: 'urgent, home' },
        expected: 'Saved, with the tags that somebody else changed.',
      },
      {
        first: { Title: 'Oats' },
        second: { Title: 'Oats' },
        expected: 'Somebody else has made the same change.',
      },
      { first: { Text: '' }, second: {}, expected: 'You changed nothing. Somebody else changed the text.' },
    ])('$expected', async ({ first, second, expected }) => {
      await edit(tab, second);
      await benSaves(tab, first);
      await press(tab, 'Save');
      await said('Ada').getByText(expected, { exact: true }).waitFor();
    });

    test('and has changed nothing that is new, is told so', async () => {
      await edit(tab, {});
      await press(tab, 'Save');
      await said('Ada').getByText('You changed nothing.', { exact: true }).waitFor();
    });

    test('is asked about the same field, in a panel that has the focus, and gives it back', async () => {
      await edit(tab, { Text: 'Three litres' });
      await benSaves(tab, { Text: 'One litre' });
      await card(tab).getByLabel('Text').focus();
      await tab.keyboard.press('ControlOrMeta+Enter');
      await conflict(tab).waitFor();
      expect(await conflict(person(tab, 'Ben')).count()).toBe(0);
      expect(await focused('role')).toBe('group');
      expect(await conflict(tab).getByRole('heading').innerText()).toBe(
        'Somebody else changed “Buy milk” too',
      );
      expect(await conflict(tab).locator('.original').innerText()).toMatch(/^Original\s+Two litres$/);
      await tab.keyboard.press('Tab');
      await tab.keyboard.press('ArrowDown');
      expect(await focused('value')).toBe('mine');
      await tab.keyboard.press('Enter');
      await saved(tab, 'Buy milk');
      expect(await focused('ariaLabel')).toBe('Edit Buy milk');
      await said('Ben').getByText('Somebody else changed the text.').waitFor();
      expect(await marked('Ben')).toEqual(['Three litres']);
    });

    test('is told when the other has deleted the note', async () => {
      await edit(tab, { Text: 'Three litres' });
      await edit(tab, {}, 'Ben');
      await press(person(tab, 'Ben'), 'Delete');
      await press(person(tab, 'Ben'), 'Confirm delete');
      await said('Ada').getByText('Somebody else deleted this note.').waitFor();
      expect(await card(tab).getByLabel('Text').inputValue()).toBe('Three litres');
    });
  });
});
