import {
  ConnectionError,
  ResponseError,
  type JsonPatchOperation,
  type Capabilities,
} from 'patch-options/client';
import { createJsonPatch } from 'patch-options/json';
import type { Note } from '../note.js';
import { showJson } from './body-view.js';
import type { Typed } from './drafts.js';
import { button, element, focusFromTop, newId, unlessBusy } from './element.js';
import { marksIn } from './problem-marks.js';
import { ProblemLine } from './problem-line.js';

/** The actions of the buttons. Errors that they throw are shown in the form. */
export interface EditorActions {
  readonly save: (note: Note) => Promise<void>;
  readonly cancel: () => void;
  /** Called with the contents of the fields whenever they change; with undefined if they are back at their initial values. */
  readonly typed: (typed: Typed | undefined) => void;
  /** Actions on an existing note; left out for a new one. */
  readonly existing?: {
    readonly etag: string;
    readonly offer: Capabilities;
    readonly remove: () => Promise<void>;
  };
}

/** The message of the form while the API does not respond to a save. */
export const unreachable =
  'The API is not responding. Your text is kept, and will be saved once the API is back.';

/** The form that a note is edited in, with the patch that it would send. */
export class NoteEditor {
  readonly root = element('form', { class: 'editor' });
  readonly #start: Note;
  readonly #actions: EditorActions;
  readonly #title = element('input', { name: 'title', required: '', autocomplete: 'off', maxlength: '200' });
  readonly #body = element('textarea', { name: 'body', rows: '3' });
  readonly #tags = element('input', { name: 'tags', autocomplete: 'off', placeholder: 'home, shopping' });
  readonly #problem = new ProblemLine();
  readonly #patch = element('code');
  readonly #count = element('span');
  /** The initial contents of the fields: browsers change line ends, and a tag can contain a comma. */
  readonly #shown: Typed;
  #warned = false;
  /** Whether the last save got no answer, and the text is still the same. */
  #isUnsent = false;

  /** @param typed - the text that was typed before the page was reloaded */
  constructor(start: Note, actions: EditorActions, typed?: Typed) {
    this.#start = start;
    this.#actions = actions;
    this.#title.value = start.title;
    this.#body.value = start.body ?? '';
    this.#tags.value = (start.tags ?? []).join(', ');
    this.#shown = this.#typed;
    this.#build(actions);
    if (typed) this.#restore(typed);
    this.#judgeTitle();
    this.#showPatch();
    this.root.addEventListener('input', () => {
      this.#warned = false;
      this.#isUnsent = false;
      this.#problem.clear();
      this.#judgeTitle();
      this.#showPatch();
      actions.typed(this.#isChanged ? this.#typed : undefined);
    });
    this.root.addEventListener('keydown', (event) => {
      this.#onKey(event);
    });
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#while(() => this.#save());
    });
  }

  /** Repeats the save that failed while the API was unreachable. */
  resend(): void {
    if (this.#isUnsent) this.root.requestSubmit();
  }

  focus(): void {
    focusFromTop(this.#title, this.#title.parentElement);
  }

  get #typed(): Typed {
    return { title: this.#title.value, body: this.#body.value, tags: this.#tags.value };
  }

  get #isChanged(): boolean {
    return JSON.stringify(this.#typed) !== JSON.stringify(this.#shown);
  }

  #restore({ title, body, tags }: Typed): void {
    this.#title.value = title;
    this.#body.value = body;
    this.#tags.value = tags;
    this.root.prepend(element('p', { class: 'restored' }, 'Your unsaved changes were restored.'));
  }

  /** The edited note: without cleared members, and with the others unchanged unless they were edited. */
  get note(): Note {
    const note: { -readonly [Member in keyof Note]: Note[Member] } = { ...this.#start };
    const { title, body, tags } = this.#typed;
    if (title !== this.#shown.title) note.title = title;
    if (body !== this.#shown.body) note.body = body;
    if (note.body === '' && body !== this.#shown.body) delete note.body;
    if (tags === this.#shown.tags) return note;
    note.tags = tags.split(',').flatMap((tag) => tag.trim() || []);
    if (note.tags.length === 0) delete note.tags;
    return note;
  }

  /** The JSON Patch that turns the one note into the other. */
  get #operations(): readonly JsonPatchOperation[] {
    return createJsonPatch(this.#start, this.note);
  }

  /** A new note is not sent again by itself: the first attempt may have created it. */
  async #save(): Promise<void> {
    this.#isUnsent = false;
    try {
      await this.#actions.save(this.note);
    } catch (error) {
      this.#isUnsent = error instanceof ConnectionError && this.#actions.existing !== undefined;
      throw error;
    }
  }

  #judgeTitle(): void {
    this.#title.setCustomValidity(this.#title.value.trim() === '' ? 'Title cannot be blank.' : '');
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
    this.root.append(this.#problem.root, actions);
  }

  /** Requires two presses, because it cannot be undone; the second click of a double click does not count. */
  #deletion(remove: () => Promise<void>): HTMLButtonElement {
    let sure = false;
    const made = button('Delete', 'danger push', async ({ detail }) => {
      if (detail > 1) return;
      if (sure) await this.#while(remove);
      sure = true;
      made.textContent = 'Confirm delete';
    });
    made.addEventListener('blur', () => {
      sure = false;
      made.textContent = 'Delete';
    });
    return made;
  }

  /** Shows what would be sent, on demand. */
  #wire({ etag, offer }: NonNullable<EditorActions['existing']>): HTMLElement {
    return element(
      'details',
      { class: 'wire' },
      element('summary', {}, 'What Save sends ', this.#count),
      element(
        'dl',
        { class: 'fields' },
        ...row('Allow', offer.allow.join(', ')),
        ...row('Accept-Patch', offer.acceptPatch.join(', ')),
        ...row('If-Match', etag),
      ),
      element(
        'pre',
        { class: 'code', tabindex: '0', role: 'region', 'aria-label': 'The patch' },
        this.#patch,
      ),
    );
  }

  /** @param marks - JSON Pointers into the patch, to the places that were refused */
  #showPatch(marks: readonly string[] = []): void {
    const operations = this.#operations;
    showJson(this.#patch, JSON.stringify(operations), marks);
    const count = `${String(operations.length)} operation${operations.length === 1 ? '' : 's'}`;
    this.#count.textContent = operations.length === 0 ? 'nothing yet' : count;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.root.requestSubmit();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (!this.#isChanged || this.#warned) {
        void this.#while(this.#actions.cancel);
      } else {
        this.#warned = true;
        this.#problem.say('Your changes are not saved. Press Escape again to discard them.');
      }
    }
  }

  /** Runs one action at a time: a request in progress can neither be sent twice nor be abandoned. */
  async #while(act: () => Promise<void> | void): Promise<void> {
    await unlessBusy(this.root, async () => {
      this.#problem.clear();
      try {
        await act();
      } catch (error) {
        this.#problem.fail(error);
        if (this.#isUnsent) this.#problem.say(unreachable);
        // By pointers only: the last request may contain a merged patch, whose operations have other indexes.
        if (error instanceof ResponseError)
          this.#showPatch(marksIn({ ...error.problem, operation: undefined }, this.#operations));
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
