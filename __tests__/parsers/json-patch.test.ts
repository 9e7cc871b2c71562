import { jsonPatch } from '../../lib/parsers/json-patch';
import type { PatchLimits } from '../../lib/parsers/patch-parser';
import { parseText, refusal } from '../support/parse-context';

type Row = readonly [target: string, patch: string, result: string];

/** As text in and out, so that the order of members and what `JSON.parse` makes of them is seen too. */
const patched = (target: string, patch: string, limits: Partial<PatchLimits> = {}) =>
  JSON.stringify(parseText(jsonPatch(), patch, limits)(JSON.parse(target)));

const refused = (target: string, patch: string, limits?: Partial<PatchLimits>) =>
  refusal(() => patched(target, patch, limits));

describe('RFC 6902 Appendix A: what is applied', () => {
  test.each<[string, ...Row]>([
    [
      'A.1 an object member',
      '{"foo":"bar"}',
      '[{"op":"add","path":"/baz","value":"qux"}]',
      '{"foo":"bar","baz":"qux"}',
    ],
    [
      'A.2 an array element',
      '{"foo":["bar","baz"]}',
      '[{"op":"add","path":"/foo/1","value":"qux"}]',
      '{"foo":["bar","qux","baz"]}',
    ],
    [
      'A.3 removing a member',
      '{"baz":"qux","foo":"bar"}',
      '[{"op":"remove","path":"/baz"}]',
      '{"foo":"bar"}',
    ],
    [
      'A.4 removing an element',
      '{"foo":["bar","qux","baz"]}',
      '[{"op":"remove","path":"/foo/1"}]',
      '{"foo":["bar","baz"]}',
    ],
    [
      'A.5 replacing a value',
      '{"baz":"qux","foo":"bar"}',
      '[{"op":"replace","path":"/baz","value":"boo"}]',
      '{"baz":"boo","foo":"bar"}',
    ],
    [
      'A.6 moving a value',
      '{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}',
      '[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]',
      '{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}',
    ],
    [
      'A.7 moving an element',
      '{"foo":["all","grass","cows","eat"]}',
      '[{"op":"move","from":"/foo/1","path":"/foo/3"}]',
      '{"foo":["all","cows","eat","grass"]}',
    ],
    [
      'A.8 tests that succeed',
      '{"baz":"qux","foo":["a",2,"c"]}',
      '[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]',
      '{"baz":"qux","foo":["a",2,"c"]}',
    ],
    [
      'A.10 a nested object',
      '{"foo":"bar"}',
      '[{"op":"add","path":"/child","value":{"grandchild":{}}}]',
      '{"foo":"bar","child":{"grandchild":{}}}',
    ],
    [
      'A.11 an unknown member is ignored',
      '{"foo":"bar"}',
      '[{"op":"add","path":"/baz","value":"qux","xyz":123}]',
      '{"foo":"bar","baz":"qux"}',
    ],
    [
      'A.14 the order of escapes',
      '{"/":9,"~1":10}',
      '[{"op":"test","path":"/~01","value":10}]',
      '{"/":9,"~1":10}',
    ],
    [
      'A.16 an array as a value',
      '{"foo":["bar"]}',
      '[{"op":"add","path":"/foo/-","value":["abc","def"]}]',
      '{"foo":["bar",["abc","def"]]}',
    ],
  ])('%s', (_, target, patch, result) => {
    expect(patched(target, patch)).toBe(result);
  });
});

describe('RFC 6902 Appendix A: what is refused', () => {
  test.each([
    [
      'A.9 a test that fails',
      '{"baz":"qux"}',
      '[{"op":"test","path":"/baz","value":"bar"}]',
      409,
      'patch-test-failed',
    ],
    [
      'A.12 a target that is not there',
      '{"foo":"bar"}',
      '[{"op":"add","path":"/baz/bat","value":"qux"}]',
      409,
      'patch-conflict',
    ],
    [
      'A.13 a member "op" that stands twice',
      '{"foo":"bar"}',
      '[{"op":"add","path":"/baz","value":"qux","op":"remove"}]',
      400,
      'patch-malformed',
    ],
    [
      'A.15 a number is no string',
      '{"/":9,"~1":10}',
      '[{"op":"test","path":"/~01","value":"10"}]',
      409,
      'patch-test-failed',
    ],
  ])('%s', (_, target, patch, status, code) => {
    expect(refused(target, patch)).toMatchObject({ status, code });
  });
});

describe('RFC 6902 3 and 4: a document that no value could make sense of, refused before there is one', () => {
  test.each<[string, string, string, { operation?: number; pointer?: string }]>([
    ['an object', '{}', 'A JSON Patch document is an array of operations (RFC 6902 3).', {}],
    ['null', 'null', 'A JSON Patch document is an array of operations (RFC 6902 3).', {}],
    ['an operation null', '[null]', 'Operation 0 is not an object.', { operation: 0 }],
    ['an operation list', '[[]]', 'Operation 0 is not an object.', { operation: 0 }],
    ['no op', '[{"path":"/a","value":1}]', 'Operation 0 has no "op" member.', { operation: 0 }],
    [
      'an unknown op',
      '[{"op":"test","path":"","value":1},{"op":"spam","path":"/a","value":1}]',
      'Operation 1 has an "op" that is none of add, remove, replace, move, copy and test.',
      { operation: 1 },
    ],
    [
      'an op in upper case',
      '[{"op":"ADD","path":"/a","value":1}]',
      'Operation 0 has an "op" that is none of add, remove, replace, move, copy and test.',
      { operation: 0 },
    ],
    [
      'an op that objects inherit',
      '[{"op":"toString","path":"/a","value":1}]',
      'Operation 0 has an "op" that is none of add, remove, replace, move, copy and test.',
      { operation: 0 },
    ],
    [
      'an op that is no string',
      '[{"op":["add"],"path":"/a","value":1}]',
      'Operation 0 has an "op" that is none of add, remove, replace, move, copy and test.',
      { operation: 0 },
    ],
    [
      'an op from a prototype',
      '[{"__proto__":{"op":"add"},"path":"/a","value":1}]',
      'Operation 0 has no "op" member.',
      { operation: 0 },
    ],
    ['no path', '[{"op":"remove"}]', 'Operation 0 has no "path" member.', { operation: 0 }],
    [
      'path null',
      '[{"op":"remove","path":null}]',
      'Operation 0 has a "path" that is not a string.',
      { operation: 0 },
    ],
    [
      'path a list of tokens',
      '[{"op":"remove","path":["a"]}]',
      'Operation 0 has a "path" that is not a string.',
      { operation: 0 },
    ],
    [
      'path no pointer',
      '[{"op":"remove","path":"a/b"}]',
      'Operation 0 has a "path" that is not a JSON Pointer: it is empty or begins with "/", and "~" stands only in "~0" and "~1".',
      { operation: 0, pointer: 'a/b' },
    ],
    [
      'path with a wrong escape',
      '[{"op":"remove","path":"/a~2"}]',
      'Operation 0 has a "path" that is not a JSON Pointer: it is empty or begins with "/", and "~" stands only in "~0" and "~1".',
      { operation: 0, pointer: '/a~2' },
    ],
    [
      'add without value',
      '[{"op":"add","path":"/a"}]',
      'Operation 0 has no "value" member.',
      { operation: 0 },
    ],
    [
      'replace without value',
      '[{"op":"replace","path":"/a"}]',
      'Operation 0 has no "value" member.',
      { operation: 0 },
    ],
    [
      'test without value',
      '[{"op":"test","path":"/a"}]',
      'Operation 0 has no "value" member.',
      { operation: 0 },
    ],
    [
      'move without from',
      '[{"op":"move","path":"/a"}]',
      'Operation 0 has no "from" member.',
      { operation: 0 },
    ],
    [
      'copy without from',
      '[{"op":"copy","path":"/a"}]',
      'Operation 0 has no "from" member.',
      { operation: 0 },
    ],
    [
      'from a number',
      '[{"op":"copy","path":"/a","from":1}]',
      'Operation 0 has a "from" that is not a string.',
      { operation: 0 },
    ],
    [
      '4.4 a move into its own child',
      '[{"op":"move","from":"/a","path":"/a/b"}]',
      'Operation 0 moves a value into itself (RFC 6902 4.4).',
      { operation: 0, pointer: '/a/b' },
    ],
    [
      '4.4 a move of the whole document',
      '[{"op":"move","from":"","path":"/a"}]',
      'Operation 0 moves a value into itself (RFC 6902 4.4).',
      { operation: 0, pointer: '/a' },
    ],
    [
      '4.2 nothing left',
      '[{"op":"remove","path":""}]',
      'Operation 0 removes the whole document, which is for DELETE to do.',
      { operation: 0, pointer: '' },
    ],
    [
      '4.2 nothing left for the next operation',
      '[{"op":"remove","path":""},{"op":"add","path":"/a","value":1}]',
      'Operation 0 removes the whole document, which is for DELETE to do.',
      { operation: 0, pointer: '' },
    ],
  ])('%s', (_, patch, detail, place) => {
    expect(refusal(() => parseText(jsonPatch(), patch))).toEqual({
      status: 400,
      title: 'Bad Request',
      code: 'patch-malformed',
      detail,
      ...place,
    });
  });
});
