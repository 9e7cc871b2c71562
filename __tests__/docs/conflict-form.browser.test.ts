/** The forms of docs/conflict-form.md, as they stand there, in a real browser. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import express from 'express';
import type { Locator, Page } from 'playwright-core';
import { jsonPatch, MemoryStore, resource } from '../../lib';
import { BrowserWithServers, describeInChromium } from '../support/chromium';
import { appBundle } from '../support/client-bundle';
import { blocksOf, modulesOf } from '../support/doc-blocks';

interface Note {
  title: string;
  body: string;
  pinned: boolean;
}

const read = (page: string) => readFileSync(join(__dirname, `../../docs/${page}.md`), 'utf8');
const text = read('conflict-form');
const begun: Note = { title: 'Buy milk', body: 'Two litres', pinned: false };

const starts = {
  plain: `
    import { editNote } from './conflict-form';
    void editNote(document.querySelector('#note'), document.querySelector('dialog'), '/notes/1');`,
  // The form of docs/client.md, with the fields of this page beside it.
  react: `
    import { ConflictError } from 'patch-options/client';
    import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    import { ConflictFields } from './conflict-fields';
    import { useResourceForm } from './use-resource-form';
    function Form() {
      const { form, setForm, save, isSaving, error } = useResourceForm('/notes/1');
      if (form === undefined) return null;
      const { base, mine } = form;
      const field = (name, label) => createElement('label', null, label, createElement('input', {
        value: mine[name], onChange: (event) => setForm({ base, mine: { ...mine, [name]: event.target.value } }) }));
      return createElement('div', null,
        createElement('form', { id: 'note', action: () => save(form) },
          createElement('fieldset', { disabled: isSaving }, field('title', 'Title'), field('body', 'Text'), createElement('button', null, 'Save'))),
        error instanceof ConflictError ? createElement(ConflictFields, { conflict: error, save }) : null);
    }
    createRoot(document.body).render(createElement(Form));`,
};
type Kind = keyof typeof starts;

class Pages extends BrowserWithServers {
  readonly store = new MemoryStore<Note>();
  readonly faults: string[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'conflict-form-'));
  #origin = '';

  override async open(): Promise<void> {
    await super.open();
    const modules = [...modulesOf(read('client')), ...modulesOf(text)];
    for (const [name, module] of modules) writeFileSync(join(this.#folder, name), module);
    const scripts = new Map<string, string>();
    for (const [kind, start] of Object.entries(starts)) {
      writeFileSync(join(this.#folder, `start-${kind}.ts`), start);
      scripts.set(kind, await appBundle(this.#folder, `start-${kind}.ts`));
    }
    const app = express();
    const note = resource(this.store, [jsonPatch()], { key: 'id', idempotency: 'optional' });
    app.route('/api/notes/:id').get(note.get).patch(note.patch);
    app.get('/:kind.js', (req, res) => res.type('js').send(scripts.get(req.params.kind)));
    app.get('/:kind', (req, res) => {
      const body = req.params.kind === 'plain' ? (blocksOf(text, 'html')[0] ?? '') : '';
      const script = `<script defer src="/${req.params.kind}.js"></script>`;
      res.send(`<!doctype html><link rel="icon" href="data:,">${script}<body>${body}`);
    });
    this.#origin = await this.listen(app);
  }

  override async close(): Promise<void> {
    await super.close();
    rmSync(this.#folder, { recursive: true });
  }

  /** Somebody else. */
  async elsewhere(changes: Partial<Note>): Promise<void> {
    const { version = null, value = begun } = (await this.store.get('1')) ?? {};
    await this.store.replace('1', version, { ...value, ...changes });
  }

  async stored(): Promise<Note | undefined> {
    return (await this.store.get('1'))?.value;
  }

  async page(kind: Kind): Promise<Page> {
    const page = await this.browser.newPage();
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('console', (message) => {
      const isFault = message.type() === 'error' && !message.text().startsWith('Failed to load resource');
      if (isFault) this.faults.push(message.text());
    });
    await page.goto(`${this.#origin}/${kind}`);
    return page;
  }
}

describeInChromium('the forms of docs/conflict-form.md', () => {
  const pages = new Pages();
  let page: Page;
  beforeAll(() => pages.open());
  afterAll(() => pages.close());

  describe.each(['plain', 'react'] as const)('%s', (kind) => {
    const control = (name: string) => page.locator('#note').getByLabel(name);
    const save = () => page.locator('#note').getByRole('button', { name: 'Save' }).click();
    const question = (field: string) =>
      page.locator('fieldset', { has: page.locator('legend', { hasText: field }) });
    const choose = (field: string, whose: 'Mine' | 'Theirs') => question(field).getByLabel(whose).check();
    const decision = () => page.getByRole('button', { name: 'Save my choice' });
    const written = async (note: Note) => {
      const deadline = Date.now() + 60_000;
      while (Date.now() < deadline && !isDeepStrictEqual(await pages.stored(), note)) await setTimeout(20);
      expect(await pages.stored()).toEqual(note);
    };
    const shows = async (name: string, value: string) => {
      while ((await control(name).inputValue()) !== value) await setTimeout(20);
    };

    beforeEach(async () => {
      await pages.elsewhere(begun);
      page = await pages.page(kind);
      await shows('Title', 'Buy milk');
    });
    afterEach(async () => {
      await page.close();
      expect(pages.faults).toEqual([]);
    });

    test('shows what a field was, and both versions of it, and nothing of a field that only one has changed', async () => {
      await control('Title').fill('Buy bread');
      await pages.elsewhere({ title: 'Buy wine', body: 'Red' });
      await save();
      await expectText(question('Title'), ['Title (was: Buy milk)', 'Theirs: Buy wine', 'Mine: Buy bread']);
      expect(await question('Text').count()).toBe(0);
    });

    test('each field by itself: mine of one, theirs of the other, and what nobody disputes', async () => {
      await control('Title').fill('Buy bread');
      await control('Text').fill('Brown');
      await pages.elsewhere({ title: 'Buy wine', body: 'Red', pinned: true });
      await save();
      await choose('Title', 'Mine');
      await choose('Text', 'Theirs');
      await decision().click();
      await written({ title: 'Buy bread', body: 'Red', pinned: true });
      await shows('Text', 'Red');
    });

    test('nothing is written until every field is decided', async () => {
      await control('Title').fill('Buy bread');
      await control('Text').fill('Brown');
      await pages.elsewhere({ title: 'Buy wine', body: 'Red' });
      await save();
      await choose('Title', 'Mine');
      await decision()
        .click({ force: true, timeout: 1_000 })
        .catch(() => undefined);
      await choose('Text', 'Mine');
      expect(await pages.stored()).toEqual({ ...begun, title: 'Buy wine', body: 'Red' });
      await decision().click();
      await written({ ...begun, title: 'Buy bread', body: 'Brown' });
    });

    test('what has changed again in the meantime is asked about again', async () => {
      await control('Title').fill('Buy bread');
      await pages.elsewhere({ title: 'Buy wine' });
      await save();
      await choose('Title', 'Mine');
      await pages.elsewhere({ title: 'Buy beer' });
      await decision().click();
      await page.getByText('Theirs: Buy beer').waitFor();
      await choose('Title', 'Mine');
      await decision().click();
      await written({ ...begun, title: 'Buy bread' });
    });
  });

  test('plain: who cancels has written nothing, and keeps what was typed', async () => {
    await pages.elsewhere(begun);
    page = await pages.page('plain');
    const title = page.locator('#note').getByLabel('Title');
    while ((await title.inputValue()) !== 'Buy milk') await setTimeout(20);
    await title.fill('Buy bread');
    await pages.elsewhere({ title: 'Buy wine' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('output', { hasText: 'Not saved.' }).waitFor();
    expect(await title.inputValue()).toBe('Buy bread');
    expect(await pages.stored()).toEqual({ ...begun, title: 'Buy wine' });
    await page.close();
    expect(pages.faults).toEqual([]);
  });
});

async function expectText(locator: Locator, texts: readonly string[]): Promise<void> {
  await locator.waitFor();
  const shown = await locator.innerText();
  expect(texts.filter((text) => !shown.includes(text))).toEqual([]);
}
