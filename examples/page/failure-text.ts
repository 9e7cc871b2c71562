import { ClientError, ResponseError } from 'patch-options/client';
import { NotCreatedError } from './notes-api.js';

/** What to tell the person who asked for what failed. A fault of this page itself is thrown on. */
export function failureText(error: unknown): string {
  if (error instanceof ResponseError) return `${error.status}: ${error.message}`;
  if (error instanceof ClientError || error instanceof NotCreatedError) return error.message;
  throw error;
}
