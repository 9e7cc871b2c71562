import { OptionsCheck } from '../../../lib/config/options-check';
import { jsonPatch } from '../../../lib/patch/formats/json-patch';
import { mergePatch } from '../../../lib/patch/formats/merge-patch';
import { PatchError } from '../../../lib/patch/formats/patch-error';
import { compileParsers } from '../../../lib/patch/formats/format-table';
import { type ParseContext, parsePatch, type PatchParser } from '../../../lib/patch/formats/patch-parser';
import type * as Json from '../../../lib/json';
import { JsonError } from '../../../lib/json';
import type { ProblemDocument } from '../../../lib/http/problem';
import { applyJsonPatch } from '../../../lib/json/patch/apply-json-patch';
import type { ResourceStore } from '../../../lib/stores/contract/resource-store';
import { parseContext } from '../../support/parse-context';

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

describe('a parser of the app that calls what the library does with JSON', () => {
  const wrapped: PatchParser = {
    mediaType: 'application/vnd.example.patches+json',
    parse(document) {
      const { patch } = JSON.parse(document.toString()) as { patch: unknown };
      return (current) => applyJsonPatch(current, patch);
    },
  };

  test.each([
    { patch: [{ op: 'remove', path: '/none' }], status: 409, code: 'patch-conflict', location: 0 },
    { patch: [{ op: 'test', path: '/a', value: 2 }], status: 409, code: 'patch-test-failed', location: 0 },
    { patch: [{ op: 'delete', path: '/a' }], status: 400, code: 'patch-malformed', location: 0 },
    { patch: Array(1_001).fill({}), status: 413, code: 'limit-operations', location: undefined },
  ])('$code: $status, as jsonPatch() is answered', ({ patch, status, code, location }) => {
    const context = parseContext();
    const document = Buffer.from(JSON.stringify({ patch }));
    const answer = refusalBy(() => parsePatch(wrapped, 'x/y', document, context)({ a: 1 }));
    expect([answer.status, answer.code, answer['operation']]).toEqual([status, code, location]);
    const ours = Buffer.from(JSON.stringify(patch));
    expect(refusalBy(() => parsePatch(jsonPatch(), 'x/y', ours, context)({ a: 1 }))).toEqual(answer);
  });

  /** Unlike `refusal`, for what has its status code already. */
  function refusalBy(run: () => unknown): ProblemDocument {
    try {
      run();
    } catch (error) {
      if (error instanceof PatchError) return error.problem;
      throw error;
    }
    throw new Error('nothing was refused');
  }
});

describe('an error of another copy of patch-options/json, as a bundle without the condition node has one', () => {
  let json: typeof Json | undefined;
  jest.isolateModules(() => {
    json = jest.requireActual<typeof Json>('../../../lib/json');
  });
  const thrownBy = (act: (copy: typeof Json) => unknown): unknown => {
    const parser: PatchParser = {
      mediaType: 'application/x',
      parse: () => () => (json === undefined ? undefined : act(json)),
    };
    try {
      return parsePatch(parser, 'application/x', Buffer.of(), parseContext())({});
    } catch (error) {
      return error;
    }
  };

  test.each([
    { op: { op: 'remove', path: '/a' }, status: 409, code: 'patch-conflict' },
    { op: { op: 'test', path: '', value: 1 }, status: 409, code: 'patch-test-failed' },
    { op: { op: 'unknown', path: '' }, status: 400, code: 'patch-malformed' },
  ])('$code: $status', ({ op, status, code }) => {
    const error = thrownBy(({ applyJsonPatch }) => applyJsonPatch({}, [op] as never));
    expect(json?.JsonError).not.toBe(JsonError);
    expect(error).toBeInstanceOf(PatchError);
    expect(error).toMatchObject({ name: 'PatchError', status, code });
  });

  test('malformed JSON inside the document is a malformed patch: 400', () => {
    const error = thrownBy(({ JsonError }) => {
      throw new JsonError('json-malformed', 'message');
    });
    expect(error).toMatchObject({ status: 400, code: 'patch-malformed' });
  });

  test.each(['null-member', 'of-a-release-to-come'])('%s is no error in what was sent', (code) => {
    const error = thrownBy((copy) => {
      throw new copy.JsonError(code as never, 'message');
    });
    expect(error).toMatchObject({ name: 'JsonError', code });
  });

  test('an error of the app that has such a code stays its own', () => {
    const thrown = Object.assign(new Error('message'), { code: 'patch-conflict' });
    expect(
      thrownBy(() => {
        throw thrown;
      }),
    ).toBe(thrown);
  });
});
