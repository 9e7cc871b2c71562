import type { Locator, Page } from 'playwright-core';
import { describeInChromium } from '../../support/chromium';
import { ExamplePage } from '../../support/example-page';

const milk = { id: '1', title: 'Buy milk', body: 'Two litres', tags: ['home'] };

/** The card of a note, by its place in the list. */
const card = (tab: Page, at = 0): Locator => tab.locator('#note-list > li').nth(at);
const press = (within: Page | Locator, name: string): Promise<void> =>
  within.getByRole('button', { name, exact: true }).click();

async function edit(tab: Page, changes: { Title?: string; Text?: string; Tags?: string }): Promise<void> {
  await card(tab).getByRole('button', { name: /^Edit/ }).click();
  for (const [label, value] of Object.entries(changes)) await card(tab).getByLabel(label).fill(value);
}

/** A browser on a machine that is shared takes its time. */
jest.setTimeout(30_000);

describeInChromium('the page of the example, in a browser', () => {
  const example = new ExamplePage();
  let tab: Page;

  beforeAll(() => example.open(), 60_000);
  afterAll(() => example.close());
  beforeEach(async () => {
    await example.reset(milk);
    tab = await example.tab();
  });
  afterEach(async () => {
    await tab.context().close();
    expect(example.faults).toEqual([]);
  });

  const conflict = (page: Page): Locator => page.getByRole('group', { name: '412 Precondition Failed' });
  const saved = (page: Page, title: string): Promise<void> =>
    page.getByRole('status').getByText(`Saved: ${title}`).waitFor();

  describe('editing', () => {
    test('sends what was changed as JSON Patch, and shows it before', async () => {
      await edit(tab, { Title: 'Buy oat milk', Text: '' });
      expect(await card(tab).getByLabel('The patch document').innerText()).toBe(
        '[\n  {"op":"replace","path":"/title","value":"Buy oat milk"},\n  {"op":"remove","path":"/body"}\n]',
      );
      await press(tab, 'Save');
      await saved(tab, 'Buy oat milk');
      expect(await example.stored('1')).toEqual({ id: '1', title: 'Buy oat milk', tags: ['home'] });
    });

    test('shows in the panel what the API saw: preflight, Allow, Accept-Patch, the tag before and after', async () => {
      await press(tab, 'Clear');
      const before = (await fetch(`${example.api}/notes/1`)).headers.get('etag') ?? '';
      await edit(tab, { Title: 'Buy oat milk' });
      await press(tab, 'Save');
      await saved(tab, 'Buy oat milk');
      const after = (await fetch(`${example.api}/notes/1`)).headers.get('etag') ?? '';
      const shown = tab.locator('.exchange');

      const patch = await shown.filter({ hasText: 'If-Match (before)' }).innerText();
      expect(patch).toMatch(/^PATCH\s+\/notes\/1\s+200 OK/);
      expect(patch).toMatch(/Preflight\s+200 OK/);
      expect(patch).toContain('PATCH with content-type, if-match, prefer');
      expect(patch).toMatch(/Request\s+200 OK/);
      expect(patch).toMatch(/If-Match \(before\)\s+(".*")\s+ETag \(after\)\s+(".*")/);
      expect([before, after].every((tag) => patch.includes(tag)) && before !== after).toBe(true);

      const options = await shown
        .filter({ has: tab.getByText('OPTIONS', { exact: true }) })
        .first()
        .innerText();
      expect(options).toMatch(/^OPTIONS\s+\/notes\/1\s+200 OK/);
      expect(options).toMatch(/Allow\s+DELETE, GET, HEAD, OPTIONS, PATCH, PUT/);
      expect(options).toMatch(/Accept-Patch\s+application\/json-patch\+json/);
    });

    test('leaves alone what nobody touched, also what a form cannot hold', async () => {
      const odd = { id: '1', title: 'Odd', body: 'one\r\ntwo', tags: [' a, b'] };
      await example.reset(odd);
      await press(tab, 'Reload');
      await card(tab).getByRole('heading', { name: 'Odd' }).waitFor();
      await edit(tab, { Title: 'Even' });
      await press(tab, 'Save');
      await saved(tab, 'Even');
      expect(await example.stored('1')).toEqual({ ...odd, title: 'Even' });
    });

    test('creates, and deletes by two presses', async () => {
      await press(tab, 'New note');
      await tab.getByLabel('Title').fill('Bread');
      await tab.getByRole('textbox', { name: 'Tags' }).fill('home, , shop ');
      await press(tab, 'Create');
      await card(tab, 1).getByRole('heading', { name: 'Bread' }).waitFor();
      const [, { value: bread } = { value: undefined }] = [...example.notes.entries()][1] ?? [];
      expect(bread).toMatchObject({ title: 'Bread', tags: ['home', 'shop'] });

      await press(card(tab, 1), 'Edit Bread');
      await press(tab, 'Delete');
      expect(await example.stored(bread?.id ?? '')).toBeDefined();
      await press(tab, 'Delete for good');
      await card(tab, 1).waitFor({ state: 'detached' });
      expect(await example.stored(bread?.id ?? '')).toBeUndefined();
    });

    test('tells that no answer came, and keeps what was written', async () => {
      await edit(tab, { Title: 'Bread' });
      await tab.context().setOffline(true);
      await press(tab, 'Save');
      await card(tab).getByRole('alert').getByText(`No answer came from ${example.api}.`).waitFor();
      await tab.context().setOffline(false);
      await press(tab, 'Save');
      await saved(tab, 'Bread');
    });

    test('shows markup as the text that it is', async () => {
      const title = '<img src=x onerror=alert(1)><script>alert(2)</script>';
      await example.reset({ id: '1', title, body: title, tags: [title] });
      await press(tab, 'Reload');
      await card(tab).getByRole('heading', { name: title }).waitFor();
      await edit(tab, { Title: `${title}!` });
      await press(tab, 'Let somebody else save first');
      await press(tab, 'Save');
      await conflict(tab).waitFor();
      expect(await conflict(tab).getByText(`${title}!`).count()).toBe(1);
      expect(await tab.locator('main img, main script').count()).toBe(0);
    });
  });

  describe('two tabs edit one note: the second to save gets 412, and neither loses', () => {
    let other: Page;

    beforeEach(async () => {
      other = await example.tab();
      await edit(tab, { Text: 'Three litres' });
      await edit(other, { Title: 'Buy oat milk', Text: 'One litre' });
      await press(other, 'Save');
      await saved(other, 'Buy oat milk');
      await press(tab, 'Save');
      await conflict(tab).waitFor();
    });
    afterEach(() => other.context().close());

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

    test('keep mine, and somebody has put another there: that one stays', async () => {
      await example.notes.replace('1', null, { id: '1', title: 'Another' });
      await press(tab, 'Keep mine');
      await gone(tab).getByRole('alert').getByText('412').waitFor();
      expect(await example.stored('1')).toEqual({ id: '1', title: 'Another' });
    });
  });
});
