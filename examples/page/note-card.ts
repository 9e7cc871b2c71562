import type { Note } from '../note.js';
import { Refusal, type NotesClient, type TaggedNote } from './client.js';
import { ConflictView, type Conflict } from './conflict-view.js';
import { button, element } from './element.js';
import { failureText } from './failure-text.js';
import { draftOf, noteOf, patchTo, type Draft } from './note-draft.js';
import { NoteEditor } from './note-editor.js';

/** What a card needs from the list that it is in. */
export interface CardHost {
  readonly client: NotesClient;
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
    const { title, body, tags } = draftOf(note);
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
    const { client } = this.#host;
    const [tagged, offer] = await Promise.all([client.read(this.id), client.offer(this.id)]);
    this.#state = 'editing';
    const editor = new NoteEditor(draftOf(tagged.note), {
      save: (draft) => this.#save(tagged, draft),
      cancel: () => {
        this.#close(tagged.note);
      },
      existing: {
        tagged,
        offer,
        remove: () => this.#remove(tagged),
        interfere: () => this.#interfere(),
      },
    });
    this.root.replaceChildren(editor.root);
    editor.focus();
  }

  /** PATCH under If-Match: a state that nobody here has seen is never overwritten. */
  async #save(base: TaggedNote, mine: Draft): Promise<void> {
    const { client, announce } = this.#host;
    const operations = patchTo(mine, base.note);
    if (operations.length === 0) {
      this.#close(base.note);
      announce('Nothing was changed, and so nothing was sent.');
      return;
    }
    try {
      const saved = await client.patch(this.id, operations, base.tag);
      this.#close(saved.note);
      announce(`Saved: ${saved.note.title}`);
    } catch (error) {
      if (!(error instanceof Refusal && (error.status === 412 || error.status === 404))) throw error;
      this.#disagree({ refusal: error, base, mine, theirs: await this.#present() });
    }
  }

  #disagree(conflict: Conflict): void {
    const { theirs } = conflict;
    const view = new ConflictView(conflict, {
      takeTheirs: () => {
        if (theirs === undefined) this.#host.removed(this);
        else this.#close(theirs.note);
        this.#host.announce('Yours was discarded.');
      },
      keepMine: (merged) => (theirs === undefined ? this.#restore(conflict) : this.#save(theirs, merged)),
    });
    this.root.replaceChildren(view.root);
    this.#host.announce('');
    view.focus();
  }

  /** What is there now; undefined: nothing any more. */
  async #present(): Promise<TaggedNote | undefined> {
    try {
      return await this.#host.client.read(this.id);
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  /** Puts back what was deleted, unless somebody else has: that is a conflict like any other. */
  async #restore({ base, mine }: Conflict): Promise<void> {
    try {
      const { note } = await this.#host.client.restore({ ...noteOf(mine), id: this.id });
      this.#close(note);
      this.#host.announce(`Put back: ${note.title}`);
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 412)) throw error;
      this.#disagree({ refusal: error, base, mine, theirs: await this.#present() });
    }
  }

  async #remove({ tag }: TaggedNote): Promise<void> {
    try {
      await this.#host.client.remove(this.id, tag);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    this.#host.removed(this);
    this.#host.announce('Deleted.');
  }

  /** What another client does that knows nothing of this one: a real PATCH, of the state that is there now. */
  async #interfere(): Promise<void> {
    const value = `Changed by somebody else at ${new Date().toLocaleTimeString()}.`;
    await this.#host.client.patch(this.id, [{ op: 'add', path: '/body', value }]);
    this.#host.announce('Somebody else has saved. Change something, and save.');
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Refusal && error.status === 404;
}
