import type { CDPSession, Page } from 'playwright-core';
import { describeExamplePage } from '../../../support/example-page';
import { benSaves, card, conflict, edit, person, press, saved } from './note-cards';

const milk = { id: '1', title: 'Buy milk', body: 'Two litres', tags: ['home'] };
const long = { id: '2', title: 'x'.repeat(200), body: 'y'.repeat(400), tags: ['z'.repeat(90)] };

interface AxNode {
  readonly ignored: boolean;
  readonly role?: { value: string };
  readonly name?: { value: string };
  readonly properties?: readonly { name: string; value: { value: unknown } }[];
}

/** What can have the focus and has no name that a screen reader could say. */
async function nameless(tab: Page): Promise<readonly string[]> {
  const session: CDPSession = await tab.context().newCDPSession(tab);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: readonly AxNode[] };
  return nodes
    .filter(({ ignored, properties = [] }) => !ignored && properties.some(({ name }) => name === 'focusable'))
    .filter(({ name }) => (name?.value ?? '') === '')
    .map(({ role }) => role?.value ?? '');
}

/** The visible controls that are lower or narrower than 44 pixels; a radio button is pressed by its label. */
function tooSmall(tab: Page): Promise<unknown> {
  return tab.evaluate(`[...document.querySelectorAll('a, button, input:not([type=radio]), textarea, select, summary, label:has(input)')]
    .filter((control) => control.checkVisibility())
    .map((control) => [control, control.getBoundingClientRect()])
    .filter(([, { width, height }]) => width < 44 || height < 44)
    .map(([control, { width, height }]) => control.outerHTML.slice(0, 80) + ': ' + width + ' x ' + height)`);
}

/** The visible texts whose contrast (WCAG 2.2, 1.4.3) is below 4.5:1, but for controls that are disabled. */
function weakTexts(tab: Page): Promise<unknown> {
  return tab.evaluate(`(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const parse = (color) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      return [[red, green, blue], alpha / 255];
    };
    const over = (below, [color, alpha]) => color.map((part, i) => part * alpha + below[i] * (1 - alpha));
    const around = (element) => (element === null ? [] : [...around(element.parentElement), element]);
    const luminance = (color) => {
      const [red, green, blue] = color
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const hasText = ({ nodeName, childNodes }) =>
      ['INPUT', 'TEXTAREA', 'SELECT'].includes(nodeName) ||
      [...childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '');
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility() && hasText(element) && !element.matches(':disabled, :disabled *'))
      .map((element) => {
        const styles = around(element).map((one) => getComputedStyle(one));
        const below = styles.map(({ backgroundColor }) => parse(backgroundColor)).reduce(over, [255, 255, 255]);
        const opacity = styles.reduce((product, style) => product * style.opacity, 1);
        const [color, alpha] = parse(styles.at(-1).color);
        const [light, dark] = [over(below, [color, alpha * opacity]), below].map(luminance).sort((a, b) => b - a);
        return [(light + 0.05) / (dark + 0.05), element.outerHTML.slice(0, 80)];
      })
      .filter(([contrast]) => contrast < 4.5);
  })()`);
}

describeExamplePage(
  'the page for whoever has no mouse, no wide screen, no light or no patience',
  [milk, long],
  (example) => {
    let tab: Page;

    afterEach(async () => {
      await tab.context().close();
      expect(example.said.filter((line) => line.includes('Content Security Policy'))).toEqual([]);
    });

    const focused = (what = 'textContent'): Promise<unknown> =>
      tab.evaluate(`document.activeElement.${what}`);

    async function openConflict(): Promise<void> {
      await edit(tab, { Text: 'Three litres' });
      await benSaves(tab, { Text: 'One litre' });
      await card(tab).getByLabel('Text').focus();
      await tab.keyboard.press('ControlOrMeta+Enter');
      await conflict(tab).waitFor();
    }

    /** On the page as it opens, with the first note in the form of both people. */
    async function openConflictBetweenPeople(): Promise<void> {
      for (const name of ['Ada', 'Ben'] as const) {
        await person(tab, name).getByLabel('Title').fill(`The title of ${name}`);
        await press(person(tab, name), 'Save');
      }
      await conflict(person(tab, 'Ben')).waitFor();
    }

    test('keys alone edit, save, cancel and resolve', async () => {
      tab = await example.visitor();
      await tab.keyboard.press('Tab');
      expect(await focused()).toBe('Skip to the notes');
      await tab.keyboard.press('Enter');
      for (let stop = 0; stop < 3; stop++) await tab.keyboard.press('Tab');
      expect(await focused('name')).toBe('title');
      await tab.keyboard.press('Escape');
      expect(await focused('ariaLabel')).toBe('Edit Buy milk');

      await tab.keyboard.press('Enter');
      await card(tab).getByLabel('Title').waitFor();
      await tab.keyboard.type('!');
      await tab.keyboard.press('Escape');
      await tab.getByText('Press Escape again').waitFor();
      await tab.keyboard.press('Tab');
      expect(await focused('name')).toBe('body');
      await tab.keyboard.press('ControlOrMeta+Enter');
      await card(tab).getByText('Saved.').waitFor();
      expect((await example.stored('1'))?.title).toMatch(/!$/);
      expect(await focused('ariaLabel')).toMatch(/^Edit /);
    });

    test('a conflict has the focus, and the keys resolve it', async () => {
      tab = await example.tab();
      await openConflict();
      expect(await focused('role')).toBe('group');
      const ring = "getComputedStyle(document.activeElement.closest('.card')).outlineStyle";
      expect(await tab.evaluate(ring)).toBe('solid');
      await tab.keyboard.press('Tab');
      expect(await focused('value')).toBe('theirs');
      await tab.keyboard.press('ArrowRight');
      expect(await focused('value')).toBe('mine');
      await tab.keyboard.press('Enter');
      await saved(tab, 'Buy milk');
      expect(await focused('ariaLabel')).toBe('Edit Buy milk');
      expect((await example.stored('1'))?.body).toBe('Three litres');
    });

    test('every stop of the Tab key is seen', async () => {
      tab = await example.visitor();
      const unseen: unknown[] = [];
      let stops = 0;
      for (; stops < 80; stops++) {
        await tab.keyboard.press('Tab');
        if ((await focused('tagName')) === 'BODY') break;
        const seen = await tab.evaluate(`(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
      })()`);
        if (seen !== true) unseen.push(await focused('outerHTML'));
      }
      expect(unseen).toEqual([]);
      expect(stops).toBeGreaterThan(20);
    });

    test.each<{ readonly title: string; readonly prepare: (page: Page) => Promise<void> }>([
      { title: 'as it opens', prepare: () => Promise.resolve() },
      {
        title: 'while a note is edited',
        prepare: async (page) => {
          await edit(page, {});
          await card(page).locator('summary').click();
        },
      },
      { title: 'with a conflict', prepare: openConflict },
    ])('$title: whatever can have the focus has a name, and 390 pixels are enough', async ({ prepare }) => {
      tab = await example.tab({ viewport: { width: 390, height: 844 } });
      await prepare(tab);
      expect(await nameless(tab)).toEqual([]);
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(390);
    });

    test('a finger has 44 pixels for each control, and 360 pixels are enough', async () => {
      tab = await example.visitor({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
      await openConflictBetweenPeople();
      await tab.locator('.exchange').first().locator('summary').first().click();
      await tab.getByRole('button', { name: 'Copy as curl' }).first().waitFor();
      expect(await tooSmall(tab)).toEqual([]);
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(360);
    });

    test.each(['light', 'dark'] as const)(
      '%s: the contrast of all text is at least 4.5:1, of a conflict and of what the API refuses, too',
      async (colorScheme) => {
        tab = await example.visitor({ colorScheme });
        expect(await weakTexts(tab)).toEqual([]);
        await openConflictBetweenPeople();
        await tab.locator('[name="origin"][value="stranger"]').check();
        await press(tab, 'Send request');
        await tab.locator('#lab-result > .outcome').waitFor();
        expect(await weakTexts(tab)).toEqual([]);
      },
    );

    test('320 pixels are enough for a 412 in the panel, and for a title without a break in the announcement', async () => {
      tab = await example.tab({ viewport: { width: 320, height: 640 } });
      await openConflict();
      await tab.locator('.exchange').getByText('412 Precondition Failed').first().waitFor();
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(320);

      await press(tab, 'Discard my changes');
      await press(tab, 'New note');
      await tab.getByLabel('Title').fill('w'.repeat(120));
      await tab.keyboard.press('Enter');
      await tab.getByRole('status').getByText('Created: www').waitFor();
      const width = (side: string) => tab.evaluate(`document.getElementById('announcement').${side}`);
      expect(await width('scrollWidth')).toBe(await width('clientWidth'));
    });

    test.each(['light', 'dark'] as const)(
      'what %s placeholders say is as strong as any hint',
      async (colorScheme) => {
        tab = await example.tab({ colorScheme });
        await press(tab, 'New note');
        const style = (selector: string, pseudo: string) =>
          tab.evaluate(`(({ color, opacity }) => [color, opacity])(
        getComputedStyle(document.querySelector('${selector}'), '${pseudo}'))`);
        expect(await style('[name=tags]', '::placeholder')).toEqual(await style('.hint', ''));
      },
    );

    test('dark and light follow the system', async () => {
      const background = 'getComputedStyle(document.documentElement).backgroundColor';
      tab = await example.tab({ colorScheme: 'dark' });
      expect(await tab.evaluate(background)).toBe('rgb(18, 19, 22)');
      await tab.emulateMedia({ colorScheme: 'light' });
      expect(await tab.evaluate(background)).toBe('rgb(246, 245, 242)');
    });

    test.each([
      { reducedMotion: 'reduce', name: 'none' },
      { reducedMotion: 'no-preference', name: 'arrive' },
    ] as const)(
      'where motion is wanted $reducedMotion, an exchange comes with the animation $name',
      async ({ reducedMotion, name }) => {
        tab = await example.tab({ reducedMotion });
        await tab.locator('.exchange').first().waitFor();
        expect(
          await tab.evaluate("getComputedStyle(document.querySelector('.exchange')).animationName"),
        ).toBe(name);
      },
    );

    test('no note: the page says so, and how to write one', async () => {
      await example.reset();
      tab = await example.tab();
      await press(tab, 'Write the first note');
      await tab.getByLabel('Title').fill('Bread');
      await tab.keyboard.press('Enter');
      for (const name of ['Ada', 'Ben'] as const)
        await person(tab, name).getByRole('heading', { name: 'Bread' }).waitFor();
      expect(await tab.getByText('There are no notes yet.').count()).toBe(0);
    });

    test('no API: the page says so, the button that asked keeps the focus, and the notes stay', async () => {
      tab = await example.tab();
      await tab.context().setOffline(true);
      await card(tab).getByRole('button', { name: 'Edit Buy milk' }).press('Enter');
      await tab.locator('#outage').getByText(`The API at ${example.api} is not responding.`).waitFor();
      // The client sends it again for ten seconds.
      const said = tab.locator('.card').getByText('The API is not responding.');
      await said.waitFor();
      expect(await focused('ariaLabel')).toBe('Edit Buy milk');
      expect(await card(tab).getByRole('heading', { name: 'Buy milk' }).count()).toBe(1);
      await tab.context().setOffline(false);
      await said.waitFor({ state: 'detached' });
      await tab.locator('#outage:empty').waitFor({ state: 'attached' });
    });

    /** The texts in sight of which the contrast is less than WCAG 1.4.3 asks for (AA), with what it is. */
    const faint = (): Promise<unknown> =>
      tab.evaluate(`(() => {
        const channels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
        const luminance = (colour) => {
          const [r, g, b] = channels(colour).map((value) => value / 255)
            .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const behind = (element) => {
          const { backgroundColor } = getComputedStyle(element);
          return channels(backgroundColor)[3] === 0 ? behind(element.parentElement) : backgroundColor;
        };
        const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        return [...document.querySelectorAll('body *')]
          .filter((element) => element.checkVisibility() && !element.matches(':disabled, [aria-busy] *, .skip'))
          .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
          .map((element) => [element.textContent.slice(0, 40),
            contrast(luminance(getComputedStyle(element).color), luminance(behind(element)))])
          .filter(([, ratio]) => !(ratio >= 4.5));
      })()`);

    test.each(['light', 'dark'] as const)(
      'all text is told from what is behind it: %s',
      async (colorScheme) => {
        tab = await example.tab({ colorScheme });
        await openConflict();
        const headers = { 'Content-Type': 'application/merge-patch+json' };
        const body = '{"title":" ","nope":1}';
        await fetch(`${example.api}/notes/2?${colorScheme}`, { method: 'PATCH', headers, body });
        await tab
          .locator('.exchange', { hasText: `?${colorScheme}` })
          .locator('mark')
          .first()
          .waitFor();
        expect(await faint()).toEqual([]);
        await tab
          .locator('.exchange', { hasText: `?${colorScheme}` })
          .locator('summary')
          .click();
        await tab.locator('[name="origin"][value="stranger"]').check();
        await tab.getByRole('button', { name: 'Send request' }).click();
        await tab.locator('.outcome').waitFor();
        await press(tab, `Edit ${long.title}`);
        await card(tab, 1).locator('summary').click();
        await card(tab, 1).getByLabel('Text').fill('z');
        expect(await faint()).toEqual([]);
        await tab.reload();
        await tab.locator('.restored').first().waitFor();
        await tab.context().setOffline(true);
        example.cutConnections();
        await tab.locator('#outage:not(:empty)').waitFor();
        expect(await faint()).toEqual([]);
        await tab.context().setOffline(false);
      },
    );

    test('390 pixels are enough for all that an exchange has, for a draft and for an outage', async () => {
      tab = await example.tab({ viewport: { width: 390, height: 844 } });
      const headers = { 'Content-Type': 'application/json-patch+json' };
      const body = JSON.stringify([{ op: 'add', path: `/${'x'.repeat(90)}`, value: 'y'.repeat(300) }]);
      await fetch(`${example.api}/notes/1?${'q'.repeat(200)}`, { method: 'PATCH', headers, body });
      const exchange = tab.locator('.exchange', { hasText: '?qqq' });
      await exchange.locator('mark').first().waitFor();
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await exchange.locator('summary').click();
      await exchange.getByRole('button', { name: 'Copy as curl' }).waitFor();
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await edit(tab, { Title: 'w'.repeat(200) });
      await tab.reload();
      await tab.locator('.restored').waitFor();
      await tab.context().setOffline(true);
      example.cutConnections();
      await tab.locator('#outage:not(:empty)').waitFor();
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect(await nameless(tab)).toEqual([]);
      await tab.context().setOffline(false);
    });
  },
);
