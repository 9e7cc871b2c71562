/** A patch format of your own: find and replace. If two people or agents edit one text, both edits are kept. */
import express from 'express';
import { MemoryStore, mergePatch, PatchError, type PatchParser, patchOptions, resource } from 'patch-options';

interface Edit {
  readonly find: string;
  readonly replace: string;
}

/** Reads edits of the text in one member, such as `[{ "find": "green", "replace": "black" }]`. */
function textEdits<Member extends string>(member: Member): PatchParser<Readonly<Record<Member, string>>> {
  return {
    mediaType: 'application/vnd.example.text-edits+json',

    // Called once for each attempt to write. A malformed document gets 400.
    parse(document, { limits }) {
      const edits = readEdits(document);
      if (edits.length > Math.min(100, limits.operations))
        throw new PatchError('limit-operations', 'Too many edits');

      // Called with the current state, and again with the next one if another write came first. Edits that do not fit it get 409.
      return (current) => {
        const text: unknown = current[member];
        if (typeof text !== 'string') throw new PatchError('patch-conflict', `${member} is not a text`);
        return { ...current, [member]: applyEdits(text, edits) };
      };
    },
  };
}

function readEdits(document: Buffer): readonly Edit[] {
  let edits: unknown;
  try {
    edits = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(document));
  } catch {
    throw new PatchError('patch-malformed', 'The document is not JSON in UTF-8');
  }
  if (!Array.isArray(edits)) throw new PatchError('patch-malformed', 'The document is not a list of edits');
  const operation = edits.findIndex((edit) => !isEdit(edit));
  if (operation === -1) return edits as readonly Edit[];
  const detail = `Edit ${operation} is not { "find": …, "replace": … } with two texts, the first not empty`;
  throw new PatchError('patch-malformed', detail, { operation });
}

function isEdit(edit: unknown): edit is Edit {
  const { find, replace, ...others } = Object(edit) as Partial<Record<keyof Edit, unknown>>;
  // Half of a character that takes two code units would match within it.
  const isText = (value: unknown) => typeof value === 'string' && !/\p{Surrogate}/u.test(value);
  return find !== '' && isText(find) && isText(replace) && Object.keys(others).length === 0;
}

/** Finds all edits in the same text, so their order does not matter, and none changes what another has written. */
function applyEdits(text: string, edits: readonly Edit[]): string {
  // A search can cost the product of both lengths.
  const cost = edits.reduce((sum, { find }) => sum + find.length * text.length, 0);
  if (cost > 500_000_000)
    throw new PatchError('limit-operations', 'The texts to find are too long for this text');
  const places = edits.map(({ find, replace }, operation) => {
    const times = countMatches(text, find);
    const start = text.indexOf(find);
    if (times === 1) return { start, end: start + find.length, replace, operation };
    const often = times === 0 ? 'nowhere' : times === 100 ? 'at least 100 times' : `${times} times`;
    const detail = `The text to find of edit ${operation} occurs ${often}, and must occur once`;
    throw new PatchError('patch-conflict', detail, { operation });
  });
  let [result, end] = ['', 0];
  for (const place of places.sort((one, other) => one.start - other.start)) {
    const { operation } = place;
    if (place.start < end) throw new PatchError('patch-conflict', 'Two edits overlap', { operation });
    result += text.slice(end, place.start) + place.replace;
    end = place.end;
  }
  return result + text.slice(end);
}

function countMatches(text: string, find: string): number {
  let times = 0;
  for (let at = text.indexOf(find); at !== -1 && times < 100; at = text.indexOf(find, at + 1)) times += 1;
  return times;
}

const notes = new MemoryStore({ tea: { title: 'Tea', body: 'Green tea. Three minutes.' } });
const note = resource(notes, [textEdits('body'), mergePatch()], { key: 'id', respond: 'representation' });

const app = express();
app.use(patchOptions());
app.get('/notes/:id', note.get);
// OPTIONS lists the format in Accept-Patch. If-Match, limits, validate and the rest work as for any other format.
app.patch('/notes/:id', note.patch);
app.listen(3000, '127.0.0.1');
