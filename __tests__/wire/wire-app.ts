import type { RequestListener } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import type { OutcomeStore } from 'patch-options';
import type { ExpressModule } from '../support/frameworks';
import type { WireRequest } from './exchange';

/** A store that can be emptied for the next row. */
export interface WireStore extends OutcomeStore {
  delete(key: string): Promise<boolean>;
}

/** An app, and what is sent to it. */
export interface WireApp {
  /** The store has `note` at the key 1 and nothing at 2, before every row. */
  readonly open: (express: ExpressModule, store: WireStore) => RequestListener;
  /** Whether what is answered depends on the store: then it is asked over each kind. */
  readonly stores?: boolean;
  /** By title: a request, or several that follow one another. */
  readonly rows: Readonly<Record<string, WireRequest | readonly WireRequest[]>>;
}

export const note = { title: 'Buy milk', tags: ['home', 'shop'], size: { width: 3, unit: 'cm' } };

/** The origin that the policies allow. */
export const ours = 'https://app.example';

/** In place of Express's own page of an error, which shows the stack. */
export const tellError: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  const { status = 500 } = error as { status?: number };
  if (res.headersSent) next(error);
  else res.status(status).json({ error: String(error) });
};

export const preflight = (path: string, headers: WireRequest['headers'] = {}): WireRequest => ({
  line: `OPTIONS ${path}`,
  headers: { Origin: ours, 'Access-Control-Request-Method': 'PATCH', ...headers },
});

export const mergePatchOf = (
  path: string,
  body: unknown = { title: 'Buy bread' },
  headers: WireRequest['headers'] = {},
): WireRequest => ({
  line: `PATCH ${path}`,
  headers: { 'Content-Type': 'application/merge-patch+json', ...headers },
  body,
});

export const jsonPatchOf = (
  path: string,
  body: unknown,
  headers: WireRequest['headers'] = {},
): WireRequest => ({
  line: `PATCH ${path}`,
  headers: { 'Content-Type': 'application/json-patch+json', ...headers },
  body,
});
