import { OptionsCheck } from '../../lib/configuration';
import { jsonPatch } from '../../lib/parsers/json-patch/json-patch';
import { mergePatch } from '../../lib/parsers/merge-patch';
import { compileParsers } from '../../lib/parsers/parser-table';
import type { PatchParser } from '../../lib/parsers/patch-parser';
import { mistakesOf } from '../support/mistakes-of';

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

const mistaken = (make: () => unknown) => mistakesOf(make).map(({ option, value }) => [option, value]);

describe('RFC 5789 3.1: Accept-Patch', () => {
  test('lists every media type once, in the order of the parsers, in lower case', () => {
    const parsers = [
      jsonPatch(),
      mergePatch({ mediaType: ['application/merge-patch+json', 'Application/JSON'] }),
      custom('text/x-diff'),
    ];
    expect(compile(parsers).acceptPatch).toEqual([
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
    ['application/json-patch+json', json],
    ['Application/JSON-Patch+JSON', json],
    ['application/merge-patch+json', merge],
    ['application/json', undefined],
    ['application/json-patch+json ', undefined],
    ['', undefined],
    ['__proto__', undefined],
  ])('%j', (type, parser) => {
    expect(table.find(type)).toBe(parser);
  });
});

describe('mistakes are found at start', () => {
  test.each<[string, readonly unknown[], [string, unknown][]]>([
    ['none', [], [['parsers', []]]],
    ['the same twice', [jsonPatch(), jsonPatch()], [['parsers[1]', 'application/json-patch+json']]],
    [
      'two for one type, in other case',
      [mergePatch(), custom('Application/Merge-Patch+JSON')],
      [['parsers[1]', 'application/merge-patch+json']],
    ],
    ['one type twice in one parser', [custom(['text/a', 'text/a'])], [['parsers[0]', 'text/a']]],
    ['a parameter', [custom('text/a;charset=utf-8')], [['parsers[0].mediaType', 'text/a;charset=utf-8']]],
    ['a wildcard', [custom('application/*')], [['parsers[0].mediaType', 'application/*']]],
    ['no subtype', [custom('json')], [['parsers[0].mediaType', 'json']]],
    ['no type at all', [custom([])], [['parsers[0].mediaType', []]]],
    ['the function, not called', [jsonPatch], [['parsers[0]', jsonPatch]]],
    [
      'several at once',
      [undefined, { mediaType: 'text/a' }, custom(['', 'text/b'])],
      [
        ['parsers[0]', undefined],
        ['parsers[1]', { mediaType: 'text/a' }],
        ['parsers[2].mediaType', ''],
      ],
    ],
  ])('%s', (_, parsers, mistakes) => {
    expect(mistaken(() => compile(parsers as PatchParser[]))).toEqual(mistakes);
  });

  test('parsers that are no list', () => {
    const parsers = jsonPatch() as unknown as PatchParser[];
    expect(mistaken(() => compile(parsers))).toEqual([['parsers', parsers]]);
  });

  test('mergePatch() with a media type that is none, and an option of another name', () => {
    const options = { mediaType: 'merge', mediatype: 'application/json' };
    expect(mistaken(() => mergePatch(options))).toEqual([
      ['mediatype', 'application/json'],
      ['mediaType', 'merge'],
    ]);
  });
});
