import { OptionsCheck } from '../../../lib/config/options-check';
import { jsonPatch } from '../../../lib/patch/formats/json-patch';
import { mergePatch } from '../../../lib/patch/formats/merge-patch';
import { compileParsers } from '../../../lib/patch/formats/format-table';
import type { PatchParser } from '../../../lib/patch/formats/patch-parser';
import { mistakesOf, shown } from '../../support/mistakes-of';

const custom = (mediaType: string | readonly string[]): PatchParser => ({
  mediaType,
  parse: () => (current) => current,
});

/** As patchHandler does it. */
function compile(parsers: readonly PatchParser[]) {
  const check = new OptionsCheck('patchHandler()');
  const table = compileParsers(parsers, check);
  check.done();
  return table;
}

const mistaken = (make: () => unknown) =>
  mistakesOf(make).map(({ option, value, code }) => [option, value, code]);

describe('RFC 5789 3.1: Accept-Patch', () => {
  test('lists every media type once, in the order of the parsers, in lower case', () => {
    const parsers = [
      jsonPatch(),
      mergePatch({ json: true, mediaType: ['application/merge-patch+json', 'Application/JSON'] }),
      custom('text/x-diff'),
    ];
    expect(compile(parsers).mediaTypes).toEqual([
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/json',
      'text/x-diff',
    ]);
  });
});

describe('RFC 9110 8.3.1: type and subtype are case-insensitive', () => {
  const json = jsonPatch();
  const merge = mergePatch();
  const table = compile([json, merge]);

  test.each([
    { type: 'application/json-patch+json', parser: json },
    { type: 'Application/JSON-Patch+JSON', parser: json },
    { type: 'application/merge-patch+json', parser: merge },
    { type: 'application/json', parser: undefined },
    { type: 'application/json-patch+json ', parser: undefined },
    { type: '', parser: undefined },
    { type: '__proto__', parser: undefined },
  ])('"$type"', ({ type, parser }) => {
    expect(table.find(type)).toBe(parser);
  });
});

describe('mistakes are found at start', () => {
  test.each<{
    readonly title: string;
    readonly parsers: readonly unknown[];
    readonly mistakes: readonly (readonly [option: string, value: unknown, code: string])[];
  }>([
    { title: 'none', parsers: [], mistakes: [['parsers', [], 'option-empty']] },
    {
      title: 'the same twice',
      parsers: [jsonPatch(), jsonPatch()],
      mistakes: [['parsers[1]', 'application/json-patch+json', 'parser-duplicate']],
    },
    {
      title: 'two for one type, in other case',
      parsers: [mergePatch(), custom('Application/Merge-Patch+JSON')],
      mistakes: [['parsers[1]', 'application/merge-patch+json', 'parser-duplicate']],
    },
    {
      title: 'one type twice in one parser',
      parsers: [custom(['text/a', 'text/a'])],
      mistakes: [['parsers[0]', 'text/a', 'parser-duplicate']],
    },
    {
      title: 'a parameter',
      parsers: [custom('text/a;charset=utf-8')],
      mistakes: [['parsers[0].mediaType', 'text/a;charset=utf-8', 'media-type-invalid']],
    },
    {
      title: 'a wildcard',
      parsers: [custom('application/*')],
      mistakes: [['parsers[0].mediaType', 'application/*', 'media-type-invalid']],
    },
    {
      title: 'no subtype',
      parsers: [custom('json')],
      mistakes: [['parsers[0].mediaType', 'json', 'media-type-invalid']],
    },
    {
      title: 'no type at all',
      parsers: [custom([])],
      mistakes: [['parsers[0].mediaType', [], 'option-empty']],
    },
    {
      title: 'the function, not called',
      parsers: [jsonPatch],
      mistakes: [['parsers[0]', jsonPatch, 'option-type']],
    },
    {
      title: 'several at once',
      parsers: [
        undefined,
        { mediaType: 'text/a', parse: 'a' },
        { ...custom([]), mediaType: ['', 'text/b', ' text/c', ['text/d']] },
        { mediaType: 'text/e' },
      ],
      mistakes: [
        ['parsers[0]', undefined, 'option-type'],
        ['parsers[1]', { mediaType: 'text/a', parse: 'a' }, 'option-type'],
        ['parsers[2].mediaType', '', 'media-type-invalid'],
        ['parsers[2].mediaType', ' text/c', 'media-type-invalid'],
        ['parsers[2].mediaType', ['text/d'], 'media-type-invalid'],
        ['parsers[3]', { mediaType: 'text/e' }, 'option-type'],
      ],
    },
  ])('$title', ({ parsers, mistakes }) => {
    expect(mistaken(() => compile(parsers as PatchParser[]))).toEqual(
      mistakes.map(([option, value, code]) => [option, shown(value), code]),
    );
  });

  test('parsers that are no list', () => {
    const parsers = jsonPatch() as unknown as PatchParser[];
    expect(mistaken(() => compile(parsers))).toEqual([['parsers', 'an object', 'option-type']]);
  });

  test.each([{ make: jsonPatch }, { make: mergePatch }])(
    '$make.name() with a media type that is none, and an option of another name',
    ({ make }) => {
      const options = { mediaType: 'merge', mediatype: 'application/json' };
      expect(mistaken(() => make(options))).toEqual([
        ['mediatype', 'a string', 'option-unknown'],
        ['mediaType', "'merge'", 'media-type-invalid'],
      ]);
    },
  );
});
