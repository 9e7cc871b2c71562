import type { Note } from '../note.js';
import type { Operation } from './note-draft.js';

/** A note, and the entity tag of the state that it was read in. */
export interface TaggedNote {
  readonly note: Note;
  readonly tag: string;
}

/** What a resource says that it understands. */
export interface Offer {
  readonly allow: string;
  readonly acceptPatch: string;
}

/** The API's answer where it is not what was asked for: a problem document (RFC 9457), or at least a status. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly title: string;

  constructor({ status, statusText }: Response, text: string) {
    const { title, detail } = problemIn(text);
    super(typeof detail === 'string' ? detail : 'The API gives no reason.');
    this.status = status;
    this.title = typeof title === 'string' ? title : statusText;
  }
}

/** No answer that the page may read: the API does not run, or the browser keeps its answer from this origin. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** The notes API, as a page of another origin uses it. Methods throw `Refusal` and `Unreachable`. */
export class NotesClient {
  readonly #api: string;

  constructor(api: string) {
    this.#api = api;
  }

  async list(): Promise<readonly Note[]> {
    const { text } = await this.#send('/notes');
    return JSON.parse(text) as Note[];
  }

  async read(id: string): Promise<TaggedNote> {
    return taggedNote(await this.#send(pathOf(id)));
  }

  async offer(id: string): Promise<Offer> {
    const { headers } = await this.#send(pathOf(id), { method: 'OPTIONS' });
    return { allow: headers.get('Allow') ?? '', acceptPatch: headers.get('Accept-Patch') ?? '' };
  }

  async create(note: Omit<Note, 'id'>): Promise<TaggedNote> {
    return taggedNote(
      await this.#send('/notes', { method: 'POST', headers: json, body: JSON.stringify(note) }),
    );
  }

  /** Puts a note back that was deleted, unless somebody else did. */
  async restore(note: Note): Promise<TaggedNote> {
    const headers = { ...json, 'If-None-Match': '*' };
    await this.#send(pathOf(note.id), { method: 'PUT', headers, body: JSON.stringify(note) });
    return this.read(note.id);
  }

  /**
   * Sent again, under one key, where no answer comes: the change is made once, and a repeat finds it made.
   *
   * @param tag - the state that is changed, and no other; left out: whatever state there is
   */
  async patch(id: string, operations: readonly Operation[], tag?: string): Promise<TaggedNote> {
    const headers = {
      'Content-Type': 'application/json-patch+json',
      'Idempotency-Key': `"${crypto.randomUUID()}"`,
      Prefer: 'return=representation',
      ...(tag !== undefined && { 'If-Match': tag }),
    };
    const init = { method: 'PATCH', headers, body: JSON.stringify(operations) };
    const answer = await this.#insist(() => this.#send(pathOf(id), init));
    // A repeat is answered without content.
    return answer.text === '' ? this.read(id) : taggedNote(answer);
  }

  async remove(id: string, tag: string): Promise<void> {
    await this.#send(pathOf(id), { method: 'DELETE', headers: { 'If-Match': tag } });
  }

  async #insist(send: () => Promise<Answer>): Promise<Answer> {
    for (const pause of pauses) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return send();
  }

  async #send(path: string, init: RequestInit = {}): Promise<Answer> {
    const signal = AbortSignal.timeout(patience);
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.#api + path, { ...init, signal });
      text = await response.text();
    } catch (cause) {
      throw new Unreachable(`No answer came from ${this.#api}.`, { cause });
    }
    if (!response.ok) throw new Refusal(response, text);
    return { headers: response.headers, text };
  }
}

interface Answer {
  readonly headers: Headers;
  readonly text: string;
}

/** How long an answer may take, in milliseconds. */
const patience = 10_000;

/** What is waited before a request is sent again, in milliseconds. */
const pauses = [200, 800];

const json = { 'Content-Type': 'application/json' };

function pathOf(id: string): string {
  return `/notes/${encodeURIComponent(id)}`;
}

/** The API judges what is a note; that it sends one is relied upon. */
function taggedNote({ headers, text }: Answer): TaggedNote {
  return { note: JSON.parse(text) as Note, tag: headers.get('ETag') ?? '' };
}

function problemIn(text: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(text) as object) };
  } catch {
    return {};
  }
}
