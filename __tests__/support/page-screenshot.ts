/**
 * Draws the README's picture of the example's page, `npm run screenshot`: a conflict, beside what the other one has saved. It
 * is not drawn in the tests, as the fonts of each machine differ.
 */
import { join } from 'node:path';
import { conflict, person, press, saved } from '../examples/notes/page/note-cards';
import { ExamplePage } from './example-page';

async function draw(): Promise<void> {
  const example = new ExamplePage();
  try {
    await example.open();
    await example.reset({
      id: '1',
      title: 'Pack for the mountains',
      body: 'Boots, map, head torch.',
      tags: ['trip', 'autumn'],
    });
    const tab = await example.visitor({ viewport: { width: 1280, height: 800 } });
    const [ada, ben] = [person(tab, 'Ada'), person(tab, 'Ben')];
    await ada.getByLabel('Title').fill('Pack for the Dolomites');
    await ada.getByLabel('Text').fill('Boots, map, head torch. The rope is at Ben’s.');
    await ben.getByLabel('Text').fill('Boots, map, head torch, and the blue rope.');
    await press(ada, 'Save');
    await saved(tab, 'Pack for the Dolomites');
    await press(ben, 'Save');
    await conflict(ben).waitFor();
    await tab.evaluate('scrollTo(0, 0)');
    const panel = await ben.locator('.card').first().boundingBox();
    if (panel === null) throw new Error('The conflict is not shown');
    const margin = 32;
    await tab.screenshot({
      path: join(__dirname, '../../examples/notes/page/screenshot.png'),
      clip: { x: 0, y: 0, width: panel.x + panel.width + margin, height: panel.y + panel.height + margin },
    });
  } finally {
    await example.close();
  }
}

void draw();
