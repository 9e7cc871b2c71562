import type { Locator, Page } from 'playwright-core';

/** The card of a note on the page of the example, by its place in the list. */
export function card(tab: Page, at = 0): Locator {
  return tab.locator('#note-list > li').nth(at);
}

export function conflict(tab: Page): Locator {
  return tab.getByRole('group', { name: 'Someone else changed this too' });
}

export function gone(tab: Page): Locator {
  return tab.getByRole('group', { name: 'Someone else deleted this note' });
}

/** Chooses whose the last field is to be that is asked for, and saves. */
export async function choose(tab: Page, field: string, whose: 'Theirs' | 'Mine'): Promise<void> {
  await conflict(tab).getByRole('group', { name: field }).getByLabel(whose).check();
  await press(conflict(tab), 'Save');
}

export function press(within: Page | Locator, name: string): Promise<void> {
  return within.getByRole('button', { name, exact: true }).click();
}

/** Opens the first note, and fills these fields by their labels. */
export async function edit(
  tab: Page,
  changes: { Title?: string; Text?: string; Tags?: string },
): Promise<void> {
  await card(tab).getByRole('button', { name: /^Edit/ }).click();
  // A note that is shown has a list of the same name.
  for (const [name, value] of Object.entries(changes)) {
    await card(tab).getByRole('textbox', { name }).fill(value);
  }
}

/** Waits until the page says so. */
export function saved(tab: Page, title: string): Promise<void> {
  return tab.getByRole('status').getByText(`Saved: ${title}`).waitFor();
}

/** Reloads the page, and waits for its notes and its stream. */
export async function reload(tab: Page): Promise<void> {
  await tab.reload();
  await tab.locator('[data-state="live"]').waitFor();
  await tab.locator('.loading').waitFor({ state: 'detached' });
}

/** The names under which the tab keeps drafts. */
export function keptDrafts(tab: Page): Promise<unknown> {
  return tab.evaluate("Object.keys(sessionStorage).join(',')");
}

/** Waits until a card says that it shows a draft again. */
export async function restored(tab: Page, at = 0): Promise<void> {
  await card(tab, at).getByText('Your unsaved changes were restored.').waitFor();
}
