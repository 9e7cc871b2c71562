import { Refusal, Unreachable } from './client.js';

/** What to tell the person who asked for what failed. A fault of this page itself is thrown on. */
export function failureText(error: unknown): string {
  if (error instanceof Refusal) return `${String(error.status)} ${error.title}. ${error.message}`;
  if (error instanceof Unreachable) return `${error.message} Is it running, and may this page call it?`;
  throw error;
}
