import { ResponseError } from 'patch-options/client';
import type { Note } from '../note.js';
import { conflictView } from './conflict-view.js';
import type { Drafts } from './drafts.js';
import { button, element, focusFromTop, unlessBusy } from './element.js';
import { changedFields, inWords, type Field } from './fields.js';
import { goneView } from './gone-view.js';
import { NoteEditor, unreachable, type EditorActions } from './note-editor.js';
import { notePath, type NotesApi } from './notes-api.js';
import { ProblemLine } from './problem-line.js';
import type { Reachability } from './reachability.js';
import { saveReport } from './save-report.js';

/** The list, as its cards use it. */
export interface CardHost {
  readonly api: NotesApi;
  readonly drafts: Drafts;
  readonly reachability: Reachability;
  /** Announces what has happened to a card that is no longer there. */
  readonly announce: (text: string) => void;
  readonly removed: (card: NoteCard) => void;
  /** Called when a card has read or written a newer state than a list that is still loading may contain. */
  readonly learnt: () => void;
}

/** One note: read, edited in place, or in conflict. */
export class NoteCard {
  readonly root = element('li', { class: 'card' });
  readonly #host: CardHost;
  readonly #content = element('div');
  /** The status of the note. The element stays in the page, because screen readers may miss the text of a new region. */
  readonly #status = element('p', { class: 'card-status', role: 'status' });
  readonly #problem = new ProblemLine();
  /** The last state that the API has sent. */
  #note: Note;
  #editor: NoteEditor | undefined;
  #isSaving = false;
  /** Whether the API has not responded to the save in progress. */
  #isLate = false;
  #isGone = false;

  constructor(note: Note, host: CardHost) {
    this.#host = host;
    this.#note = note;
    this.root.append(this.#content, this.#status);
    this.#read(note);
  }

  get id(): string {
    return this.#note.id;
  }

  get path(): string {
    return notePath(this.#note.id);
  }

  /** Whether it contains unsaved text, or may contain some. */
  get isOpen(): boolean {
    return this.#editor !== undefined || this.#host.drafts.find(this.id) !== undefined;
  }

  /** Whether this JSON text is the note as the card knows it. */
  knows(text: string | undefined): boolean {
    return text === JSON.stringify(this.#note);
  }

  /** Shows the state from the list, and the fields that somebody else has changed; an open card keeps the text being edited. */
  update(note: Note): void {
    this.#isGone = false;
    if (this.knows(JSON.stringify(note))) return;
    const changed = changedFields(this.#note, note);
    this.#note = note;
    if (this.#editor === undefined)
      this.#read(note, { changed, ...(this.root.contains(document.activeElement) && { then: 'focus' }) });
    if (changed.length > 0 && !this.#isSaving) this.#say(`Somebody else changed ${inWords(changed)}.`);
  }

  /** Called when the list no longer has the note. */
  missing(): void {
    if (!this.#isGone) this.#say('Somebody else deleted this note.');
    this.#isGone = true;
  }

  /** Called when the API stops responding, and when it responds again. */
  reach(isReachable: boolean): void {
    if (this.#isSaving) this.#saySaving();
    else if (isReachable) this.#editor?.resend();
  }

  /** Opens the form, with the text that was typed before the page was reloaded. */
  async open(then?: 'focus'): Promise<void> {
    if (this.#editor !== undefined) return;
    await unlessBusy(this.root, async () => {
      this.#problem.clear();
      try {
        await this.#edit(then);
      } catch (error) {
        this.#problem.fail(error);
      }
    });
  }

  #say(text: string, kind: 'news' | 'good' | 'warn' = 'news'): void {
    this.#status.textContent = text;
    this.#status.className = `card-status ${kind}`;
  }

  #saySaving(): void {
    const { isReachable } = this.#host.reachability;
    this.#isLate ||= !isReachable;
    if (isReachable) this.#say('Saving …');
    else this.#say(`Saving … ${unreachable}`, 'warn');
  }

  /** @param how - the fields to mark, because somebody else has changed them, and whether the focus follows */
  #read(note: Note, { changed = [], then }: { changed?: readonly Field[]; then?: 'focus' } = {}): void {
    this.#note = note;
    this.#editor = undefined;
    const { title, body = '', tags = [] } = note;
    const mark = (field: Field) => (changed.includes(field) ? ' changed' : '');
    const edit = button('Edit', 'quiet', async () => {
      this.#say('');
      await this.open('focus');
    });
    edit.setAttribute('aria-label', `Edit ${title}`);
    const text = element('div', { class: 'card-text' });
    text.append(element('h3', {}, element('span', { class: mark('title') }, title)));
    if (body !== '') text.append(element('p', { class: `body${mark('body')}` }, body));
    if (tags.length > 0) {
      const items = tags.map((tag) => element('li', {}, tag));
      text.append(element('ul', { class: `tags${mark('tags')}`, 'aria-label': 'Tags' }, ...items));
    }
    this.#problem.clear();
    text.append(this.#problem.root);
    this.#content.replaceChildren(element('div', { class: 'card-row' }, text, edit));
    if (then === 'focus') edit.focus();
  }

  /** Ends the edit; the card then shows its result. */
  #close(note: Note, changed: readonly Field[] = []): void {
    this.#host.drafts.drop(note.id);
    this.#isLate = false;
    this.#read(note, { changed, then: 'focus' });
    this.#say('');
    this.#host.learnt();
  }

  #cancel(): void {
    if (this.#isGone) this.#leave('This note was deleted.');
    else this.#close(this.#note);
  }

  /** Reads the state on which the edit is based, unless a draft has one, and asks which formats the resource accepts. */
  async #edit(then?: 'focus'): Promise<void> {
    const { api, drafts } = this.#host;
    const draft = drafts.find(this.id);
    const [offer, { base, etag }] = await Promise.all([
      api.options(this.path),
      draft ?? api.get(this.path).then(({ value, etag }) => ({ base: value, etag })),
    ]);
    if (!draft) this.#note = base;
    const actions: EditorActions = {
      save: async (mine) => {
        try {
          await this.#save(base, mine);
        } catch (error) {
          this.#say('');
          this.#return(editor);
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
      existing: { etag, offer, remove: () => this.#remove(etag) },
    };
    const editor = new NoteEditor(base, actions, draft?.typed);
    this.#editor = editor;
    this.#content.replaceChildren(editor.root);
    if (then === 'focus') editor.focus();
  }

  /** Shows the form again, if a question has taken its place. */
  #return(editor: NoteEditor): void {
    if (editor.root.isConnected) return;
    this.#content.replaceChildren(editor.root);
    editor.focus();
  }

  /** Shows a question instead of the form until it is answered. */
  #ask<Answer>(question: (answer: (given: Answer) => void) => HTMLElement): Promise<Answer> {
    this.#say('');
    return new Promise((resolve) => {
      const view = question(resolve);
      this.#content.replaceChildren(view);
      focusFromTop(view, view.querySelector('h3'));
    });
  }

  /** Runs a request that saves, and shows that it is saving. */
  async #whileSaving<Result>(request: () => Promise<Result>): Promise<Result> {
    this.#isSaving = true;
    this.#saySaving();
    try {
      return await request();
    } finally {
      this.#isSaving = false;
    }
  }

  async #save(base: Note, mine: Note): Promise<void> {
    const { api } = this.#host;
    try {
      const { value, patch } = await this.#whileSaving(() =>
        api.save(this.path, base, mine, {
          onConflict: async (conflict) => {
            this.#isSaving = false;
            const decided = await this.#ask<Note>((decide) => conflictView(conflict, decide));
            this.#isSaving = true;
            this.#saySaving();
            return decided;
          },
        }),
      );
      const isWritten = patch.length > 0;
      const { text, isSaved } = saveReport({ base, mine, value, isWritten, isLate: this.#isLate });
      this.#close(value, changedFields(mine, value));
      this.#say(text, isSaved ? 'good' : 'news');
    } catch (error) {
      if (!isRefusal(error, 404)) throw error;
      if (await this.#ask<boolean>((decide) => goneView(base.title, decide))) await this.#restore(base, mine);
      else this.#leave('Your changes were discarded.');
    }
  }

  /** Restores the note, unless somebody else has: then it is saved like any other. */
  async #restore(base: Note, mine: Note): Promise<void> {
    try {
      const put = () => this.#host.api.put(this.path, mine, { create: true });
      const { value } = await this.#whileSaving(put);
      this.#isGone = false;
      this.#close(value);
      this.#say('Restored.', 'good');
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
    this.#host.drafts.drop(this.id);
    this.#host.removed(this);
    this.#host.announce(why);
  }
}

function isRefusal(error: unknown, status: number): boolean {
  return error instanceof ResponseError && error.status === status;
}
