import { createJsonPatch, type JsonPatchOperation, type Offer } from 'patch-options/client';
import type { Note } from '../note.js';
import { button, element, newId, unlessBusy } from './element.js';
import { failureText } from './failure-text.js';

/** What the buttons do. What one of them throws is told in the form. */
export interface EditorActions {
  readonly save: (note: Note) => Promise<void>;
  readonly cancel: () => void;
  /** What a note that exists can have done to it; left out for a new one. */
  readonly existing?: {
    readonly etag: string;
    readonly offer: Offer;
    readonly remove: () => Promise<void>;
    readonly interfere: () => Promise<void>;
  };
}

/** The form that a note is edited in, with the patch that it would send. */
export class NoteEditor {
  readonly root = element('form', { class: 'editor' });
  readonly #start: Note;
  readonly #actions: EditorActions;
  readonly #title = element('input', { name: 'title', required: '', autocomplete: 'off', maxlength: '200' });
  readonly #body = element('textarea', { name: 'body', rows: '4' });
  readonly #tags = element('input', { name: 'tags', autocomplete: 'off', placeholder: 'home, shopping' });
  readonly #problem = element('p', { class: 'problem', role: 'alert' });
  readonly #patch = element('code');
  readonly #count = element('span');
  /** What the fields hold before anybody types: browsers change line ends, and a tag may hold a comma. */
  readonly #shown: Readonly<Record<'title' | 'body' | 'tags', string>>;
  #warned = false;

  constructor(start: Note, actions: EditorActions) {
    this.#start = start;
    this.#actions = actions;
    this.#title.value = start.title;
    this.#body.value = start.body ?? '';
    this.#tags.value = (start.tags ?? []).join(', ');
    this.#shown = { title: this.#title.value, body: this.#body.value, tags: this.#tags.value };
    this.#build(actions);
    this.#showPatch();
    this.root.addEventListener('input', () => {
      this.#warned = false;
      this.#say('');
      this.#judgeTitle();
      this.#showPatch();
    });
    this.root.addEventListener('keydown', (event) => {
      this.#onKey(event);
    });
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#while(() => actions.save(this.note));
    });
  }

  focus(): void {
    this.#title.focus();
  }

  #say(problem: string): void {
    this.#problem.textContent = problem;
  }

  /** Leaves out what was cleared, and keeps what was not edited as it was. */
  get note(): Note {
    const note: { -readonly [Member in keyof Note]: Note[Member] } = { ...this.#start };
    const [title, body, tags] = [this.#title.value, this.#body.value, this.#tags.value];
    if (title !== this.#shown.title) note.title = title;
    if (body !== this.#shown.body) note.body = body;
    if (note.body === '' && body !== this.#shown.body) delete note.body;
    if (tags === this.#shown.tags) return note;
    note.tags = tags.split(',').flatMap((tag) => tag.trim() || []);
    if (note.tags.length === 0) delete note.tags;
    return note;
  }

  /** The JSON Patch that makes the one note of the other. */
  get #operations(): readonly JsonPatchOperation[] {
    return createJsonPatch(this.#start, this.note);
  }

  /** What has no text cannot be seen in the list, so blanks are refused as nothing is. */
  #judgeTitle(): void {
    const blank = this.#title.value !== '' && this.#title.value.trim() === '';
    this.#title.setCustomValidity(blank ? 'Please write more than blanks.' : '');
  }

  #build({ cancel, existing }: EditorActions): void {
    this.root.setAttribute('aria-label', existing ? 'Edit note' : 'New note');
    const save = element('button', { class: 'button primary' }, existing ? 'Save' : 'Create');
    const actions = element(
      'div',
      { class: 'actions' },
      save,
      button('Cancel', 'quiet', () => this.#while(cancel)),
    );
    if (existing?.offer.allow.includes('DELETE') === true) actions.append(this.#deletion(existing.remove));
    this.root.append(
      field('Title', this.#title),
      field('Text', this.#body),
      field('Tags', this.#tags, 'separated by commas'),
    );
    if (existing) this.root.append(this.#wire(existing));
    this.root.append(this.#problem, actions);
  }

  /** Two presses, of which the second click of a double click is none: there is no way back. */
  #deletion(remove: () => Promise<void>): HTMLButtonElement {
    let sure = false;
    const made = button('Delete', 'danger push', async ({ detail }) => {
      if (detail > 1) return;
      if (sure) await this.#while(remove);
      sure = true;
      made.textContent = 'Delete for good';
    });
    made.addEventListener('blur', () => {
      sure = false;
      made.textContent = 'Delete';
    });
    return made;
  }

  /** What goes over the wire: shown, as that is what this page is about. */
  #wire({ etag, offer, interfere }: NonNullable<EditorActions['existing']>): HTMLElement {
    const other = button('Let somebody else save first', 'link', () => this.#while(interfere));
    return element(
      'div',
      { class: 'wire' },
      element(
        'dl',
        { class: 'fields' },
        ...row('Allow', offer.allow.join(', ')),
        ...row('Accept-Patch', offer.acceptPatch.join(', ')),
        ...row('If-Match', etag),
      ),
      element('p', { class: 'wire-title' }, 'JSON Patch ', this.#count),
      element('pre', { tabindex: '0', 'aria-label': 'The patch document' }, this.#patch),
      element('p', { class: 'hint' }, 'To see a conflict, edit this note in a second tab, or: ', other),
    );
  }

  #showPatch(): void {
    const operations = this.#operations;
    const lines = operations.map((operation) => `  ${JSON.stringify(operation)}`);
    this.#patch.textContent = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n]`;
    const count = String(operations.length);
    this.#count.textContent = operations.length === 1 ? '1 operation' : `${count} operations`;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.root.requestSubmit();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      const changed = this.#operations.length > 0;
      if (!changed || this.#warned) {
        void this.#while(this.#actions.cancel);
      } else {
        this.#warned = true;
        this.#say('This is not saved. Press Escape again to discard it.');
      }
    }
  }

  /** One action at a time: what is on its way is neither sent twice nor walked away from. */
  async #while(act: () => Promise<void> | void): Promise<void> {
    await unlessBusy(this.root, async () => {
      this.#say('');
      try {
        await act();
      } catch (error) {
        this.#say(failureText(error));
      }
    });
  }
}

function field(label: string, control: HTMLInputElement | HTMLTextAreaElement, hint = ''): HTMLElement {
  control.id = newId();
  const text = element('label', { for: control.id }, label);
  if (hint !== '') text.append(element('span', { class: 'hint' }, ` ${hint}`));
  return element('div', { class: 'field' }, text, control);
}

function row(name: string, value: string): readonly HTMLElement[] {
  return [element('dt', {}, name), element('dd', {}, value)];
}
