import { jsonPatch } from '../../../lib/parsers/json-patch/json-patch';
import type { PatchLimits } from '../../../lib/parsers/patch-parser';
import { parseText, refusal } from '../../support/parse-context';

type Row = readonly [target: string, patch: string, result: string];

/** As text in and out, so that the order of members and what `JSON.parse` makes of them is seen too. */
const patched = (target: string, patch: string, limits: Partial<PatchLimits> = {}) =>
  JSON.stringify(parseText(jsonPatch(), patch, limits)(JSON.parse(target)));

const refused = (target: string, patch: string, limits?: Partial<PatchLimits>) =>
  refusal(() => patched(target, patch, limits));

/** What is said where the resource is in another state than the patch was written for. */
const advice = 'GET the resource, and write the patch for what it is now.';

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
    [
      'an object',
      '{}',
      'The patch document is no array of operations, as a JSON Patch is (RFC 6902 3). Put a single one into brackets.',
      {},
    ],
    [
      'null',
      'null',
      'The patch document is no array of operations, as a JSON Patch is (RFC 6902 3). Put a single one into brackets.',
      {},
    ],
    [
      'an operation null',
      '[null]',
      'Operation 0 is not an object: write {"op": …, "path": …}.',
      { operation: 0 },
    ],
    [
      'an operation list',
      '[[]]',
      'Operation 0 is not an object: write {"op": …, "path": …}.',
      { operation: 0 },
    ],
    [
      'no op',
      '[{"path":"/a","value":1}]',
      'Operation 0 has no "op" that is one of add, remove, replace, move, copy and test.',
      { operation: 0 },
    ],
    [
      'an unknown op',
      '[{"op":"test","path":"","value":1},{"op":"spam","path":"/a","value":1}]',
      'Operation 1 has no "op" that is one of add, remove, replace, move, copy and test.',
      { operation: 1 },
    ],
    [
      'an op in upper case',
      '[{"op":"ADD","path":"/a","value":1}]',
      'Operation 0 has no "op" that is one of add, remove, replace, move, copy and test.',
      { operation: 0 },
    ],
    [
      'an op that objects inherit',
      '[{"op":"toString","path":"/a","value":1}]',
      'Operation 0 has no "op" that is one of add, remove, replace, move, copy and test.',
      { operation: 0 },
    ],
    [
      'an op that is no string',
      '[{"op":["add"],"path":"/a","value":1}]',
      'Operation 0 has no "op" that is one of add, remove, replace, move, copy and test.',
      { operation: 0 },
    ],
    [
      'an op from a prototype',
      '[{"__proto__":{"op":"add"},"path":"/a","value":1}]',
      'Operation 0 has no "op" that is one of add, remove, replace, move, copy and test.',
      { operation: 0 },
    ],
    [
      'no path',
      '[{"op":"remove"}]',
      'Operation 0 has no "path" that is a JSON Pointer: write a string that is empty or begins with "/", with "~" only in "~0" and "~1".',
      { operation: 0 },
    ],
    [
      'path null',
      '[{"op":"remove","path":null}]',
      'Operation 0 has no "path" that is a JSON Pointer: write a string that is empty or begins with "/", with "~" only in "~0" and "~1".',
      { operation: 0 },
    ],
    [
      'path a list of tokens',
      '[{"op":"remove","path":["a"]}]',
      'Operation 0 has no "path" that is a JSON Pointer: write a string that is empty or begins with "/", with "~" only in "~0" and "~1".',
      { operation: 0 },
    ],
    [
      'path no pointer',
      '[{"op":"remove","path":"a/b"}]',
      'Operation 0 ("a/b") has no "path" that is a JSON Pointer: write a string that is empty or begins with "/", with "~" only in "~0" and "~1".',
      { operation: 0, pointer: 'a/b' },
    ],
    [
      'path with a wrong escape',
      '[{"op":"remove","path":"/a~2"}]',
      'Operation 0 ("/a~2") has no "path" that is a JSON Pointer: write a string that is empty or begins with "/", with "~" only in "~0" and "~1".',
      { operation: 0, pointer: '/a~2' },
    ],
    [
      'add without value',
      '[{"op":"add","path":"/a"}]',
      'Operation 0 has no "value": give it one, null if that is meant.',
      { operation: 0 },
    ],
    [
      'replace without value',
      '[{"op":"replace","path":"/a"}]',
      'Operation 0 has no "value": give it one, null if that is meant.',
      { operation: 0 },
    ],
    [
      'test without value',
      '[{"op":"test","path":"/a"}]',
      'Operation 0 has no "value": give it one, null if that is meant.',
      { operation: 0 },
    ],
    [
      'move without from',
      '[{"op":"move","path":"/a"}]',
      'Operation 0 has no "from" that is a JSON Pointer: write a string that is empty or begins with "/", with "~" only in "~0" and "~1".',
      { operation: 0 },
    ],
    [
      'copy without from',
      '[{"op":"copy","path":"/a"}]',
      'Operation 0 has no "from" that is a JSON Pointer: write a string that is empty or begins with "/", with "~" only in "~0" and "~1".',
      { operation: 0 },
    ],
    [
      'from a number',
      '[{"op":"copy","path":"/a","from":1}]',
      'Operation 0 has no "from" that is a JSON Pointer: write a string that is empty or begins with "/", with "~" only in "~0" and "~1".',
      { operation: 0 },
    ],
    [
      '4.4 a move into its own child',
      '[{"op":"move","from":"/a","path":"/a/b"}]',
      'Operation 0 ("/a/b") moves a value into itself (RFC 6902 4.4): copy it instead.',
      { operation: 0, pointer: '/a/b' },
    ],
    [
      '4.4 a move of the whole document',
      '[{"op":"move","from":"","path":"/a"}]',
      'Operation 0 ("/a") moves a value into itself (RFC 6902 4.4): copy it instead.',
      { operation: 0, pointer: '/a' },
    ],
    [
      '4.2 nothing left',
      '[{"op":"remove","path":""}]',
      'Operation 0 ("") removes the whole document, which is for DELETE to do.',
      { operation: 0, pointer: '' },
    ],
    [
      '4.2 nothing left for the next operation',
      '[{"op":"remove","path":""},{"op":"add","path":"/a","value":1}]',
      'Operation 0 ("") removes the whole document, which is for DELETE to do.',
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

describe('RFC 6902 4: what is applied, beyond the examples', () => {
  test.each<[string, ...Row]>([
    [
      '4.1 add replaces a member in its place',
      '{"a":1,"b":2,"c":3}',
      '[{"op":"add","path":"/b","value":9}]',
      '{"a":1,"b":9,"c":3}',
    ],
    ['4.1 add at the end, by index', '[1,2]', '[{"op":"add","path":"/2","value":3}]', '[1,2,3]'],
    [
      '4.1 "-" is a plain name in an object',
      '{"-":1}',
      '[{"op":"replace","path":"/-","value":2}]',
      '{"-":2}',
    ],
    ['4.1 an index is a plain name in an object', '{}', '[{"op":"add","path":"/01","value":2}]', '{"01":2}'],
    ['4.1 add at the root', '[1]', '[{"op":"add","path":"","value":"text"}]', '"text"'],
    [
      '4.2 the root may go if it comes back',
      '{"a":1}',
      '[{"op":"remove","path":""},{"op":"add","path":"","value":{}}]',
      '{}',
    ],
    [
      '4.3 replace keeps the place',
      '{"a":1,"b":2,"c":3}',
      '[{"op":"replace","path":"/a","value":null}]',
      '{"a":null,"b":2,"c":3}',
    ],
    ['4.3 replace at the root', '{"a":1}', '[{"op":"replace","path":"","value":null}]', 'null'],
    [
      '4.4 a move to where it is does nothing',
      '{"a":1,"b":2}',
      '[{"op":"move","from":"/a","path":"/a"}]',
      '{"a":1,"b":2}',
    ],
    ['4.4 a move of the root to itself', '{"a":1}', '[{"op":"move","from":"","path":""}]', '{"a":1}'],
    ['4.4 a move to the root', '{"a":{"b":1}}', '[{"op":"move","from":"/a","path":""}]', '{"b":1}'],
    [
      '4.4 the path is looked up after the removal',
      '[["x"],["y"],["z"]]',
      '[{"op":"move","from":"/0","path":"/1/0"}]',
      '[["y"],[["x"],"z"]]',
    ],
    [
      '4.4 to a name that begins with its own',
      '{"a":1}',
      '[{"op":"move","from":"/a","path":"/ab"}]',
      '{"ab":1}',
    ],
    ['4.4 to the end', '[1,2,3]', '[{"op":"move","from":"/0","path":"/-"}]', '[2,3,1]'],
    [
      '4.5 a copy into its own child',
      '{"a":{}}',
      '[{"op":"copy","from":"/a","path":"/a/b"}]',
      '{"a":{"b":{}}}',
    ],
    [
      '4.5 a copy of the whole into itself',
      '{"a":1}',
      '[{"op":"copy","from":"","path":"/b"}]',
      '{"a":1,"b":{"a":1}}',
    ],
    [
      '4.5 a copy is changed alone',
      '{"a":{"n":1}}',
      '[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/n","value":2}]',
      '{"a":{"n":1},"b":{"n":2}}',
    ],
    [
      '4.5 a copy of what the patch itself has made, too',
      '{"a":{"n":1}}',
      '[{"op":"add","path":"/a/m","value":0},{"op":"copy","from":"/a","path":"/b"},{"op":"remove","path":"/a/n"},{"op":"add","path":"/b/n","value":2}]',
      '{"a":{"m":0},"b":{"n":2,"m":0}}',
    ],
    ['5 no operation at all', '{"a":1}', '[]', '{"a":1}'],
    [
      '5 one after the other',
      '{}',
      '[{"op":"add","path":"/a","value":[]},{"op":"add","path":"/a/-","value":1},{"op":"add","path":"/a/0","value":0}]',
      '{"a":[0,1]}',
    ],
  ])('%s', (_, target, patch, result) => {
    expect(patched(target, patch)).toBe(result);
  });
});

describe('RFC 6902 4.6: equality', () => {
  const values = '{"n":1,"z":0,"s":"1","o":{"a":1,"b":[1,2]},"l":[1,2],"e":{},"f":false,"x":null,"u":"é"}';
  const tested = (path: string, value: string) => () =>
    patched(values, `[{"op":"test","path":${JSON.stringify(path)},"value":${value}}]`);

  test.each([
    ['/n', '1.0'],
    ['/n', '10e-1'],
    ['/z', '-0'],
    ['/s', '"1"'],
    ['/u', String.raw`"\u00e9"`],
    ['/o', '{"b":[1,2],"a":1}'],
    ['/l', '[1,2]'],
    ['/e', '{}'],
    ['/f', 'false'],
    ['/x', 'null'],
    ['', values],
  ])('%j holds %s', (path, value) => {
    expect(tested(path, value)()).toBe(values);
  });

  test.each([
    ['/n', '"1"'],
    ['/n', 'true'],
    ['/s', '1'],
    ['/u', String.raw`"e\u0301"`],
    ['/o', '{"a":1}'],
    ['/o', '{"a":1,"b":[1,2],"c":null}'],
    ['/o', '{"a":1,"c":[1,2]}'],
    ['/l', '[2,1]'],
    ['/l', '[1]'],
    ['/l', '{"0":1,"1":2}'],
    ['/e', '[]'],
    ['/e', 'null'],
    ['/e', '{"toString":null}'],
    ['/f', 'null'],
    ['/f', '0'],
    ['/x', '{}'],
    ['/absent', 'null'],
    ['/l/2', 'null'],
    ['/l/-', 'null'],
    ['/s/0', '"1"'],
    ['/s/length', '1'],
    ['/o/__proto__', '{}'],
  ])('%j does not hold %s', (path, value) => {
    expect(refusal(tested(path, value))).toEqual({
      status: 409,
      title: 'Conflict',
      code: 'patch-test-failed',
      detail: `Operation 0 ("${path}") tests for a value that is not there. ${advice}`,
      operation: 0,
      pointer: path,
    });
  });
});

describe('RFC 5789 2.2: a document that the present value does not fit', () => {
  const value = '{"list":[1,2],"text":"secret","nothing":null,"object":{"a":1}}';
  const absent = 'names a place that is not there';
  const beyond = 'names an index beyond the end of the array';
  const noIndex = 'names an array element by what is no index: write digits, or "-" for the end';

  test.each<[op: string, path: string, from: string | undefined, reason: string, pointer: string]>([
    ['add', '/missing/a', undefined, absent, '/missing/a'],
    ['add', '/text/a', undefined, absent, '/text/a'],
    ['add', '/text/0', undefined, absent, '/text/0'],
    ['add', '/nothing/a', undefined, absent, '/nothing/a'],
    ['add', '/list/3', undefined, beyond, '/list/3'],
    ['add', '/list/4294967295', undefined, beyond, '/list/4294967295'],
    ['add', '/list/18446744073709551616', undefined, beyond, '/list/18446744073709551616'],
    ['add', '/list/01', undefined, noIndex, '/list/01'],
    ['add', '/list/-1', undefined, noIndex, '/list/-1'],
    ['add', '/list/1e0', undefined, noIndex, '/list/1e0'],
    ['add', '/list/length', undefined, noIndex, '/list/length'],
    ['add', '/list/__proto__', undefined, noIndex, '/list/__proto__'],
    ['add', '/list/', undefined, noIndex, '/list/'],
    ['add', '/list/-/a', undefined, absent, '/list/-/a'],
    ['add', '/__proto__/polluted', undefined, absent, '/__proto__/polluted'],
    ['add', '/constructor/prototype/polluted', undefined, absent, '/constructor/prototype/polluted'],
    ['replace', '/missing', undefined, absent, '/missing'],
    ['replace', '/list/2', undefined, absent, '/list/2'],
    ['replace', '/list/-', undefined, absent, '/list/-'],
    ['replace', '/list/00', undefined, absent, '/list/00'],
    ['replace', '/object/toString', undefined, absent, '/object/toString'],
    ['replace', '/__proto__', undefined, absent, '/__proto__'],
    ['remove', '/missing', undefined, absent, '/missing'],
    ['remove', '/list/2', undefined, absent, '/list/2'],
    ['remove', '/list/-', undefined, absent, '/list/-'],
    ['remove', '/list/length', undefined, absent, '/list/length'],
    ['remove', '/object/hasOwnProperty', undefined, absent, '/object/hasOwnProperty'],
    ['move', '/a', '/missing', absent, '/missing'],
    ['move', '/missing/a', '/text', absent, '/missing/a'],
    ['move', '/missing', '/missing', absent, '/missing'],
    ['move', '/list/2', '/list/0', beyond, '/list/2'],
    ['move', '/a', '/list/-', absent, '/list/-'],
    ['copy', '/a', '/missing', absent, '/missing'],
    ['copy', '/a', '/object/constructor', absent, '/object/constructor'],
    ['copy', '/list/3', '/list/0', beyond, '/list/3'],
  ])('%s %s from %s', (op, path, from, reason, pointer) => {
    const operation = JSON.stringify({
      op,
      path,
      from,
      value: op === 'add' || op === 'replace' ? 1 : undefined,
    });
    expect(refused(value, `[{"op":"test","path":"/text","value":"secret"},${operation}]`)).toEqual({
      status: 409,
      title: 'Conflict',
      code: 'patch-conflict',
      detail: `Operation 1 ("${pointer}") ${reason}. ${advice}`,
      operation: 1,
      pointer,
    });
  });

  test('a pointer of any length is not echoed at that length', () => {
    const patch = JSON.stringify([{ op: 'remove', path: '/a'.repeat(100_000) }]);
    expect(refused(value, patch)).toMatchObject({ pointer: '/a'.repeat(500) + '…' });
  });

  test('a scalar has no members', () => {
    expect(refused('"text"', '[{"op":"add","path":"/0","value":1}]')).toMatchObject({
      status: 409,
      pointer: '/0',
    });
  });
});

describe('names that objects inherit are plain member names', () => {
  test.each<Row>([
    ['{}', '[{"op":"add","path":"/__proto__","value":{"polluted":1}}]', '{"__proto__":{"polluted":1}}'],
    [
      '{"__proto__":{"a":1}}',
      '[{"op":"add","path":"/__proto__/b","value":2}]',
      '{"__proto__":{"a":1,"b":2}}',
    ],
    ['{"__proto__":{"a":1},"b":2}', '[{"op":"remove","path":"/__proto__"}]', '{"b":2}'],
    ['{"__proto__":1}', '[{"op":"replace","path":"/__proto__","value":{"c":1}}]', '{"__proto__":{"c":1}}'],
    [
      '{"a":{"polluted":1}}',
      '[{"op":"move","from":"/a","path":"/__proto__"}]',
      '{"__proto__":{"polluted":1}}',
    ],
    [
      '{"a":{"polluted":1}}',
      '[{"op":"copy","from":"/a","path":"/__proto__"}]',
      '{"a":{"polluted":1},"__proto__":{"polluted":1}}',
    ],
    [
      '{}',
      '[{"op":"add","path":"/constructor","value":{"prototype":{}}},{"op":"add","path":"/constructor/prototype/polluted","value":1}]',
      '{"constructor":{"prototype":{"polluted":1}}}',
    ],
    [
      '{}',
      '[{"op":"add","path":"/toString","value":1},{"op":"add","path":"/hasOwnProperty","value":2}]',
      '{"toString":1,"hasOwnProperty":2}',
    ],
  ])('%s patched with %s', (target, patch, result) => {
    const value = parseText(jsonPatch(), patch)(JSON.parse(target));
    expect(JSON.stringify(value)).toBe(result);
    expect(value).toEqual(JSON.parse(result));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });
});
