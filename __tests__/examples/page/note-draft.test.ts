import fc from 'fast-check';
import type { Note } from '../../../examples/note';
import {
  changedMembers,
  draftOf,
  noteOf,
  patchTo,
  rebased,
  type Draft,
} from '../../../examples/page/note-draft';
import { jsonPatch } from 'patch-options';
import { parseContext } from '../../support/parse-context';

const text = fc.oneof(fc.constantFrom('', 'a', 'b'), fc.string());
const drafts: fc.Arbitrary<Draft> = fc.record({
  title: text,
  body: text,
  tags: fc.array(text, { maxLength: 2 }),
});
const notes: fc.Arbitrary<Note> = fc.record(
  { id: fc.constant('1'), title: text, body: text, tags: fc.array(text, { maxLength: 2 }) },
  { requiredKeys: ['id', 'title'] },
);

describe('what the page makes of a form', () => {
  test('the patch makes the note say what the draft does, and touches nothing else', () => {
    fc.assert(
      fc.property(notes, drafts, (note, draft) => {
        const operations = patchTo(draft, note);
        const apply = jsonPatch().parse(Buffer.from(JSON.stringify(operations)), parseContext());
        expect(draftOf(apply(note) as Note)).toEqual(draft);
        expect(operations).toHaveLength(changedMembers(draftOf(note), draft).length);
      }),
    );
  });

  test.each<{
    readonly title: string;
    readonly note: Note;
    readonly changes: Partial<Draft>;
    readonly operations: unknown[];
  }>([
    { title: 'nothing', note: { id: '1', title: 'a', body: '' }, changes: {}, operations: [] },
    {
      title: 'a title',
      note: { id: '1', title: 'a' },
      changes: { title: 'b' },
      operations: [{ op: 'replace', path: '/title', value: 'b' }],
    },
    {
      title: 'a body that was absent',
      note: { id: '1', title: 'a' },
      changes: { body: 'b' },
      operations: [{ op: 'add', path: '/body', value: 'b' }],
    },
    {
      title: 'a body that is emptied',
      note: { id: '1', title: 'a', body: 'b' },
      changes: { body: '' },
      operations: [{ op: 'remove', path: '/body' }],
    },
    {
      title: 'tags',
      note: { id: '1', title: 'a', tags: ['x'] },
      changes: { tags: ['y'] },
      operations: [{ op: 'replace', path: '/tags', value: ['y'] }],
    },
  ])('$title', ({ note, changes, operations }) => {
    expect(patchTo({ ...draftOf(note), ...changes }, note)).toEqual(operations);
  });

  test('what is empty is left out of a new note', () => {
    expect(noteOf({ title: 'a', body: '', tags: [] })).toEqual({ title: 'a' });
  });

  test('keeping mine keeps each of my changes, and of theirs whatever I did not touch', () => {
    fc.assert(
      fc.property(drafts, drafts, drafts, (base, mine, theirs) => {
        const merged = rebased(mine, base, theirs);
        const touched = changedMembers(base, mine);
        for (const member of ['title', 'body', 'tags'] as const)
          expect(merged[member]).toEqual(touched.includes(member) ? mine[member] : theirs[member]);
      }),
    );
  });
});
