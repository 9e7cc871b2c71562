import type { Note } from '../note.js';
import { button, byId, element } from './element.js';
import { failureText } from './failure-text.js';
import { NoteCard, type CardHost } from './note-card.js';
import { NoteEditor } from './note-editor.js';
import type { NotesApi } from './notes-api.js';

/** The list of notes, and the form for a new one. */
export class NotesList {
  readonly #list = byId('note-list', HTMLUListElement);
  readonly #state = byId('notes-state', HTMLDivElement);
  readonly #fresh = byId('new-note', HTMLDivElement);
  readonly #add = byId('add-note', HTMLButtonElement);
  readonly #host: CardHost;
  #cards: readonly NoteCard[] = [];
  #loads = 0;

  constructor(api: NotesApi, announce: (text: string) => void) {
    this.#host = {
      api,
      announce,
      removed: (card) => {
        this.#show(this.#cards.filter((one) => one !== card));
        this.#add.focus();
        this.#overtake();
      },
      learnt: () => {
        this.#overtake();
      },
    };
    this.#add.addEventListener('click', () => {
      this.#write();
    });
    byId('reload-notes', HTMLButtonElement).addEventListener('click', () => {
      void this.load();
    });
  }

  async load(): Promise<void> {
    const load = ++this.#loads;
    this.#list.setAttribute('aria-busy', 'true');
    try {
      const notes = await this.#host.api.list();
      // A later load knows better.
      if (load === this.#loads) this.#show(this.#reconciled(notes));
    } catch (error) {
      if (load === this.#loads) this.#fail(failureText(error));
    }
    if (load === this.#loads) this.#list.removeAttribute('aria-busy');
  }

  /** A list that is on its way may be older than what is known now: another is asked for in its place. */
  #overtake(): void {
    if (this.#list.ariaBusy === 'true') void this.load();
  }

  /** The cards of these notes; of an open one, what is being written stays, be its note deleted. */
  #reconciled(notes: readonly Note[]): readonly NoteCard[] {
    const cards = new Map(this.#cards.map((card) => [card.id, card]));
    const present = notes.map((note) => {
      const card = cards.get(note.id) ?? new NoteCard(note, this.#host);
      card.update(note);
      cards.delete(note.id);
      return card;
    });
    return [...present, ...[...cards.values()].filter(({ isOpen }) => isOpen)];
  }

  #show(cards: readonly NoteCard[]): void {
    this.#cards = cards;
    const roots = cards.map(({ root }) => root);
    for (const child of [...this.#list.children]) if (!roots.some((root) => root === child)) child.remove();
    roots.forEach((root, at) => {
      // An element that is moved loses the focus in it.
      if (this.#list.children[at] !== root) this.#list.insertBefore(root, this.#list.children[at] ?? null);
    });
    this.#state.replaceChildren();
    if (cards.length === 0)
      this.#state.append(
        element(
          'div',
          { class: 'blank' },
          element('p', {}, 'There are no notes yet.'),
          button('Write the first', 'primary', () => {
            this.#write();
          }),
        ),
      );
  }

  #fail(text: string): void {
    this.#state.hidden = false;
    const again = button('Try again', 'quiet', () => this.load());
    this.#state.replaceChildren(
      element('div', { class: 'blank failed', role: 'alert' }, element('p', {}, text), again),
    );
  }

  #write(): void {
    const editor = new NoteEditor(
      { id: '', title: '' },
      {
        cancel: () => {
          this.#close();
        },
        save: async (draft) => {
          const note = await this.#host.api.create(draft);
          this.#close();
          // A list may have brought it before this answer came.
          if (!this.#cards.some(({ id }) => id === note.id))
            this.#show([...this.#cards, new NoteCard(note, this.#host)]);
          this.#overtake();
          this.#host.announce(`Created: ${note.title}`);
        },
      },
    );
    this.#fresh.replaceChildren(element('div', { class: 'card' }, editor.root));
    this.#add.disabled = true;
    this.#state.hidden = true;
    editor.focus();
  }

  #close(): void {
    this.#fresh.replaceChildren();
    this.#add.disabled = false;
    this.#state.hidden = false;
    this.#add.focus();
  }
}
