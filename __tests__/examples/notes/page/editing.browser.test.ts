import { EventEmitter, once } from 'node:events';
import type { Page } from 'playwright-core';
import { describeExamplePage } from '../../../support/example-page';
import { benSaves, card, conflict, edit, press, saved } from './note-cards';

const milk = { id: '1', title: 'Buy milk', body: 'Two litres', tags: ['home'] };

describeExamplePage('editing on the page of the example', [milk], (example) => {
  let tab: Page;

  beforeEach(async () => {
    tab = await example.shared();
  });

  test('sends what was changed as JSON Patch, and shows it before', async () => {
    await edit(tab, { Title: 'Buy oat milk', Text: '' });
    await card(tab).getByText('What Save sends 2 operations').click();
    expect(await card(tab).getByLabel('The patch').innerText()).toBe(
      [
        '[',
        '  {',
        '    "op": "replace",',
        '    "path": "/title",',
        '    "value": "Buy oat milk"',
        '  },',
        '  {"op": "remove", "path": "/body"}',
        ']',
      ].join('\n'),
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
    expect(patch).toMatch(/Preflight\s+2\d\d /);
    expect(patch).toContain('PATCH with content-type, idempotency-key, if-match, prefer');
    expect(patch).toMatch(/Request\s+200 OK/);
    expect(patch).toMatch(/If-Match \(before\)\s+".*"\s+Idempotency-Key\s+".*"\s+ETag \(after\)\s+".*"/);
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
    await press(tab, 'Confirm delete');
    await card(tab, 1).waitFor({ state: 'detached' });
    expect(await example.stored(bread?.id ?? '')).toBeUndefined();
  });

  test('a double click on Delete is one press', async () => {
    await edit(tab, {});
    await card(tab).getByRole('button', { name: 'Delete' }).dblclick();
    await press(tab, 'Cancel');
    await card(tab).getByRole('heading', { name: 'Buy milk' }).waitFor();
    expect(await example.stored('1')).toEqual(milk);
  });

  test('a title of blanks is refused as an empty one is', async () => {
    for (const Title of ['', '   ']) {
      await edit(tab, { Title });
      await press(tab, 'Save');
      const message = tab.evaluate("document.querySelector('input:invalid').validationMessage");
      expect(await message).toBe('Title cannot be blank.');
      await press(tab, 'Cancel');
    }
    expect(await example.stored('1')).toEqual(milk);
  });

  test('what the API refuses is said in the form, and marked in the patch until it is changed', async () => {
    await edit(tab, { Title: 'Buy oat milk', Tags: 'home, shop, home' });
    await press(tab, 'Save');
    await card(tab).getByRole('alert').getByText('Each tag can be listed only once.').waitFor();
    const marks = card(tab).getByLabel('The patch').locator('mark');
    await card(tab).getByText('What Save sends').click();
    expect(await marks.allInnerTexts()).toEqual(['"home"']);
    await card(tab).getByLabel('Tags').fill('home, shop');
    expect([await marks.count(), await card(tab).locator('.problem').innerText()]).toEqual([0, '']);
    await press(tab, 'Save');
    await saved(tab, 'Buy oat milk');
  });

  test('what the API refuses to create is said in the form, which stays', async () => {
    await press(tab, 'New note');
    await tab.getByLabel('Title').fill('Bread');
    await tab.getByRole('textbox', { name: 'Tags' }).fill('a, a');
    await press(tab, 'Create');
    await tab.getByRole('alert').getByText('Each tag can be listed only once.').waitFor();
    expect(await tab.getByLabel('Title').inputValue()).toBe('Bread');
    expect([...example.notes.entries()]).toHaveLength(1);
  });

  test('a change that was made without a connection is sent when there is one', async () => {
    await edit(tab, { Title: 'Bread' });
    await tab.context().setOffline(true);
    const failed = tab.waitForEvent('requestfailed');
    await press(tab, 'Save');
    await failed;
    await tab.context().setOffline(false);
    await saved(tab, 'Bread');
  });

  test('an answer that is lost: the change is sent again under its key, and was made once', async () => {
    const keys: (string | undefined)[] = [];
    let made: string | undefined;
    await tab.route(`${example.api}/notes/1`, async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      made = (await route.fetch()).headers()['etag'];
      return route.abort();
    });
    await edit(tab, { Title: 'Buy oat milk' });
    await press(tab, 'Save');
    await saved(tab, 'Buy oat milk');
    await tab.unroute(`${example.api}/notes/1`);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect((await fetch(`${example.api}/notes/1`)).headers.get('etag')).toBe(made);
  });

  test('sends a change once, however often one presses, and is not left meanwhile', async () => {
    const replace = example.notes.replace.bind(example.notes);
    const release = new EventEmitter();
    const released = once(release, 'now');
    let writes = 0;
    example.notes.replace = async (...given) => {
      writes++;
      await released;
      return replace(...given);
    };
    await edit(tab, { Title: 'Bread' });
    for (let presses = 0; presses < 2; presses++) await tab.keyboard.press('Enter');
    for (let presses = 0; presses < 2; presses++) await tab.keyboard.press('Escape');
    await press(tab, 'Cancel');
    expect(await card(tab).getByLabel('Title').inputValue()).toBe('Bread');
    release.emit('now');
    await saved(tab, 'Bread');
    expect(writes).toBe(1);
  });

  test('a list that is loaded again takes no focus and no text away', async () => {
    await example.notes.replace('2', null, { id: '2', title: 'Bread' });
    await edit(tab, { Title: 'Buy oat milk' });
    await tab.evaluate("document.querySelector('.person button').click()");
    await card(tab, 1).getByRole('heading', { name: 'Bread' }).waitFor();
    expect(await card(tab).getByLabel('Title').inputValue()).toBe('Buy oat milk');
    expect(await tab.evaluate('document.activeElement.name')).toBe('title');

    await card(tab, 1).getByRole('button', { name: 'Edit Bread' }).focus();
    const bread = await example.notes.get('2');
    await example.notes.replace('2', bread?.version ?? null, { id: '2', title: 'Rolls' });
    await tab.evaluate("document.querySelector('.person button').click()");
    await card(tab, 1).getByRole('heading', { name: 'Rolls' }).waitFor();
    expect(await tab.evaluate('document.activeElement.ariaLabel')).toBe('Edit Rolls');
  });

  test('shows markup as the text that it is', async () => {
    const title = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    await example.reset({ id: '1', title, body: title, tags: [title] });
    await press(tab, 'Reload');
    await card(tab).getByRole('heading', { name: title }).waitFor();
    await edit(tab, { Title: `${title}!` });
    await card(tab).getByLabel('Text').fill(`${title}?`);
    await benSaves(tab, { Text: `${title}.` });
    await press(tab, 'Save');
    await conflict(tab).waitFor();
    expect(await conflict(tab).getByText(`${title}?`).count()).toBe(1);
    expect(await conflict(tab).getByRole('heading').innerText()).toContain(title);
    expect(await tab.locator('main img, main script').count()).toBe(0);
  });
});
