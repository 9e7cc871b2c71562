import type { Locator, Page } from 'playwright-core';

/** What one of the two people sees. */
export function person(tab: Page, name: 'Ada' | 'Ben'): Locator {
  return tab.getByRole('region', { name, exact: true });
}

/** The card of a note of Ada's, by its place in the list. */
export function card(tab: Page, at = 0): Locator {
  return person(tab, 'Ada').locator('.cards > .card').nth(at);
}

export function conflict(within: Page | Locator): Locator {
  return within.getByRole('group', { name: /^Somebody else changed “.*” too$/ });
}

export function gone(tab: Page): Locator {
  return tab.getByRole('group', { name: /^Somebody else deleted “.*”$/ });
}

/** Chooses whose the last field is to be that is asked for, and saves. */
export async function choose(tab: Page, field: string, whose: 'Theirs' | 'Mine'): Promise<void> {
  await conflict(tab).getByRole('group', { name: field }).getByLabel(whose).check();
  await press(conflict(tab), 'Save');
}

/** Presses a button; on the page, that of Ada if both have one. */
export function press(within: Page | Locator, name: string): Promise<void> {
  return within.getByRole('button', { name, exact: true }).first().click();
}

type Changes = Readonly<Partial<Record<'Title' | 'Text' | 'Tags', string>>>;

/** Opens the first note, of Ada or of somebody else, and fills these fields by their labels. */
export async function edit(tab: Page, changes: Changes, name: 'Ada' | 'Ben' = 'Ada'): Promise<void> {
  const form = person(tab, name).locator('.cards > .card').first();
  await form.getByRole('button', { name: /^Edit/ }).click();
  // A note that is shown has a list of the same name.
  for (const [label, value] of Object.entries(changes))
    await form.getByRole('textbox', { name: label }).fill(value);
}

/** Waits until one of them has saved the note with this title, and the card says so. */
export function saved(tab: Page, title: string, name: 'Ada' | 'Ben' = 'Ada'): Promise<void> {
  const heading = tab.getByRole('heading', { name: title, exact: true });
  const cards = person(tab, name).locator('.cards > .card').filter({ has: heading });
  return cards
    .getByRole('status')
    .filter({ hasText: /^Saved/ })
    .waitFor();
}

/** Has Ben change the first note while Ada edits it, and waits until she is told. */
export async function benSaves(tab: Page, changes: Changes): Promise<void> {
  await edit(tab, changes, 'Ben');
  await press(person(tab, 'Ben'), 'Save');
  await card(tab).getByRole('status').getByText('Somebody else changed').waitFor();
}

/** Reloads the page, and waits for its notes and its stream. */
export async function reload(tab: Page): Promise<void> {
  await tab.reload();
  await tab.locator('[data-state="live"]').waitFor();
  await tab.locator('.people:not(:has(.loading))').waitFor();
}

/** The names under which the tab keeps drafts. */
export function keptDrafts(tab: Page): Promise<unknown> {
  return tab.evaluate("Object.keys(sessionStorage).join(',')");
}

/** Waits until a card says that it shows a draft again. */
export async function restored(tab: Page, at = 0): Promise<void> {
  await card(tab, at).getByText('Your unsaved changes were restored.').waitFor();
}
