import type { Page, Request, Route } from 'playwright-core';
import { describeExamplePage } from '../../../support/example-page';
import { card, edit, press, saved } from './note-cards';

const milk = { id: '1', title: 'Buy milk' };

describeExamplePage('answers that overtake each other', [milk], (example) => {
  let tab: Page;

  beforeEach(async () => {
    tab = await example.shared();
  });

  /** Sends the next request of this method to /notes, and keeps its answer back until that is released. */
  async function holdNext(method: string) {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let took = (): void => undefined;
    const taken = new Promise<void>((resolve) => (took = resolve));
    let held: Request | undefined;
    await tab.route(`${example.api}/notes`, async (route: Route) => {
      if (held !== undefined || route.request().method() !== method) return route.continue();
      held = route.request();
      const response = await route.fetch();
      took();
      await released;
      return route.fulfill({ response });
    });
    return {
      taken,
      /** Resolves when the page knows the answer, and has asked for all that it wants to know besides. */
      async release(): Promise<void> {
        const answered = tab.waitForEvent('requestfinished', (request) => request === held);
        release();
        await answered;
        await tab.locator('.person:first-child .cards:not([aria-busy])').waitFor({ state: 'attached' });
        await tab.unroute(`${example.api}/notes`);
      },
    };
  }

  const titles = () => tab.locator('.person:first-child h3').allInnerTexts();

  async function create(title: string): Promise<void> {
    await press(tab, 'New note');
    await tab.getByLabel('Title').fill(title);
    await press(tab, 'Create');
  }

  test('a list from before a note was created does not take it away', async () => {
    const list = await holdNext('GET');
    await press(tab, 'Reload');
    await list.taken;
    await create('Bread');
    await tab.getByText('Created: Bread').waitFor();
    await list.release();
    expect(await titles()).toEqual(['Buy milk', 'Bread']);
  });

  test('a list from before a note was saved does not bring the old title back', async () => {
    const list = await holdNext('GET');
    await press(tab, 'Reload');
    await list.taken;
    await edit(tab, { Title: 'Buy oat milk' });
    await press(tab, 'Save');
    await saved(tab, 'Buy oat milk');
    await list.release();
    expect(await titles()).toEqual(['Buy oat milk']);
  });

  test('a list from before a note was deleted does not bring it back', async () => {
    const list = await holdNext('GET');
    await press(tab, 'Reload');
    await list.taken;
    await edit(tab, {});
    await press(tab, 'Delete');
    await press(tab, 'Confirm delete');
    await tab.getByText('Deleted.').waitFor();
    await list.release();
    expect(await titles()).toEqual([]);
  });

  test('a note that a list brings before the answer to its creation stands there once', async () => {
    const creation = await holdNext('POST');
    await create('Bread');
    await creation.taken;
    await press(tab, 'Reload');
    await card(tab, 1).getByRole('heading', { name: 'Bread' }).waitFor();
    await creation.release();
    await tab.getByText('Created: Bread').waitFor();
    expect(await titles()).toEqual(['Buy milk', 'Bread']);
  });
});
