import { ResponseError } from 'patch-options/client';
import type { Note } from '../note.js';
import { conflictView } from './conflict-view.js';
import { drafts } from './drafts.js';
import { button, element, focusFromTop, unlessBusy } from './element.js';
import { goneView } from './gone-view.js';
import { NoteEditor, type EditorActions } from './note-editor.js';
import { pathOf, type NotesApi } from './notes-api.js';
import { ProblemLine } from './problem-line.js';

/** What a card needs from the list that it is in. */
export interface CardHost {
  readonly api: NotesApi;
  /** Says what has happened, also to those who do not see it. */
  readonly announce: (text: string) => void;
  readonly removed: (card: NoteCard) => void;
  /** A card has learnt by itself what a list that was asked for before may not know. */
  readonly learnt: () => void;
}

/** One note: read, edited in place, or in conflict. */
export class NoteCard {
  readonly root = element('li', { class: 'card' });
  readonly #host: CardHost;
  readonly #problem = new ProblemLine();
  /** What the API has said last. */
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

  /** Whether it holds what was typed and not saved, or may. */
  get isOpen(): boolean {
    return this.#isEditing || drafts.find(this.id) !== undefined;
  }

  /** Whether this JSON text is the note as the card knows it. */
  knows(text: string | undefined): boolean {
    return text === JSON.stringify(this.#note);
  }

  /** What the list has learnt; an open card keeps what is being written. */
  update(note: Note): void {
    this.#isGone = false;
    const isKnown = this.knows(JSON.stringify(note));
    this.#note = note;
    if (this.#isEditing || isKnown) return;
    this.#read(note, this.root.contains(document.activeElement) ? 'focus' : undefined);
  }

  /** The list does not have it any more. */
  missing(): void {
    this.#isGone = true;
  }

  /** Opens the form again with what was typed in it before the page was loaded. */
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

  /** Reads the state that the edit is made on, unless there is a draft of one, and asks what the resource understands. */
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

  /** Shows a question in place of the form until it is answered. */
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

  /** Unless someone else has restored it: then it is saved as any other note. */
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

  /** What another client does that knows nothing of this one: a real PATCH, of the state that is there now. */
  async #interfere(): Promise<void> {
    const body = `Changed by someone else at ${new Date().toLocaleTimeString()}.`;
    await this.#host.api.elsewhere().change(this.path, (note) => ({ ...note, body }));
    this.#host.announce('Someone else has changed the text. Change it too, and save.');
  }
}

function isRefusal(error: unknown, status: number): boolean {
  return error instanceof ResponseError && error.status === status;
}
