import { jsonPieces } from '../../../../examples/notes/page/json-pieces';
import { times } from '../../../support/deep-scale';
import { fc } from '../../../support/properties';

const textOf = (json: string) =>
  jsonPieces(json)
    ?.map(({ text }) => text)
    .join('');

test.each<{ readonly title: string; readonly json: string; readonly shown: readonly string[] }>([
  { title: 'a member a line', json: '{"a":1,"b":"x"}', shown: ['{', '  "a": 1,', '  "b": "x"', '}'] },
  {
    title: 'what is short stays on its line',
    json: '[{"op":"remove","path":"/a"},[]]',
    shown: ['[', '  {"op": "remove", "path": "/a"},', '  []', ']'],
  },
  {
    title: 'what is long does not',
    json: `[{"op":"replace","path":"/body","value":"${'x'.repeat(40)}"}]`,
    shown: [
      '[',
      '  {',
      '    "op": "replace",',
      '    "path": "/body",',
      `    "value": "${'x'.repeat(40)}"`,
      '  }',
      ']',
    ],
  },
  { title: 'the empty object', json: ' { } ', shown: ['{}'] },
  { title: 'a value without members', json: ' "{,}" ', shown: ['"{,}"'] },
  {
    title: 'numbers that JavaScript cannot hold, escapes and a name that is there twice',
    json: '{"a":12345678901234567890,"a":1e400,"\\u0061":-0.0}',
    shown: ['{', '  "a": 12345678901234567890,', '  "a": 1e400,', '  "\\u0061": -0.0', '}'],
  },
])('$title', ({ json, shown }) => {
  expect(textOf(json)).toBe(shown.join('\n'));
});

test.each(['', '{', '{"a":1}}', 'undefined', '[1,]', "{'a':1}", `${'['.repeat(40)}${']'.repeat(40)}`])(
  'what is not JSON, or nested too deep, is left as it is: %s',
  (text) => {
    expect(jsonPieces(text)).toBeUndefined();
  },
);

test('each piece has the pointer of its value, with ~ and / escaped', () => {
  const pieces = jsonPieces('{"a/b":{"~":[1,2]}}') ?? [];
  const pointers = pieces.filter(({ text }) => /\w|~/.test(text)).map(({ text, pointer }) => [text, pointer]);
  expect(pointers).toEqual([
    ['"a/b": ', '/a~1b'],
    ['"~": ', '/a~1b/~0'],
    ['1', '/a~1b/~0/0'],
    ['2', '/a~1b/~0/1'],
  ]);
});

test('whatever it is: no token is lost, and none changed', () => {
  const tokens = (text: string) => text.match(/"(?:[^"\\]|\\.)*"|[^\s"]/g)?.join('');
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), fc.nat(3), (json, indent) => {
      const sent = JSON.stringify(JSON.parse(json), null, indent);
      expect(tokens(textOf(sent) ?? '')).toBe(tokens(sent));
    }),
    { numRuns: times(75, 100_000) },
  );
});
