import { jsonPatch } from '../../../lib/patch/formats/json-patch';
import type { PatchLimits } from '../../../lib/patch/formats/patch-parser';
import { parseText, refusal } from '../../support/parse-context';

interface Row {
  readonly target: string;
  readonly patch: string;
  readonly result: string;
}

/** As text in and out, so that the order of members and what `JSON.parse` makes of them is seen too. */
const patched = (target: string, patch: string, limits: Partial<PatchLimits> = {}) =>
  JSON.stringify(parseText(jsonPatch(), patch, limits)(JSON.parse(target)));

const refused = (target: string, patch: string, limits?: Partial<PatchLimits>) =>
  refusal(() => patched(target, patch, limits));

/** What is said where the resource is in another state than the patch was written for. */
const advice = 'GET the current resource and make a new patch from it.';

test('RFC 6902 A.13: a member "op" that stands twice is refused', () => {
  const patch = '[{"op":"add","path":"/baz","value":"qux","op":"remove"}]';
  expect(refused('{"foo":"bar"}', patch)).toMatchObject({ status: 400, code: 'patch-malformed' });
});

describe('RFC 6902 3 and 4: a document that no value could make sense of, refused before there is one', () => {
  const pointer =
    'that is a JSON Pointer: an empty string, or one that begins with "/" and has "~" only in "~0" and "~1".';
  const says = {
    noList:
      'A JSON Patch must be an array of operations (RFC 6902 3). Put a single operation in an array too.',
    noObject: 'must be an object: {"op": …, "path": …}.',
    noOp: 'must have an "op": one of add, remove, replace, move, copy and test.',
    noPath: `must have a "path" ${pointer}`,
    noFrom: `must have a "from" ${pointer}`,
    noValue: 'must have a "value". Use null if that is what you mean.',
    intoItself: 'moves a value into itself (RFC 6902 4.4). Copy it instead.',
    nothingLeft: 'removes the whole document. Use DELETE for that.',
  };

  test.each<{
    readonly title: string;
    readonly patch: string;
    /** Of the detail, behind the number and the path of the operation. */
    readonly says: string;
    /** Default 0; null: it is not one operation that is wrong. */
    readonly operation?: number | null;
    readonly pointer?: string;
  }>([
    { title: 'an object', patch: '{}', says: says.noList, operation: null },
    { title: 'null', patch: 'null', says: says.noList, operation: null },
    { title: 'an operation null', patch: '[null]', says: says.noObject },
    { title: 'an operation list', patch: '[[]]', says: says.noObject },
    { title: 'no op', patch: '[{"path":"/a","value":1}]', says: says.noOp },
    {
      title: 'an unknown op',
      patch: '[{"op":"test","path":"","value":1},{"op":"spam","path":"/a","value":1}]',
      says: says.noOp,
      operation: 1,
    },
    { title: 'an op in upper case', patch: '[{"op":"ADD","path":"/a","value":1}]', says: says.noOp },
    {
      title: 'an op that objects inherit',
      patch: '[{"op":"toString","path":"/a","value":1}]',
      says: says.noOp,
    },
    { title: 'an op that is no string', patch: '[{"op":["add"],"path":"/a","value":1}]', says: says.noOp },
    {
      title: 'an op from a prototype',
      patch: '[{"__proto__":{"op":"add"},"path":"/a","value":1}]',
      says: says.noOp,
    },
    { title: 'no path', patch: '[{"op":"remove"}]', says: says.noPath },
    { title: 'path null', patch: '[{"op":"remove","path":null}]', says: says.noPath },
    { title: 'path a list of tokens', patch: '[{"op":"remove","path":["a"]}]', says: says.noPath },
    { title: 'path no pointer', patch: '[{"op":"remove","path":"a/b"}]', says: says.noPath, pointer: 'a/b' },
    {
      title: 'path with a wrong escape',
      patch: '[{"op":"remove","path":"/a~2"}]',
      says: says.noPath,
      pointer: '/a~2',
    },
    { title: 'add without value', patch: '[{"op":"add","path":"/a"}]', says: says.noValue },
    { title: 'replace without value', patch: '[{"op":"replace","path":"/a"}]', says: says.noValue },
    { title: 'test without value', patch: '[{"op":"test","path":"/a"}]', says: says.noValue },
    { title: 'move without from', patch: '[{"op":"move","path":"/a"}]', says: says.noFrom },
    { title: 'copy without from', patch: '[{"op":"copy","path":"/a"}]', says: says.noFrom },
    { title: 'from a number', patch: '[{"op":"copy","path":"/a","from":1}]', says: says.noFrom },
    {
      title: '4.4 a move into its own child',
      patch: '[{"op":"move","from":"/a","path":"/a/b"}]',
      says: says.intoItself,
      pointer: '/a/b',
    },
    {
      title: '4.4 a move of the whole document',
      patch: '[{"op":"move","from":"","path":"/a"}]',
      says: says.intoItself,
      pointer: '/a',
    },
    { title: '4.2 nothing left', patch: '[{"op":"remove","path":""}]', says: says.nothingLeft, pointer: '' },
    {
      title: '4.2 nothing left for the next operation',
      patch: '[{"op":"remove","path":""},{"op":"add","path":"/a","value":1}]',
      says: says.nothingLeft,
      pointer: '',
    },
  ])('$title', ({ patch, says: words, operation = 0, pointer }) => {
    const place = operation === null ? {} : { operation, ...(pointer === undefined ? {} : { pointer }) };
    const path = pointer === undefined ? '' : ` ("${pointer}")`;
    expect(refusal(() => parseText(jsonPatch(), patch))).toEqual({
      status: 400,
      title: 'Bad Request',
      code: 'patch-malformed',
      detail: operation === null ? words : `Operation ${operation}${path} ${words}`,
      ...place,
    });
  });
});

describe('RFC 6902 4: what is applied, beyond the examples', () => {
  test.each<{ readonly title: string } & Row>([
    {
      title: '4.1 add replaces a member in its place',
      target: '{"a":1,"b":2,"c":3}',
      patch: '[{"op":"add","path":"/b","value":9}]',
      result: '{"a":1,"b":9,"c":3}',
    },
    {
      title: '4.1 add at the end, by index',
      target: '[1,2]',
      patch: '[{"op":"add","path":"/2","value":3}]',
      result: '[1,2,3]',
    },
    {
      title: '4.1 "-" is a plain name in an object',
      target: '{"-":1}',
      patch: '[{"op":"replace","path":"/-","value":2}]',
      result: '{"-":2}',
    },
    {
      title: '4.1 an index is a plain name in an object',
      target: '{}',
      patch: '[{"op":"add","path":"/01","value":2}]',
      result: '{"01":2}',
    },
    {
      title: '4.1 add at the root',
      target: '[1]',
      patch: '[{"op":"add","path":"","value":"text"}]',
      result: '"text"',
    },
    {
      title: '4.2 the root may go if it comes back',
      target: '{"a":1}',
      patch: '[{"op":"remove","path":""},{"op":"add","path":"","value":{}}]',
      result: '{}',
    },
    {
      title: '4.3 replace keeps the place',
      target: '{"a":1,"b":2,"c":3}',
      patch: '[{"op":"replace","path":"/a","value":null}]',
      result: '{"a":null,"b":2,"c":3}',
    },
    {
      title: '4.3 replace at the root',
      target: '{"a":1}',
      patch: '[{"op":"replace","path":"","value":null}]',
      result: 'null',
    },
    {
      title: '4.4 a move to where it is does nothing',
      target: '{"a":1,"b":2}',
      patch: '[{"op":"move","from":"/a","path":"/a"}]',
      result: '{"a":1,"b":2}',
    },
    {
      title: '4.4 a move of the root to itself',
      target: '{"a":1}',
      patch: '[{"op":"move","from":"","path":""}]',
      result: '{"a":1}',
    },
    {
      title: '4.4 a move to the root',
      target: '{"a":{"b":1}}',
      patch: '[{"op":"move","from":"/a","path":""}]',
      result: '{"b":1}',
    },
    {
      title: '4.4 the path is looked up after the removal',
      target: '[["x"],["y"],["z"]]',
      patch: '[{"op":"move","from":"/0","path":"/1/0"}]',
      result: '[["y"],[["x"],"z"]]',
    },
    {
      title: '4.4 to a name that begins with its own',
      target: '{"a":1}',
      patch: '[{"op":"move","from":"/a","path":"/ab"}]',
      result: '{"ab":1}',
    },
    {
      title: '4.4 to the end',
      target: '[1,2,3]',
      patch: '[{"op":"move","from":"/0","path":"/-"}]',
      result: '[2,3,1]',
    },
    {
      title: '4.5 a copy into its own child',
      target: '{"a":{}}',
      patch: '[{"op":"copy","from":"/a","path":"/a/b"}]',
      result: '{"a":{"b":{}}}',
    },
    {
      title: '4.5 a copy of the whole into itself',
      target: '{"a":1}',
      patch: '[{"op":"copy","from":"","path":"/b"}]',
      result: '{"a":1,"b":{"a":1}}',
    },
    {
      title: '4.5 a copy is changed alone',
      target: '{"a":{"n":1}}',
      patch: '[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/n","value":2}]',
      result: '{"a":{"n":1},"b":{"n":2}}',
    },
    {
      title: '4.5 a copy of what the patch itself has made, too',
      target: '{"a":{"n":1}}',
      patch:
        '[{"op":"add","path":"/a/m","value":0},{"op":"copy","from":"/a","path":"/b"},{"op":"remove","path":"/a/n"},{"op":"add","path":"/b/n","value":2}]',
      result: '{"a":{"m":0},"b":{"n":2,"m":0}}',
    },
    { title: '5 no operation at all', target: '{"a":1}', patch: '[]', result: '{"a":1}' },
    {
      title: '5 one after the other',
      target: '{}',
      patch:
        '[{"op":"add","path":"/a","value":[]},{"op":"add","path":"/a/-","value":1},{"op":"add","path":"/a/0","value":0}]',
      result: '{"a":[0,1]}',
    },
  ])('$title', ({ target, patch, result }) => {
    expect(patched(target, patch)).toBe(result);
  });
});

describe('RFC 6902 4.6: equality', () => {
  const values = '{"n":1,"z":0,"s":"1","o":{"a":1,"b":[1,2]},"l":[1,2],"e":{},"f":false,"x":null,"u":"é"}';
  const tested = (path: string, value: string) => () =>
    patched(values, `[{"op":"test","path":${JSON.stringify(path)},"value":${value}}]`);

  test.each([
    { path: '/n', value: '1.0' },
    { path: '/n', value: '10e-1' },
    { path: '/z', value: '-0' },
    { path: '/s', value: '"1"' },
    { path: '/u', value: String.raw`"\u00e9"` },
    { path: '/o', value: '{"b":[1,2],"a":1}' },
    { path: '/l', value: '[1,2]' },
    { path: '/e', value: '{}' },
    { path: '/f', value: 'false' },
    { path: '/x', value: 'null' },
    { path: '', value: values },
  ])('"$path" holds $value', ({ path, value }) => {
    expect(tested(path, value)()).toBe(values);
  });

  test.each([
    { path: '/n', value: '"1"' },
    { path: '/n', value: 'true' },
    { path: '/s', value: '1' },
    { path: '/u', value: String.raw`"e\u0301"` },
    { path: '/o', value: '{"a":1}' },
    { path: '/o', value: '{"a":1,"b":[1,2],"c":null}' },
    { path: '/o', value: '{"a":1,"c":[1,2]}' },
    { path: '/l', value: '[2,1]' },
    { path: '/l', value: '[1]' },
    { path: '/l', value: '{"0":1,"1":2}' },
    { path: '/e', value: '[]' },
    { path: '/e', value: 'null' },
    { path: '/e', value: '{"toString":null}' },
    { path: '/f', value: 'null' },
    { path: '/f', value: '0' },
    { path: '/x', value: '{}' },
    { path: '/absent', value: 'null' },
    { path: '/l/2', value: 'null' },
    { path: '/l/-', value: 'null' },
    { path: '/s/0', value: '"1"' },
    { path: '/s/length', value: '1' },
    { path: '/o/__proto__', value: '{}' },
  ])('"$path" does not hold $value', ({ path, value }) => {
    expect(refusal(tested(path, value))).toEqual({
      status: 409,
      title: 'Conflict',
      code: 'patch-test-failed',
      detail: `Operation 0 ("${path}") failed its test: the value is different or does not exist. ${advice}`,
      operation: 0,
      pointer: path,
    });
  });
});

describe('RFC 5789 2.2: a document that the present value does not fit', () => {
  const value = '{"list":[1,2],"text":"secret","nothing":null,"object":{"a":1,"t":true}}';
  const again = `. ${advice}`;
  const noPath = 'refers to a path that does not exist';
  const none = `${noPath}${again}`;
  const useAdd = 'refers to a member that does not exist. To set it whether or not it exists, use "add".';
  const beyond = 'uses an array index beyond the end of the array';
  const append = `${beyond}. To append, use "add" with the index "-".`;
  const noIndex = 'uses an invalid array index: it must be a number without leading zeros';
  const noIndexToAdd = `${noIndex}, or "-" to append.`;
  const end = 'uses "-", which is the position after the last element';
  const missing = (place: string): string => `${noPath}: "${place}" is missing`;
  const first = '. Add that first, as an object or an array.';
  const is = (place: string, kind: string): string => `${noPath}: "${place}" is ${kind}`;
  const instead = '. Replace that with an object or an array first.';

  test.each<{
    readonly op: string;
    readonly path: string;
    readonly from?: string;
    readonly reason: string;
    readonly pointer?: string;
  }>([
    { op: 'add', path: '/missing/a', reason: `${missing('/missing')}${first}` },
    { op: 'add', path: '/missing/a/b/c', reason: `${missing('/missing')}${first}` },
    { op: 'add', path: '/object/b/c', reason: `${missing('/object/b')}${first}` },
    { op: 'add', path: '/object/a~1~0/c', reason: `${missing('/object/a~1~0')}${first}` },
    { op: 'add', path: '/object/\u001b[2J/c', reason: `${missing('/object/\\u001b[2J')}${first}` },
    { op: 'add', path: '//a', reason: `${missing('/')}${first}` },
    { op: 'add', path: '/text/a', reason: `${is('/text', 'a string')}${instead}` },
    { op: 'add', path: '/text/0', reason: `${is('/text', 'a string')}${instead}` },
    { op: 'add', path: '/nothing/a', reason: `${is('/nothing', 'null')}${instead}` },
    { op: 'add', path: '/nothing/a/b', reason: `${is('/nothing', 'null')}${instead}` },
    { op: 'add', path: '/object/a/b', reason: `${is('/object/a', 'a number')}${instead}` },
    { op: 'add', path: '/object/t/b', reason: `${is('/object/t', 'a boolean')}${instead}` },
    { op: 'add', path: '/list/3', reason: append },
    { op: 'add', path: '/list/4294967295', reason: append },
    { op: 'add', path: '/list/18446744073709551616', reason: append },
    { op: 'add', path: '/list/2/a', reason: `${beyond} ("/list/2")${again}` },
    { op: 'add', path: '/list/01', reason: noIndexToAdd },
    { op: 'add', path: '/list/-1', reason: noIndexToAdd },
    { op: 'add', path: '/list/1e0', reason: noIndexToAdd },
    { op: 'add', path: '/list/length', reason: noIndexToAdd },
    { op: 'add', path: '/list/__proto__', reason: noIndexToAdd },
    { op: 'add', path: '/list/', reason: noIndexToAdd },
    {
      op: 'add',
      path: '/list/first/a',
      reason: 'uses an invalid array index ("/list/first"): it must be a number without leading zeros.',
    },
    {
      op: 'add',
      path: '/list/-/a',
      reason:
        'uses "-" ("/list/-"), which is the position after the last element. Use the index of an element.',
    },
    { op: 'add', path: '/__proto__/polluted', reason: `${missing('/__proto__')}${first}` },
    { op: 'add', path: '/constructor/prototype/polluted', reason: `${missing('/constructor')}${first}` },
    { op: 'replace', path: '/missing', reason: useAdd },
    { op: 'replace', path: '/missing/a', reason: `${missing('/missing')}${first}` },
    { op: 'replace', path: '/nothing/a', reason: `${is('/nothing', 'null')}${instead}` },
    {
      op: 'replace',
      path: '/',
      reason:
        'refers to the member with the empty name, which does not exist. The path of the whole document is "".',
    },
    { op: 'replace', path: '/list/2', reason: append },
    { op: 'replace', path: '/list/-', reason: `${end}. To append, use "add".` },
    { op: 'replace', path: '/list/-1', reason: `${noIndex}.` },
    { op: 'replace', path: '/list/00', reason: `${noIndex}.` },
    { op: 'replace', path: '/object/toString', reason: useAdd },
    { op: 'replace', path: '/__proto__', reason: useAdd },
    { op: 'remove', path: '/missing', reason: none },
    { op: 'remove', path: '/missing/a', reason: `${missing('/missing')}${again}` },
    { op: 'remove', path: '/nothing/a', reason: `${is('/nothing', 'null')}${again}` },
    {
      op: 'remove',
      path: '/',
      reason:
        'refers to the member with the empty name, which does not exist. The path of the whole document is "".',
    },
    { op: 'remove', path: '/list/2', reason: `${beyond}${again}` },
    { op: 'remove', path: '/list/-', reason: `${end}. Use the index of an element.` },
    { op: 'remove', path: '/list/length', reason: `${noIndex}.` },
    { op: 'remove', path: '/object/hasOwnProperty', reason: none },
    { op: 'move', path: '/a', from: '/missing', reason: none, pointer: '/missing' },
    { op: 'move', path: '/missing/a', from: '/text', reason: `${missing('/missing')}${first}` },
    { op: 'move', path: '/object/a/b', from: '/text', reason: `${is('/object/a', 'a number')}${instead}` },
    {
      op: 'move',
      path: '/text/a',
      from: '/text/b',
      reason: `${is('/text', 'a string')}${again}`,
      pointer: '/text/b',
    },
    { op: 'move', path: '/missing', from: '/missing', reason: none },
    { op: 'move', path: '/list/2', from: '/list/0', reason: append },
    { op: 'move', path: '/list/x', from: '/list/0', reason: noIndexToAdd },
    {
      op: 'move',
      path: '/a',
      from: '/list/-',
      reason: `${end}. Use the index of an element.`,
      pointer: '/list/-',
    },
    { op: 'copy', path: '/a', from: '/missing', reason: none, pointer: '/missing' },
    { op: 'copy', path: '/a', from: '/object/constructor', reason: none, pointer: '/object/constructor' },
    { op: 'copy', path: '/list/3', from: '/list/0', reason: append },
    { op: 'copy', path: '/missing/a', from: '/text', reason: `${missing('/missing')}${first}` },
  ])('$op $path from $from', ({ op, path, from, reason, pointer = path }) => {
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
      detail: `Operation 1 (${JSON.stringify(pointer)}) ${reason}`,
      operation: 1,
      pointer,
    });
  });

  test('of a long path, the end of what is missing is shown, and no more than a hundred characters', () => {
    const token = 'x'.repeat(200);
    const document = JSON.stringify({ [token]: { [token]: {} } });
    const path = `/${token}/${token}/the-missing/${'y'.repeat(100_000)}`;
    const { detail } = refused(document, JSON.stringify([{ op: 'add', path, value: 1 }]));
    expect(detail).toContain(`…${'x'.repeat(88)}/the-missing" is missing. Add that first`);
    const ofToken = refused(
      '{}',
      JSON.stringify([{ op: 'add', path: `/${'z'.repeat(100_000)}/a`, value: 1 }]),
    );
    expect(ofToken.detail.length).toBeLessThan(400);
  });

  test.each(['"text"', '7', 'null', 'true'])('of the document %s, which has no members', (document) => {
    const kind = document === 'null' ? 'null' : `a ${typeof JSON.parse(document)}`;
    expect(refused(document, '[{"op":"add","path":"/a","value":1}]').detail).toBe(
      `Operation 0 ("/a") ${is('', kind)}${instead}`,
    );
  });

  test.each([
    { length: 1_000, pointer: '/a'.repeat(500) },
    { length: 1_002, pointer: undefined },
    { length: 200_000, pointer: undefined },
  ])('a pointer of $length characters is sent back whole or not at all', ({ length, pointer }) => {
    const patch = JSON.stringify([{ op: 'remove', path: '/a'.repeat(length / 2) }]);
    const problem = refused(value, patch);
    expect(problem.pointer).toBe(pointer);
    expect(problem.detail).toContain(`("${'/a'.repeat(50)}…")`);
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
    {
      target: '{}',
      patch: '[{"op":"add","path":"/__proto__","value":{"polluted":1}}]',
      result: '{"__proto__":{"polluted":1}}',
    },
    {
      target: '{"__proto__":{"a":1}}',
      patch: '[{"op":"add","path":"/__proto__/b","value":2}]',
      result: '{"__proto__":{"a":1,"b":2}}',
    },
    {
      target: '{"__proto__":{"a":1},"b":2}',
      patch: '[{"op":"remove","path":"/__proto__"}]',
      result: '{"b":2}',
    },
    {
      target: '{"__proto__":1}',
      patch: '[{"op":"replace","path":"/__proto__","value":{"c":1}}]',
      result: '{"__proto__":{"c":1}}',
    },
    {
      target: '{"a":{"polluted":1}}',
      patch: '[{"op":"move","from":"/a","path":"/__proto__"}]',
      result: '{"__proto__":{"polluted":1}}',
    },
    {
      target: '{"a":{"polluted":1}}',
      patch: '[{"op":"copy","from":"/a","path":"/__proto__"}]',
      result: '{"a":{"polluted":1},"__proto__":{"polluted":1}}',
    },
    {
      target: '{}',
      patch:
        '[{"op":"add","path":"/constructor","value":{"prototype":{}}},{"op":"add","path":"/constructor/prototype/polluted","value":1}]',
      result: '{"constructor":{"prototype":{"polluted":1}}}',
    },
    {
      target: '{}',
      patch: '[{"op":"add","path":"/toString","value":1},{"op":"add","path":"/hasOwnProperty","value":2}]',
      result: '{"toString":1,"hasOwnProperty":2}',
    },
  ])('$target patched with $patch', ({ target, patch, result }) => {
    const value = parseText(jsonPatch(), patch)(JSON.parse(target));
    expect(JSON.stringify(value)).toBe(result);
    expect(value).toEqual(JSON.parse(result));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });
});
