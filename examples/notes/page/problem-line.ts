import { ClientError, ConnectionError, ResponseError } from 'patch-options/client';
import { element } from './element.js';
import { NotCreatedError } from './notes-api.js';

/** A line that shows what went wrong with an action of the user. */
export class ProblemLine {
  readonly root = element('p', { class: 'problem', role: 'alert' });

  say(text: string): void {
    delete this.root.dataset['passing'];
    this.root.textContent = text;
  }

  clear(): void {
    this.say('');
  }

  /** Errors of this page itself are rethrown. */
  fail(error: unknown): void {
    this.say(failureText(error));
    if (error instanceof ConnectionError) this.root.dataset['passing'] = '';
  }
}

/** Removes the message that a server did not answer, because it does now. */
export function clearPassingProblems(): void {
  for (const line of document.querySelectorAll<HTMLElement>('[data-passing]')) {
    line.replaceChildren();
    delete line.dataset['passing'];
  }
}

export function failureText(error: unknown): string {
  if (error instanceof ConnectionError) return 'The API is not responding. Try again once it is back.';
  if (error instanceof ResponseError) {
    const details = Object.values(error.errors).flat();
    return details.length > 0 && error.pointer === undefined
      ? details.join(' ')
      : `${String(error.status)}: ${error.message}`;
  }
  if (error instanceof ClientError || error instanceof NotCreatedError) return error.message;
  throw error;
}
