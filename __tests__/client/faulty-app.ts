import type { ServerResponse } from 'node:http';
import express, { type Express, type Request } from 'express';
import { jsonPatch, MemoryStore, patchOptions, resource } from '../../lib';
import type { Note } from './runtime-scenarios';

/**
 * Notes, of which the first request with the right method fails as its query says: `?fault=lost`. `/lines/…` tells what was asked
 * for, and what came of it.
 */
export function faultyApp(): Express {
  const store = new MemoryStore<Note>();
  const lines = new Map<string, string[]>();
  const failed = new Set<string>();
  const app = express();
  app.use(patchOptions({ cors: { origin: '*' } }));

  app.get('/lines/notes/:id', (req, res) => {
    const path = `/notes/${req.params.id}`;
    res.json(lines.get(path) ?? []);
    lines.delete(path);
  });
  app.use('/notes', (req, res, next) => {
    const path = req.baseUrl + req.path;
    const add = (what: string | number): void => {
      lines.set(path, [...(lines.get(path) ?? []), `${req.method} ${what}`]);
    };
    const { fault: name } = req.query;
    const fault = typeof name === 'string' ? faults[name] : undefined;
    if (typeof name === 'string' && fault?.method === req.method && !failed.has(req.url)) {
      if (fault.isLasting !== true) failed.add(req.url);
      add(name);
      if (fault.fail(req, res) === 'answered') return;
    } else {
      res.once('finish', () => {
        add(res.statusCode);
      });
    }
    next();
  });

  const note = resource(store, [jsonPatch()], {
    key: (req) => req.params['id'],
    create: () => ({ title: '', tags: [] }),
    idempotency: 'optional',
  });
  app.route('/notes/:id').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
  app.all('/login', (_req, res) => void res.json({ title: 'Sign in' }));
  return app;
}

interface Fault {
  readonly method: string;
  /** Whether every such request fails. */
  readonly isLasting?: true;
  readonly fail: (req: Request, res: ServerResponse) => 'answered' | 'carried on';
}

const faults: Readonly<Record<string, Fault>> = {
  /** Carried out, and never answered. */
  lost: { method: 'PATCH', fail: onEnd((res) => res.destroy()) },
  dropped: { method: 'PATCH', fail: answering((res) => res.destroy()) },
  /** Half of the content comes. */
  cut: {
    method: 'GET',
    fail: onEnd((res, content) => {
      res.write(content.subarray(0, content.length / 2), () => res.destroy());
    }),
  },
  busy: { method: 'GET', fail: answering((res) => res.writeHead(503, { 'Retry-After': '0' }).end()) },
  later: { method: 'GET', fail: answering((res) => res.writeHead(503, { 'Retry-After': '5' }).end()) },
  silent: { method: 'GET', isLasting: true, fail: answering(() => undefined) },
  redirect: { method: 'PATCH', fail: answering((res) => res.writeHead(303, { Location: '/login' }).end()) },
};

function answering(answer: (res: ServerResponse) => unknown): Fault['fail'] {
  return (_req, res) => {
    answer(res);
    return 'answered';
  };
}

function onEnd(end: (res: ServerResponse, content: Buffer) => unknown): Fault['fail'] {
  return (_req, res) => {
    res.end = ((content: string | Buffer = '') => {
      end(res, Buffer.from(content as string));
      return res;
    }) as ServerResponse['end'];
    return 'carried on';
  };
}
