import { OptionsCheck } from '../../lib/config/options-check';
import { jsonPatch } from '../../lib/formats/json-patch';
import { mergePatch } from '../../lib/formats/merge-patch';
import { compileParsers } from '../../lib/formats/patch-parser';
import type { ParseContext, PatchParser } from '../../lib/formats/patch-parser';
import type { ResourceStore } from '../../lib/stores/contract/resource-store';
import { parseContext } from '../support/parse-context';

interface Note {
  readonly id: string;
  readonly title: string;
}

/** An app's own format, for notes only. */
const rename: PatchParser<Note> = {
  mediaType: 'text/x-title',
  parse: (document) => (note) => ({ ...note, title: document.toString() }),
};

describe('types', () => {
  test('our parsers fit any store; one for notes fits stores of notes alone', () => {
    const compiles = (
      /** As patchHandler joins them. */
      handler: <T>(store: ResourceStore<T>, parsers: readonly PatchParser<T>[]) => T,
      notes: ResourceStore<Note>,
      lists: ResourceStore<string[]>,
      context: ParseContext,
    ) => {
      const ofNotes = handler(notes, [jsonPatch(), mergePatch()]);
      const title: string = ofNotes.title;
      const named: Note = handler<Note>(notes, [jsonPatch(), mergePatch(), rename]);
      const mixed: Note = handler(notes, [jsonPatch(), rename]);
      const first: string | undefined = handler(lists, [jsonPatch()])[0];
      // @ts-expect-error -- a list is no note
      handler(lists, [rename]);
      // @ts-expect-error -- what a patch makes is not known to be a note
      const unchecked: Note = rename.parse(Buffer.of(), context)(named);
      return [title, mixed, first, unchecked];
    };
    expect(compiles).toBeInstanceOf(Function);
  });

  test("your app's own parser reads and patches notes", () => {
    const check = new OptionsCheck('patchHandler()');
    const parser = compileParsers([jsonPatch(), rename], check).find('text/x-title');
    const patch = parser?.parse(Buffer.from('New'), parseContext());
    expect(patch?.({ id: '1', title: 'Old' })).toEqual({ id: '1', title: 'New' });
  });
});
