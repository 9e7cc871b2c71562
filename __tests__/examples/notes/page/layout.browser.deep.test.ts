import type { Locator, Page } from 'playwright-core';
import { describeExamplePage } from '../../../support/example-page';
import { benSaves, card, conflict, edit, press, saved } from './note-cards';

const milk = { id: '1', title: 'Buy milk', body: 'Two litres\n'.repeat(20) };
const bread = { id: '2', title: 'Bread', body: 'Rye\n'.repeat(20) };
const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

describeExamplePage('what is in view', [milk, bread], (example) => {
  let tab: Page;

  afterEach(() => tab.context().close());

  /** Whether all of it is in the window, and none of it under what stays at the top. */
  async function isInView(shown: Locator): Promise<boolean> {
    const box = await shown.boundingBox();
    const top = await tab.locator('.top').boundingBox();
    const { height = 0 } = tab.viewportSize() ?? {};
    if (box === null || top === null) return false;
    // Where it has not been scrolled there yet, it is far below.
    const covered = top.y <= 0 ? top.height : 0;
    return box.y >= covered && box.y + box.height <= height;
  }

  test.each([
    { title: 'what came of a request that is sent by a button at the lower edge', viewport: desktop },
    { title: 'the same on a phone', viewport: phone },
  ])('$title', async ({ viewport }) => {
    tab = await example.tab({ viewport });
    await tab.locator('[name="origin"][value="stranger"]').check();
    const send = tab.getByRole('button', { name: 'Send request' });
    await send.evaluate((button: { scrollIntoView: (how: object) => void }) => {
      button.scrollIntoView({ block: 'end' });
    });
    await send.click();
    await tab.locator('#lab-result > .outcome').waitFor();
    expect(await isInView(tab.locator('#lab-result'))).toBe(true);
  });

  test('on a phone: both editors are named at the top, and exchanges do not make the page longer', async () => {
    tab = await example.tab({ viewport: { width: 375, height: 667 } });
    const links = tab.getByRole('navigation').getByRole('link');
    expect(await links.allTextContents()).toEqual(['Ada', 'Ben', 'Preflights', 'Exchanges']);
    await card(tab, 1).waitFor();
    const send = tab.getByRole('button', { name: 'Send request' });
    for (let sent = 0; sent < 6; sent++) {
      await send.click();
      await tab.locator('#lab-result > .outcome').waitFor();
    }
    const list = await tab.locator('#exchange-list').boundingBox();
    expect(list?.height).toBeLessThanOrEqual(0.75 * 667 + 1);
  });

  test('on a phone: the heading that a link leads to, also when the page is opened by it', async () => {
    tab = await example.tab({ viewport: phone });
    for (const [name, heading] of [
      ['Exchanges', 'Exchanges'],
      ['Preflights', 'Make a preflight fail'],
      ['Ben', 'Ben'],
      ['Ada', 'Ada'],
    ] as const) {
      await tab.getByRole('navigation').getByRole('link', { name }).click();
      expect([name, await isInView(tab.getByRole('heading', { name: heading, exact: true }))]).toEqual([
        name,
        true,
      ]);
    }
    for (const [anchor, heading] of [
      ['exchanges', 'Exchanges'],
      ['lab', 'Make a preflight fail'],
    ] as const) {
      await tab.goto('about:blank');
      await tab.goto(`${example.url}/#${anchor}`);
      await card(tab, 1).waitFor();
      await tab.locator('.exchange').first().waitFor();
      expect([anchor, await isInView(tab.getByRole('heading', { name: heading, exact: true }))]).toEqual([
        anchor,
        true,
      ]);
    }
  });

  test('on a phone: the label of the field that has the focus, the heading of a question, and the note that was saved', async () => {
    tab = await example.tab({ viewport: phone });
    await press(tab, 'Edit Bread');
    await card(tab, 1).getByLabel('Title').waitFor();
    expect(await isInView(card(tab, 1).getByText('Title', { exact: true }))).toBe(true);
    const { version = null } = (await example.notes.get('2')) ?? {};
    await example.notes.replace('2', version, { ...bread, body: 'Wheat\n'.repeat(20) });
    await card(tab, 1).getByLabel('Text').fill('Rolls\n'.repeat(30));
    await press(tab, 'Save');
    await conflict(tab).waitFor();
    expect(await isInView(conflict(tab).getByRole('heading'))).toBe(true);
    await conflict(tab).getByLabel('Mine').check();
    await press(conflict(tab), 'Save');
    await saved(tab, 'Bread');
    expect(await isInView(card(tab, 1).getByRole('heading'))).toBe(true);
  });

  test('one button leads at a time', async () => {
    tab = await example.tab({ viewport: desktop });
    /** The buttons that are filled with the colour of the primary ones. */
    const leading = async (): Promise<readonly string[]> => {
      const names: unknown = await tab.evaluate(`(() => {
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.background = 'var(--accent)';
        const { backgroundColor } = getComputedStyle(probe);
        probe.remove();
        return [...document.querySelectorAll('button')]
          .filter((button) => button.checkVisibility() && getComputedStyle(button).backgroundColor === backgroundColor)
          .map(({ textContent }) => textContent);
      })()`);
      return names as readonly string[];
    };
    expect(await leading()).toEqual([]);
    await edit(tab, { Text: 'x' });
    expect(await leading()).toEqual(['Save']);
    await benSaves(tab, { Text: 'y' });
    await press(tab, 'Save');
    await conflict(tab).waitFor();
    expect(await leading()).toEqual(['Save']);
    await press(tab, 'Discard my changes');
    await tab.getByText('None of your changes').waitFor();
    await press(tab, 'New note');
    expect(await leading()).toEqual(['Create']);
    await example.reset();
    await example.show(tab);
    expect(await leading()).toEqual(['Write the first note', 'Write the first note']);
  });
});
