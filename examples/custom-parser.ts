/** A custom patch format: `message/byterange` of draft-ietf-httpapi-patch-byterange, for plain texts. */
import { isUtf8 } from 'node:buffer';
import express from 'express';
import {
  entityTag,
  MemoryStore,
  PatchError,
  patchHandler,
  patchOptions,
  type PatchParser,
} from 'patch-options';

/** Supports one range of known length, within the text or appended to its end, and refuses anything else. */
const byteRange: PatchParser<string> = {
  mediaType: 'message/byterange',

  // Called once per request. A document that is malformed, whatever it would be applied to, gets 400.
  parse(document) {
    const [, head = ''] = /^((?:[^\r\n]+\r\n)*)\r\n/.exec(document.toString('latin1')) ?? [];
    const body = document.subarray(head.length + 2);
    const field = (name: string) => new RegExp(`^${name}:[ \t]*(.*?)[ \t]*\r$`, 'im').exec(head)?.[1];
    const range = /^bytes (\d+)-(\d+)\/(?:\d+|\*)$/.exec(field('Content-Range') ?? '');
    const [first, last] = [Number(range?.[1]), Number(range?.[2])];
    const lengths = [last - first + 1, Number(field('Content-Length') ?? body.length)];
    if (body.length === 0 || lengths.some((length) => length !== body.length)) {
      throw new PatchError('patch-malformed', 'The content is not as long as its Content-Range says.');
    }

    // Called with the current state, and again if another write came first, so it must not have side effects.
    // A patch that does not fit the state gets 409.
    return (text) => {
      const bytes = Buffer.from(text);
      if (first > bytes.length) throw new PatchError('patch-conflict', 'The range is beyond the end.');
      const patched = Buffer.concat([bytes.subarray(0, first), body, bytes.subarray(last + 1)]);
      if (isUtf8(patched)) return patched.toString();
      throw new PatchError('patch-conflict', 'The range cuts a character in two.');
    };
  },
};

const texts = new MemoryStore<string>();
void texts.replace('digits', null, '0123456789');

const app = express();
app.use(patchOptions());
app.get('/texts/:name', async (req, res) => {
  const text = await texts.get(req.params.name);
  if (text) res.set('ETag', entityTag(text)).type('text/plain').send(text.value);
  else res.sendStatus(404);
});
// OPTIONS answers Accept-Patch: message/byterange. If-Match, limits and the rest work as for any other format.
app.patch('/texts/:name', patchHandler(texts, [byteRange], { key: 'name' }));
app.listen(3000, '127.0.0.1');
