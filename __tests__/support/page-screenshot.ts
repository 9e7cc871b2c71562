/**
 * Draws the README's picture of the example's page, `npm run screenshot`: a conflict, and what led to it. It is not
 * drawn in the tests, as the fonts of each machine differ.
 */
import { join } from 'node:path';
import { ExamplePage } from './example-page';

async function draw(): Promise<void> {
  const example = new ExamplePage();
  try {
    await example.open();
    await example.reset(
      { id: '1', title: 'Pack for the mountains', body: 'Boots, map, head torch.', tags: ['trip', 'autumn'] },
      { id: '2', title: 'Read RFC 5789 again', body: 'What does it say of 415?', tags: ['work'] },
    );
    const viewport = { width: 1080, height: 660 };
    const [tab, other] = [await example.tab({ viewport }), await example.tab()];
    for (const page of [tab, other]) await page.getByRole('button', { name: 'Edit Pack' }).click();
    await other.getByLabel('Text').fill('Boots, map, head torch. The blue rope is at Ada’s.');
    await other.getByRole('textbox', { name: 'Tags' }).fill('trip');
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText('Saved:').waitFor();
    await tab.getByLabel('Title').fill('Pack for the Dolomites');
    await tab.getByLabel('Text').fill('Boots, map, head torch, and the blue rope.');
    await tab.keyboard.press('ControlOrMeta+Enter');
    await tab.getByRole('group', { name: 'Someone else changed' }).waitFor();
    await tab.locator('.exchange', { hasText: 'ETag (now)' }).first().waitFor();
    await tab.evaluate('scrollTo(0, 0)');
    await tab.screenshot({ path: join(__dirname, '../../examples/notes/page/screenshot.png') });
  } finally {
    await example.close();
  }
}

void draw();
