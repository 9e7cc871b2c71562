import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStore } from 'patch-options';
import { explainCors, type CorsQuestion } from 'patch-options/explain';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { ExchangeRecorder } from '../../examples/notes/exchange-recorder';
import type { Note } from '../../examples/notes/note';
import { notesApp } from '../../examples/notes/notes-app';
import { ownHost } from '../../examples/notes/own-host';
import { pageApp } from '../../examples/notes/page-server';
import { BrowserWithServers, describeInChromium } from './chromium';
import { bundlePage } from './client-bundle';

const source = join(__dirname, '../../examples/notes/page');

/** The example's API over a store in memory, its page on another origin, and browsers that have it open. */
export class ExamplePage extends BrowserWithServers {
  notes = new MemoryStore<Note>();
  /** What each page said to its console, and the faults that it did not catch. */
  readonly said: string[] = [];
  readonly faults: string[] = [];
  api = '';
  url = '';
  readonly #scripts = mkdtempSync(join(tmpdir(), 'page-'));
  #tab: Page | undefined;

  override async open(): Promise<void> {
    await bundlePage(this.#scripts);
    const origin = ['http://localhost:*', 'http://127.0.0.1:*'];
    const app = notesApp({
      notes: {
        keepsOutcomes: true,
        get: (...given) => this.notes.get(...given),
        replace: (...given: Parameters<MemoryStore<Note>['replace']>) => this.notes.replace(...given),
        delete: (...given) => this.notes.delete(...given),
      },
      list: () => [...this.notes.entries()].map(([, { value }]) => value),
      origin,
    });
    const explain = (question: CorsQuestion) => explainCors(app, question);
    const recorder = new ExchangeRecorder(explain);
    this.api = await this.listen(ownHost(['127.0.0.1', 'localhost'], recorder.watch(app)));
    const folders = [join(source, 'static'), this.#scripts];
    const page = pageApp({ api: this.api, recorder, explain, folders });
    this.url = await this.listen(ownHost(['127.0.0.1', 'localhost', 'stranger.localhost'], page));
    await super.open();
  }

  /** Starts a case: only these notes are there, and nothing was said. */
  async reset(...notes: readonly Note[]): Promise<void> {
    this.notes = new MemoryStore();
    this.said.length = this.faults.length = 0;
    for (const note of notes) await this.notes.replace(note.id, null, note);
  }

  override async close(): Promise<void> {
    await super.close();
    rmSync(this.#scripts, { recursive: true, force: true });
  }

  /** A tab with all notes closed. */
  async tab(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.visitor(options);
    await this.#closeForms(page);
    return page;
  }

  /** A tab with the page as it opens: with the first note in the form of both people. */
  async visitor(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.browser.newPage({ reducedMotion: 'reduce', ...options });
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => this.said.push(message.text()));
    page.on('pageerror', (error) => this.faults.push(error.message));
    await this.#visit(page);
    return page;
  }

  /** A tab that all cases share, with all notes closed. */
  async shared(): Promise<Page> {
    if (this.#tab === undefined) this.#tab = await this.tab();
    else await this.show(this.#tab);
    return this.#tab;
  }

  /** Opens the page in a tab, or opens it again, with nothing that was typed before, and all notes closed. */
  async show(tab: Page): Promise<void> {
    if (tab.url().startsWith(this.url)) await tab.evaluate('sessionStorage.clear()');
    await this.#visit(tab);
    await this.#closeForms(tab);
  }

  async #visit(tab: Page): Promise<void> {
    await tab.goto(this.url);
    await tab.locator('[data-state="live"]').waitFor();
    await tab.locator('.people:not(:has(.loading))').waitFor();
    for (let person = 0; person < 2 && !this.notes.entries().next().done; person++)
      await tab.locator('.person').nth(person).locator('.editor').waitFor();
  }

  async #closeForms(tab: Page): Promise<void> {
    const open = tab.locator('.editor');
    // Without the pauses of a click: no case is about this one.
    while ((await open.count()) > 0)
      await open.first().getByRole('button', { name: 'Cancel' }).dispatchEvent('click');
  }

  async stored(id: string): Promise<Note | undefined> {
    return (await this.notes.get(id))?.value;
  }
}

let example: ExamplePage | undefined;
let opening: Promise<void> | undefined;

/** Cases on the page of the example, of which each begins with these notes. A test file has one browser for all of them. */
export function describeExamplePage(
  title: string,
  notes: readonly Note[],
  cases: (example: ExamplePage) => void,
): void {
  if (example === undefined) afterAll(() => page.close());
  const page = (example ??= new ExamplePage());

  describeInChromium(title, () => {
    beforeAll(() => (opening ??= page.open()));
    beforeEach(() => page.reset(...notes));
    afterEach(() => {
      expect(page.faults).toEqual([]);
    });
    cases(page);
  });
}
