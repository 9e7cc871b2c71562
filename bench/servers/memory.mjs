import etag from 'etag';
import { tracingChannel } from 'node:diagnostics_channel';
import fastJsonPatch from 'fast-json-patch';
import { documents } from './documents.mjs';
import { library } from '../harness/library.mjs';
import { expectsOther, fill, handWrittenRoute, patchOver, readingRoute } from './patch-routes.mjs';

const { MemoryStore } = library();

export async function ours({ document, keys }) {
  return patchOver(await fill(new MemoryStore(), keys, document));
}

/** The same, with somebody who reads each trace of `patch-options:patch`. */
export async function traced(options) {
  let attempts = 0;
  tracingChannel('patch-options:patch').asyncEnd.subscribe((trace) => (attempts += trace.attempts));
  return ours(options);
}

export function handWritten({ document, keys }) {
  const notes = new Map();
  for (let i = 0; i < keys; i++) {
    const value = documents[document](i);
    notes.set(String(i), { value, tag: etag(JSON.stringify(value)) });
  }
  return handWrittenRoute((req, res) => {
    const { id } = req.params;
    const note = notes.get(id);
    if (note === undefined) return res.sendStatus(404);
    if (expectsOther(req, note.tag)) return res.sendStatus(412);
    const { newDocument } = fastJsonPatch.applyPatch(note.value, req.body, true, false);
    const tag = etag(JSON.stringify(newDocument));
    notes.set(id, { value: newDocument, tag });
    return res.set('ETag', tag).status(204).end();
  });
}

export const reader = readingRoute;
