import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corsPreflight, MemoryStore, type CorsQuestion } from 'patch-options';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import ts from 'typescript';
import { ExchangeRecorder } from '../../examples/exchange-recorder';
import type { Note } from '../../examples/note';
import { notesApp } from '../../examples/notes-app';
import { pageApp } from '../../examples/page-server';
import { launchChromium } from './chromium';
import { portOf } from './serving';

const source = join(__dirname, '../../examples/page');

/** The example's API over a store in memory, its page on another origin, and browsers that have it open. */
export class ExamplePage {
  notes = new MemoryStore<Note>();
  /** What each page said to its console, and the faults that it did not catch. */
  readonly said: string[] = [];
  readonly faults: string[] = [];
  api = '';
  url = '';
  readonly #servers: Server[] = [];
  readonly #scripts = mkdtempSync(join(tmpdir(), 'page-'));
  #browser: Browser | undefined;

  async open(): Promise<void> {
    this.#compile();
    const origin = ['http://localhost:*', 'http://127.0.0.1:*'];
    const cors = corsPreflight({ origin });
    const app = notesApp({
      notes: {
        keepsOutcomes: true,
        get: (...given) => this.notes.get(...given),
        replace: (...given) => this.notes.replace(...given),
        delete: (...given) => this.notes.delete(...given),
      },
      list: () => [...this.notes.entries()].map(([, { value }]) => value),
      origin,
    });
    const explain = (question: CorsQuestion) => cors.explain({ root: app, ...question });
    const recorder = new ExchangeRecorder(explain);
    this.api = await this.#serve(recorder.watch(app));
    const folders = [join(source, 'static'), this.#scripts];
    this.url = await this.#serve(pageApp({ api: this.api, recorder, explain, folders }));
    this.#browser = await launchChromium();
  }

  /** Starts a case: only these notes are there, and nothing was said. */
  async reset(...notes: readonly Note[]): Promise<void> {
    this.notes = new MemoryStore();
    this.said.length = this.faults.length = 0;
    for (const note of notes) await this.notes.replace(note.id, null, note);
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
    rmSync(this.#scripts, { recursive: true });
  }

  async tab(options: BrowserContextOptions = {}): Promise<Page> {
    if (this.#browser === undefined) throw new Error('The browser is not open');
    const page = await this.#browser.newPage({ reducedMotion: 'reduce', ...options });
    page.setDefaultTimeout(10_000);
    page.on('console', (message) => this.said.push(message.text()));
    page.on('pageerror', (error) => this.faults.push(error.message));
    await this.show(page);
    return page;
  }

  /** Opens the page in a tab, or opens it again. */
  async show(tab: Page): Promise<void> {
    await tab.goto(this.url);
    await tab.locator('[data-state="live"]').waitFor();
    await tab.locator('.loading').waitFor({ state: 'detached' });
  }

  async stored(id: string): Promise<Note | undefined> {
    return (await this.notes.get(id))?.value;
  }

  async #serve(app: RequestListener): Promise<string> {
    const server = createServer(app).listen(0, '127.0.0.1');
    this.#servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${portOf(server)}`;
  }

  /** What the build makes of the page's scripts, whose types were checked before the tests ran. */
  #compile(): void {
    const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 };
    for (const file of readdirSync(source).filter((name) => name.endsWith('.ts'))) {
      const { outputText } = ts.transpileModule(readFileSync(join(source, file), 'utf8'), {
        compilerOptions,
      });
      writeFileSync(join(this.#scripts, file.replace(/\.ts$/, '.js')), outputText);
    }
  }
}
