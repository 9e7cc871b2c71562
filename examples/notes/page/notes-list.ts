import { ConnectionError } from 'patch-options/client';
import type { Exchange } from '../exchange.js';
import type { Note } from '../note.js';
import { Drafts, newNote } from './drafts.js';
import { button, element, newId } from './element.js';
import { readHeader } from './exchange-leg.js';
import { NoteCard, type CardHost } from './note-card.js';
import { NoteEditor } from './note-editor.js';
import type { NotesApi } from './notes-api.js';
import { failureText } from './problem-line.js';
import type { Reachability } from './reachability.js';

/** How many milliseconds to wait before reacting to an exchange: the responses to this tab's own requests come first. */
const patience = 300;

export interface ListOptions {
  /** Whose notes these are. */
  readonly person: string;
  readonly api: NotesApi;
  readonly reachability: Reachability;
  readonly announce: (text: string) => void;
}

/** The notes as one person sees them, through a client of their own, and the form for a new one. */
export class NotesList {
  readonly root: HTMLElement;
  readonly #list = element('ul', { class: 'cards' });
  readonly #state = element('div', { class: 'notes-state' }, element('p', { class: 'loading' }, 'Loading …'));
  readonly #fresh = element('div', { class: 'new-note' });
  readonly #add = button('New note', 'quiet', () => {
    this.#write();
  });
  readonly #host: CardHost;
  #cards: readonly NoteCard[] = [];
  #hasBegun = false;
  #loads = 0;
  #news: readonly Exchange[] = [];

  constructor({ person, api, reachability, announce }: ListOptions) {
    this.#host = {
      ...{ api, drafts: new Drafts(person), reachability, announce },
      removed: (card) => {
        this.#show(this.#cards.filter((one) => one !== card));
        this.#add.focus();
        this.#overtake();
      },
      learnt: () => {
        this.#overtake();
      },
    };
    const id = newId();
    this.#list.setAttribute('aria-labelledby', id);
    this.root = element(
      'section',
      { class: 'person', id: person.toLowerCase(), 'aria-labelledby': id },
      element(
        'div',
        { class: 'section-head' },
        element('span', { class: 'initial', 'aria-hidden': 'true' }, person.charAt(0)),
        element('h2', { id }, person),
        button('Reload', 'quiet', () => this.load()),
        this.#add,
      ),
      ...[this.#fresh, this.#state, this.#list],
    );
    if (this.#host.drafts.find(newNote) !== undefined) this.#write();
  }

  async load(): Promise<void> {
    const load = ++this.#loads;
    this.#list.setAttribute('aria-busy', 'true');
    try {
      const notes = await this.#host.api.list();
      // A later load has newer data.
      if (load === this.#loads) {
        this.#show(this.#reconciled(notes));
        this.#begin();
      }
    } catch (error) {
      if (load === this.#loads) this.#fail(error);
    }
    if (load === this.#loads) this.#list.removeAttribute('aria-busy');
  }

  /** Called when the API stops responding, and when it responds again. */
  reach(isReachable: boolean): void {
    for (const card of this.#cards) card.reach(isReachable);
    if (isReachable) void this.load();
  }

  /** The page opens with the first note in its form, unless another waits with unsaved text. */
  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    if (this.#fresh.childElementCount === 0 && !this.#cards.some(({ isOpen }) => isOpen))
      void this.#cards[0]?.open();
  }

  /** Called with each exchange of the API. A change that this tab has not made itself reloads the list. */
  hear(exchange: Exchange): void {
    const { method, url, status } = exchange;
    if (method === 'GET' || status >= 300 || !/^\/notes(?![^/?])/.test(url)) return;
    if (this.#news.length === 0) setTimeout(this.#learn, patience);
    this.#news = [...this.#news, exchange];
  }

  readonly #learn = (): void => {
    // A form that is being sent will show this change itself.
    if (this.root.querySelector('form[aria-busy="true"]') !== null) {
      setTimeout(this.#learn, patience);
      return;
    }
    const news = this.#news;
    this.#news = [];
    if (!news.every((one) => this.#shows(one))) void this.load();
  };

  /** Whether the list already shows the change of this exchange. */
  #shows({ method, url, responseFields, responseBody }: Exchange): boolean {
    if (['HEAD', 'OPTIONS'].includes(method)) return true;
    const path = method === 'POST' ? readHeader(responseFields, 'Location') : url.replace(/\?.*/, '');
    const card = this.#cards.find((one) => one.path === path);
    return method === 'DELETE' ? card === undefined : card?.knows(responseBody?.text) === true;
  }

  /** A list that is still loading may be older than the state known now: it is requested again. */
  #overtake(): void {
    if (this.#list.ariaBusy === 'true') void this.load();
  }

  /** Shows the cards of these notes; an open card keeps the text being edited, even if its note was deleted. */
  #reconciled(notes: readonly Note[]): readonly NoteCard[] {
    const cards = new Map(this.#cards.map((card) => [card.id, card]));
    const findCard = (note: Note): NoteCard => {
      const card = cards.get(note.id) ?? new NoteCard(note, this.#host);
      cards.delete(note.id);
      return card;
    };
    const present = notes.map((note) => {
      const card = findCard(note);
      card.update(note);
      return card;
    });
    const ids = new Set(notes.map(({ id }) => id));
    const written = this.#host.drafts.all().flatMap(({ base }) => (ids.has(base.id) ? [] : findCard(base)));
    const open = [...written, ...[...cards.values()].filter(({ isOpen }) => isOpen)];
    for (const card of open) card.missing();
    return [...present, ...open];
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
    for (const card of cards) if (card.isOpen) void card.open();
    if (cards.length === 0)
      this.#state.append(
        element(
          'div',
          { class: 'blank' },
          element('p', {}, 'There are no notes yet.'),
          button('Write the first note', 'primary', () => {
            this.#write();
          }),
        ),
      );
  }

  /** If the API is unreachable, the page says so once, and the cards stay. */
  #fail(error: unknown): void {
    if (error instanceof ConnectionError) {
      const later = element('p', { class: 'blank' }, 'The notes will appear once the API is back.');
      if (this.#cards.length === 0) this.#state.replaceChildren(later);
      return;
    }
    this.#state.hidden = false;
    const again = button('Try again', 'quiet', () => this.load());
    this.#state.replaceChildren(
      element('div', { class: 'blank failed', role: 'alert' }, element('p', {}, failureText(error)), again),
    );
  }

  #write(): void {
    const { drafts } = this.#host;
    const base = { id: newNote, title: '' };
    const draft = drafts.find(newNote);
    const status = element('p', { class: 'card-status', role: 'status' });
    const editor = new NoteEditor(
      base,
      {
        cancel: () => {
          this.#close();
        },
        typed: (typed) => {
          if (typed) drafts.keep(newNote, { base, etag: '', typed });
          else drafts.drop(newNote);
        },
        save: async (written) => {
          status.textContent = 'Creating …';
          const note = await this.#host.api.create(written).finally(() => {
            status.textContent = '';
          });
          this.#close();
          // A list may have brought the note before this response arrived.
          if (!this.#cards.some(({ id }) => id === note.id))
            this.#show([...this.#cards, new NoteCard(note, this.#host)]);
          this.#overtake();
          this.#host.announce(`Created: ${note.title}`);
        },
      },
      draft?.typed,
    );
    this.#fresh.replaceChildren(element('div', { class: 'card' }, editor.root, status));
    this.#add.disabled = true;
    this.#state.hidden = true;
    if (draft === undefined) editor.focus();
  }

  #close(): void {
    this.#host.drafts.drop(newNote);
    this.#fresh.replaceChildren();
    this.#add.disabled = false;
    this.#state.hidden = false;
    this.#add.focus();
  }
}
