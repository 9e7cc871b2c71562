/** The forms that docs/client.md shows, as they stand there, in a real browser. */
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

const text = readFileSync(join(__dirname, '../../docs/client.md'), 'utf8');
const [plainForm = ''] = blocksOf(text, 'html').filter((block) => block.startsWith('<form'));
const begun: Note = { title: 'Buy milk', body: 'Two\r\nlitres', pinned: false };

/** What a page of each kind does with the modules of the document. */
const starts = {
  plain: `
    import { editNote } from './plain-form';
    void editNote(document.querySelector('form'), '/notes/1');`,
  react: `
    import { createElement, StrictMode } from 'react';
    import { createRoot } from 'react-dom/client';
    import { NoteForm } from './note-form';
    createRoot(document.body).render(createElement(StrictMode, null, createElement(NoteForm, { url: '/notes/1' })));`,
  query: `
    import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
    import { createElement, useState } from 'react';
    import { createRoot } from 'react-dom/client';
    import { PinButton } from './pin-button';
    import { useNote } from './use-note';
    function Saver({ url }) {
      const { note, save } = useNote(url);
      const [base, setBase] = useState();
      return createElement('p', null,
        createElement('button', { onClick: () => setBase(note.data) }, 'Begin'),
        createElement('button', { onClick: () => save.mutate({ base, mine: { ...base, title: 'Mine' } }) }, 'Save'),
        createElement('output', null, save.error?.code ?? save.status));
    }
    const all = [PinButton, PinButton, Saver].map((what, key) => createElement(what, { url: '/notes/1', key }));
    createRoot(document.body).render(createElement(QueryClientProvider, { client: new QueryClient() }, all));`,
  live: `
    import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
    import { createElement, StrictMode } from 'react';
    import { createRoot } from 'react-dom/client';
    import { LiveForm } from './live-form';
    const form = createElement(LiveForm, { url: '/notes/1' });
    const provider = createElement(QueryClientProvider, { client: new QueryClient() }, form);
    createRoot(document.body).render(createElement(StrictMode, null, provider));`,
};
type Kind = keyof typeof starts;

class Docs extends BrowserWithServers {
  readonly store = new MemoryStore<Note>();
  /** Of each request: its method, and the status of its answer. */
  readonly lines: string[] = [];
  /** What went wrong in a page, but for refused requests, which Chromium tells of, too. */
  readonly faults: string[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'docs-of-the-client-'));
  readonly #scripts = new Map<string, string>();
  #origin = '';

  override async open(): Promise<void> {
    await super.open();
    for (const [name, module] of modulesOf(text)) writeFileSync(join(this.#folder, name), module);
    for (const [kind, start] of Object.entries(starts)) {
      writeFileSync(join(this.#folder, `start-${kind}.ts`), start);
      this.#scripts.set(kind, await appBundle(this.#folder, `start-${kind}.ts`));
    }
    const app = express();
    app.use('/api', (req, res, next) => {
      res.once('finish', () => this.lines.push(`${req.method} ${res.statusCode}`));
      next();
    });
    const note = resource(this.store, [jsonPatch()], {
      key: (req) => req.params.id,
      validate: ({ title }) => (title === '' ? [{ detail: 'A title is not empty.', pointer: '/title' }] : []),
      idempotency: 'optional',
    });
    app.route('/api/notes/:id').get(note.get).patch(note.patch);
    app.get('/:kind.js', (req, res) => res.type('js').send(this.#scripts.get(req.params.kind)));
    app.get('/:kind', (req, res) => {
      const body = req.params.kind === 'plain' ? plainForm : '';
      const script = `<script defer src="/${req.params.kind}.js"></script>`;
      res.send(`<!doctype html><link rel="icon" href="data:,">${script}<body>${body}`);
    });
    this.#origin = await this.listen(app);
  }

  override async close(): Promise<void> {
    await super.close();
    rmSync(this.#folder, { recursive: true });
  }

  async stored(): Promise<Note | undefined> {
    return (await this.store.get('1'))?.value;
  }

  /** Somebody else, whom no page knows. */
  async elsewhere(changes: Partial<Note>): Promise<void> {
    const { version = null, value = begun } = (await this.store.get('1')) ?? {};
    await this.store.replace('1', version, { ...value, ...changes });
  }

  async page(kind: Kind): Promise<Page> {
    const page = await this.browser.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('console', (message) => {
      const isFault = message.type() === 'error' && !message.text().startsWith('Failed to load resource');
      if (isFault) this.faults.push(message.text());
    });
    await page.goto(`${this.#origin}/${kind}`);
    return page;
  }
}

describeInChromium('the forms of docs/client.md', () => {
  const docs = new Docs();
  let page: Page;
  beforeAll(() => docs.open());
  afterAll(() => docs.close());
  beforeEach(async () => {
    await docs.elsewhere(begun);
    docs.lines.length = docs.faults.length = 0;
  });
  afterEach(async () => {
    await page.close();
    expect(docs.faults).toEqual([]);
  });

  const save = () => page.getByRole('button', { name: 'Save' }).click();

  async function written(note: Note): Promise<void> {
    const deadline = Date.now() + 60_000;
    while (Date.now() < deadline && !isDeepStrictEqual(await docs.stored(), note)) await setTimeout(20);
    expect(await docs.stored()).toEqual(note);
  }

  /** Saves where both have changed the same, decides, and gives what was asked. */
  const decide = {
    plain: async (whose: 'mine' | 'theirs') => {
      const [said] = await Promise.all([
        page.waitForEvent('dialog').then(async (dialog) => {
          await (whose === 'mine' ? dialog.accept() : dialog.dismiss());
          return dialog.message();
        }),
        save(),
      ]);
      return said;
    },
    react: async (whose: 'mine' | 'theirs') => {
      await save();
      const said = await page.getByRole('alert').innerText();
      await page.getByRole('button', { name: whose === 'mine' ? 'Keep mine' : 'Take theirs' }).click();
      return said;
    },
  };

  describe.each(['plain', 'react'] as const)('%s', (kind) => {
    const title = () => page.getByLabel('Title');
    const body = () => page.getByLabel('Text');
    const shows = async (control: Locator, value: string) => {
      await page.locator('fieldset:enabled').waitFor();
      while ((await control.inputValue()) !== value) await setTimeout(20);
    };

    beforeEach(async () => {
      page = await docs.page(kind);
      await shows(title(), 'Buy milk');
    });

    test('what others have changed elsewhere is kept, and shown; what nobody touched is sent by nobody', async () => {
      await title().fill('Mine');
      await docs.elsewhere({ pinned: true });
      await save();
      await written({ title: 'Mine', body: 'Two\r\nlitres', pinned: true });
      await docs.elsewhere({ body: 'Theirs' });
      await title().fill('Mine again');
      await save();
      await written({ title: 'Mine again', body: 'Theirs', pinned: true });
      await shows(body(), 'Theirs');
    });

    test('the same: mine is kept, on top of theirs', async () => {
      await title().fill('Mine');
      await docs.elsewhere({ title: 'Theirs', body: 'Theirs' });
      expect(await decide[kind]('mine')).toContain('Somebody else has changed Title too.');
      await written({ title: 'Mine', body: 'Theirs', pinned: false });
    });

    test('both fields the same: each is named by its label', async () => {
      await title().fill('Mine');
      await body().fill('Mine');
      await docs.elsewhere({ title: 'Theirs', body: 'Theirs' });
      expect(await decide[kind]('mine')).toContain('Somebody else has changed Title, Text too.');
      await written({ title: 'Mine', body: 'Mine', pinned: false });
    });

    test('the same: theirs is taken, with what I have changed elsewhere', async () => {
      await title().fill('Mine');
      await body().fill('Mine');
      await docs.elsewhere({ title: 'Theirs', pinned: true });
      await decide[kind]('theirs');
      await written({ title: 'Theirs', body: 'Mine', pinned: true });
      await shows(title(), 'Theirs');
    });

    test('a refusal is told, and what was written stays', async () => {
      await title().fill('');
      await body().fill('Mine');
      await save();
      await page.getByText('A title is not empty.').first().waitFor();
      expect(await body().inputValue()).toBe('Mine');
      await title().fill('Mine');
      await save();
      await written({ title: 'Mine', body: 'Mine', pinned: false });
    });
  });

  test('react: kept mine, and it has changed once more: asked again', async () => {
    page = await docs.page('react');
    await page.getByLabel('Title').fill('Mine');
    await docs.elsewhere({ title: 'Theirs' });
    await save();
    await page.getByRole('alert').waitFor();
    await docs.elsewhere({ title: 'Theirs again' });
    const before = docs.lines.length;
    await page.getByRole('button', { name: 'Keep mine' }).click();
    while (!docs.lines.slice(before).includes('GET 200')) await setTimeout(20);
    await page.locator('fieldset:enabled').waitFor();
    expect((await docs.stored())?.title).toBe('Theirs again');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await written({ ...begun, title: 'Mine' });
  });

  describe('react-hook-form', () => {
    const field = (name: string) => page.getByLabel(name);
    const shows = async (name: string, value: string) => {
      while ((await field(name).inputValue()) !== value) await setTimeout(20);
    };
    const refresh = () => page.getByRole('button', { name: 'Refresh' }).click();

    beforeEach(async () => {
      page = await docs.page('live');
      await shows('Title', 'Buy milk');
    });

    test('a refetch shows what others have changed, and keeps what is typed', async () => {
      await field('Title').fill('Mine');
      await docs.elsewhere({ body: 'Theirs', pinned: true });
      await refresh();
      await shows('Text', 'Theirs');
      expect(await field('Title').inputValue()).toBe('Mine');
      await save();
      await written({ title: 'Mine', body: 'Theirs', pinned: true });
    });

    test('where both have changed the same, mine is saved on top of theirs, which I have seen come', async () => {
      await field('Title').fill('Mine');
      await docs.elsewhere({ title: 'Theirs', body: 'Theirs' });
      await refresh();
      await shows('Text', 'Theirs');
      await save();
      await written({ title: 'Mine', body: 'Theirs', pinned: false });
    });

    test('an untouched form follows, and has nothing to save', async () => {
      await docs.elsewhere({ title: 'Theirs' });
      await refresh();
      await shows('Title', 'Theirs');
      expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    });
  });

  describe('TanStack Query', () => {
    const pins = () => page.getByRole('button', { name: /^Pin/ });
    const eachPin = async (name: string, pressed: boolean) => {
      for (const at of [0, 1]) {
        await page.getByRole('button', { name, exact: true, pressed }).nth(at).waitFor();
      }
    };

    beforeEach(async () => {
      page = await docs.page('query');
      await eachPin('Pin Buy milk', false);
    });

    test('a change is made on what is there now, and every component sees what came of it', async () => {
      await docs.elsewhere({ title: 'Theirs' });
      await pins().first().click();
      await eachPin('Pin Theirs', true);
      await written({ ...begun, title: 'Theirs', pinned: true });
      expect(docs.lines).toEqual(['GET 200', 'PATCH 412', 'GET 200', 'PATCH 200']);
    });

    test('a query that is fetched again costs a 304', async () => {
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      while (docs.lines.length < 2) await setTimeout(20);
      expect(docs.lines).toEqual(['GET 200', 'GET 304']);
    });

    test('a form that began before is merged with what the query has learnt since, or told of a conflict', async () => {
      const begin = () => page.getByRole('button', { name: 'Begin' }).click();
      await begin();
      await pins().first().click();
      await eachPin('Pin Buy milk', true);
      await save();
      await eachPin('Pin Mine', true);
      await written({ ...begun, title: 'Mine', pinned: true });

      await docs.elsewhere({ title: 'Another' });
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      await eachPin('Pin Another', true);
      await begin();
      await docs.elsewhere({ title: 'Theirs' });
      await save();
      await page.getByText('conflict').waitFor();
      expect(await docs.stored()).toEqual({ ...begun, title: 'Theirs', pinned: true });
    });
  });
});
