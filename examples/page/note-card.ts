import { ResponseError } from 'patch-options/client';
import type { Note } from '../note.js';
import { conflictView } from './conflict-view.js';
import { button, element } from './element.js';
import { failureText } from './failure-text.js';
import { goneView } from './gone-view.js';
import { NoteEditor } from './note-editor.js';
import { pathOf, type NotesApi } from './notes-api.js';

/** What a card needs from the list that it is in. */
export interface CardHost {
  readonly api: NotesApi;
  /** Says what has happened to those who do not see it. */
  readonly announce: (text: string) => void;
  readonly removed: (card: NoteCard) => void;
  /** A card has learnt by itself what a list that was asked for before may not know. */
  readonly learnt: () => void;
}

/** One note: read, edited in place, or in conflict. */
export class NoteCard {
  readonly root = element('li', { class: 'card' });
  readonly #host: CardHost;
  #note: Note;
  #state: 'reading' | 'editing' = 'reading';

  constructor(note: Note, host: CardHost) {
    this.#host = host;
    this.#note = note;
    this.#read(note);
  }

  get #path(): string {
    return pathOf(this.#note.id);
  }

  get id(): string {
    return this.#note.id;
  }

  /** Whether it holds what somebody has written and not saved. */
  get isOpen(): boolean {
    return this.#state === 'editing';
  }

  /** What the list has learnt; an open card keeps what is being written. */
  update(note: Note): void {
    if (this.isOpen || JSON.stringify(note) === JSON.stringify(this.#note)) return;
    this.#read(note, this.root.contains(document.activeElement) ? 'focus' : undefined);
  }

  #read(note: Note, then?: 'focus'): void {
    this.#note = note;
    this.#state = 'reading';
    const { title, body = '', tags = [] } = note;
    const heading = element('h3', {}, title);
    const problem = element('p', { class: 'problem', role: 'alert' });
    const edit = button('Edit', 'quiet', async () => {
      problem.textContent = '';
      try {
        await this.#open();
      } catch (error) {
        problem.textContent = failureText(error);
      }
    });
    edit.setAttribute('aria-label', `Edit ${title}`);
    const text = element('div', { class: 'card-text' }, heading);
    if (body !== '') text.append(element('p', { class: 'body' }, body));
    if (tags.length > 0)
      text.append(
        element('ul', { class: 'tags', 'aria-label': 'Tags' }, ...tags.map((tag) => element('li', {}, tag))),
      );
    text.append(problem);
    this.root.replaceChildren(element('div', { class: 'card-row' }, text, edit));
    if (then === 'focus') edit.focus();
  }

  #close(note: Note): void {
    this.#read(note, 'focus');
    this.#host.learnt();
  }

  /** Reads the state that the edit is made on, and asks what the resource understands. */
  async #open(): Promise<void> {
    const { api } = this.#host;
    const [resource, offer] = await Promise.all([api.get(this.#path), api.options(this.#path)]);
    const { value: base, etag } = resource;
    this.#state = 'editing';
    const editor = new NoteEditor(base, {
      save: async (mine) => {
        try {
          await this.#save(base, mine);
        } catch (error) {
          this.#show(editor.root);
          throw error;
        }
      },
      cancel: () => {
        this.#close(base);
      },
      existing: { etag, offer, remove: () => this.#remove(etag), interfere: () => this.#interfere() },
    });
    this.#show(editor.root);
    editor.focus();
  }

  #show(content: HTMLElement): void {
    // An element that is moved loses the focus in it.
    if (!content.isConnected) this.root.replaceChildren(content);
  }

  /** Shows a question in place of the form until it is answered. */
  #ask<Answer>(question: (answer: (given: Answer) => void) => HTMLElement): Promise<Answer> {
    this.#host.announce('');
    return new Promise((resolve) => {
      const view = question(resolve);
      this.#show(view);
      view.focus();
    });
  }

  async #save(base: Note, mine: Note): Promise<void> {
    try {
      const { value, patch } = await this.#host.api.save(this.#path, base, mine, {
        onConflict: (conflict) => this.#ask<Note>((decide) => conflictView(conflict, decide)),
      });
      this.#close(value);
      this.#host.announce(patch.length === 0 ? 'Nothing of yours was written.' : `Saved: ${value.title}`);
    } catch (error) {
      if (!isRefusal(error, 404)) throw error;
      if (await this.#ask(goneView)) await this.#putBack(base, mine);
      else this.#leave('Yours was discarded.');
    }
  }

  /** Unless somebody else has: then it is a note that is saved as any other. */
  async #putBack(base: Note, mine: Note): Promise<void> {
    try {
      const { value } = await this.#host.api.put(this.#path, mine, { create: true });
      this.#close(value);
      this.#host.announce(`Put back: ${value.title}`);
    } catch (error) {
      if (!isRefusal(error, 412)) throw error;
      await this.#save(base, mine);
    }
  }

  async #remove(etag: string): Promise<void> {
    try {
      await this.#host.api.remove(this.#path, { etag });
    } catch (error) {
      if (!isRefusal(error, 404)) throw error;
    }
    this.#leave('Deleted.');
  }

  #leave(why: string): void {
    this.#host.removed(this);
    this.#host.announce(why);
  }

  /** What another client does that knows nothing of this one: a real PATCH, of the state that is there now. */
  async #interfere(): Promise<void> {
    const body = `Changed by somebody else at ${new Date().toLocaleTimeString()}.`;
    await this.#host.api.elsewhere().change(this.#path, (note) => ({ ...note, body }));
    this.#host.announce('Somebody else has saved. Change the text, and save.');
  }
}

function isRefusal(error: unknown, status: number): boolean {
  return error instanceof ResponseError && error.status === status;
}
