import { ResponseError } from 'patch-options/client';
import type { Note } from '../note.js';
import { conflictView } from './conflict-view.js';
import { drafts } from './drafts.js';
import { button, element, focusFromTop, unlessBusy } from './element.js';
import { goneView } from './gone-view.js';
import { NoteEditor, type EditorActions } from './note-editor.js';
import { pathOf, type NotesApi } from './notes-api.js';
import { ProblemLine } from './problem-line.js';

/** What a card needs from its list. */
export interface CardHost {
  readonly api: NotesApi;
  /** Announces what has happened, to screen readers too. */
  readonly announce: (text: string) => void;
  readonly removed: (card: NoteCard) => void;
  /** Called when a card has read or written a newer state than a list that is still loading may contain. */
  readonly learnt: () => void;
}

/** One note: read, edited in place, or in conflict. */
export class NoteCard {
  readonly root = element('li', { class: 'card' });
  readonly #host: CardHost;
  readonly #problem = new ProblemLine();
  /** The last state that the API has sent. */
  #note: Note;
  #isEditing = false;
  #isGone = false;

  constructor(note: Note, host: CardHost) {
    this.#host = host;
    this.#note = note;
    this.#read(note);
  }

  get id(): string {
    return this.#note.id;
  }

  get path(): string {
    return pathOf(this.#note.id);
  }

  /** Whether it contains unsaved text, or may contain some. */
  get isOpen(): boolean {
    return this.#isEditing || drafts.find(this.id) !== undefined;
  }

  /** Whether this JSON text is the note as the card knows it. */
  knows(text: string | undefined): boolean {
    return text === JSON.stringify(this.#note);
  }

  /** Shows the state from the list; an open card keeps the text being edited. */
  update(note: Note): void {
    this.#isGone = false;
    const isKnown = this.knows(JSON.stringify(note));
    this.#note = note;
    if (this.#isEditing || isKnown) return;
    this.#read(note, this.root.contains(document.activeElement) ? 'focus' : undefined);
  }

  /** Called when the list no longer has the note. */
  missing(): void {
    this.#isGone = true;
  }

  /** Reopens the form with the text that was typed before the page was reloaded. */
  async resume(): Promise<void> {
    if (!this.#isEditing && drafts.find(this.id) !== undefined) await this.#edit();
  }

  #read(note: Note, then?: 'focus'): void {
    this.#note = note;
    this.#isEditing = false;
    const { title, body = '', tags = [] } = note;
    const heading = element('h3', {}, title);
    const edit = button('Edit', 'quiet', () => this.#edit('focus'));
    edit.setAttribute('aria-label', `Edit ${title}`);
    const text = element('div', { class: 'card-text' }, heading);
    if (body !== '') text.append(element('p', { class: 'body' }, body));
    if (tags.length > 0)
      text.append(
        element('ul', { class: 'tags', 'aria-label': 'Tags' }, ...tags.map((tag) => element('li', {}, tag))),
      );
    this.#problem.clear();
    text.append(this.#problem.root);
    this.root.replaceChildren(element('div', { class: 'card-row' }, text, edit));
    if (then === 'focus') edit.focus();
  }

  #close(note: Note): void {
    drafts.drop(note.id);
    this.#read(note, 'focus');
    this.#host.learnt();
  }

  #cancel(): void {
    if (this.#isGone) this.#leave('This note was deleted.');
    else this.#close(this.#note);
  }

  async #edit(then?: 'focus'): Promise<void> {
    await unlessBusy(this.root, async () => {
      this.#problem.clear();
      try {
        await this.#open(then);
      } catch (error) {
        this.#problem.fail(error);
      }
    });
  }

  /** Reads the state on which the edit is based, unless a draft has one, and asks which formats the resource accepts. */
  async #open(then?: 'focus'): Promise<void> {
    const { api } = this.#host;
    const draft = drafts.find(this.id);
    const [offer, { base, etag }] = await Promise.all([
      api.options(this.path),
      draft ?? api.get(this.path).then(({ value, etag }) => ({ base: value, etag })),
    ]);
    if (!draft) this.#note = base;
    this.#isEditing = true;
    const actions: EditorActions = {
      save: async (mine) => {
        try {
          await this.#save(base, mine);
        } catch (error) {
          this.#show(editor.root);
          throw error;
        }
      },
      cancel: () => {
        this.#cancel();
      },
      typed: (typed) => {
        if (typed) drafts.keep(base.id, { base, etag, typed });
        else drafts.drop(base.id);
      },
      existing: { etag, offer, remove: () => this.#remove(etag), interfere: () => this.#interfere() },
    };
    const editor = new NoteEditor(base, actions, draft?.typed);
    this.#show(editor.root);
    if (then === 'focus') editor.focus();
  }

  #show(content: HTMLElement): void {
    // An element that is moved loses the focus in it.
    if (!content.isConnected) this.root.replaceChildren(content);
  }

  /** Shows a question instead of the form until it is answered. */
  #ask<Answer>(question: (answer: (given: Answer) => void) => HTMLElement): Promise<Answer> {
    this.#host.announce('');
    return new Promise((resolve) => {
      const view = question(resolve);
      this.#show(view);
      focusFromTop(view, view.querySelector('h3'));
    });
  }

  async #save(base: Note, mine: Note): Promise<void> {
    try {
      const { value, patch } = await this.#host.api.save(this.path, base, mine, {
        onConflict: (conflict) => this.#ask<Note>((decide) => conflictView(conflict, decide)),
      });
      this.#close(value);
      this.#host.announce(patch.length === 0 ? 'None of your changes were saved.' : `Saved: ${value.title}`);
    } catch (error) {
      if (!isRefusal(error, 404)) throw error;
      if (await this.#ask(goneView)) await this.#restore(base, mine);
      else this.#leave('Your changes were discarded.');
    }
  }

  /** Restores the note, unless someone else has: then it is saved like any other. */
  async #restore(base: Note, mine: Note): Promise<void> {
    try {
      const { value } = await this.#host.api.put(this.path, mine, { create: true });
      this.#close(value);
      this.#host.announce(`Restored: ${value.title}`);
    } catch (error) {
      if (!isRefusal(error, 412)) throw error;
      await this.#save(base, mine);
    }
  }

  async #remove(etag: string): Promise<void> {
    try {
      await this.#host.api.remove(this.path, { etag });
    } catch (error) {
      if (!isRefusal(error, 404)) throw error;
    }
    this.#leave('Deleted.');
  }

  #leave(why: string): void {
    drafts.drop(this.id);
    this.#host.removed(this);
    this.#host.announce(why);
  }

  /** Acts as another, independent client: sends a real PATCH to the current state. */
  async #interfere(): Promise<void> {
    const body = `Changed by someone else at ${new Date().toLocaleTimeString()}.`;
    await this.#host.api.elsewhere().change(this.path, (note) => ({ ...note, body }));
    this.#host.announce('Someone else has changed the text. Change it too, and save.');
  }
}

function isRefusal(error: unknown, status: number): boolean {
  return error instanceof ResponseError && error.status === status;
}
