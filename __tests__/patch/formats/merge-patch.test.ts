import { mergePatch } from '../../../lib/patch/formats/merge-patch';
import { applyMergePatch } from '../../../lib/json';
import { parseText, refusal } from '../../support/parse-context';

const merged = (target: string, patch: string) =>
  JSON.stringify(parseText(mergePatch({ allowRootReplacement: true }), patch)(JSON.parse(target)));

describe('RFC 7396 Appendix A', () => {
  test.each([
    { target: '{"a":"b"}', patch: '{"a":"c"}', result: '{"a":"c"}' },
    { target: '{"a":"b"}', patch: '{"b":"c"}', result: '{"a":"b","b":"c"}' },
    { target: '{"a":"b"}', patch: '{"a":null}', result: '{}' },
    { target: '{"a":"b","b":"c"}', patch: '{"a":null}', result: '{"b":"c"}' },
    { target: '{"a":["b"]}', patch: '{"a":"c"}', result: '{"a":"c"}' },
    { target: '{"a":"c"}', patch: '{"a":["b"]}', result: '{"a":["b"]}' },
    { target: '{"a":{"b":"c"}}', patch: '{"a":{"b":"d","c":null}}', result: '{"a":{"b":"d"}}' },
    { target: '{"a":[{"b":"c"}]}', patch: '{"a":[1]}', result: '{"a":[1]}' },
    { target: '["a","b"]', patch: '["c","d"]', result: '["c","d"]' },
    { target: '{"a":"b"}', patch: '["c"]', result: '["c"]' },
    { target: '{"a":"foo"}', patch: 'null', result: 'null' },
    { target: '{"a":"foo"}', patch: '"bar"', result: '"bar"' },
    { target: '{"e":null}', patch: '{"a":1}', result: '{"e":null,"a":1}' },
    { target: '[1,2]', patch: '{"a":"b","c":null}', result: '{"a":"b"}' },
    { target: '{}', patch: '{"a":{"bb":{"ccc":null}}}', result: '{"a":{"bb":{}}}' },
  ])('$target patched with $patch is $result', ({ target, patch, result }) => {
    expect(merged(target, patch)).toBe(result);
    expect(JSON.stringify(applyMergePatch(JSON.parse(target), JSON.parse(patch)))).toBe(result);
  });
});

describe('RFC 7396 2, beyond the examples', () => {
  test.each([
    {
      title: 'null in an array is kept',
      target: '{"a":1}',
      patch: '{"a":[null,{"b":null}]}',
      result: '{"a":[null,{"b":null}]}',
    },
    {
      title: 'a replaced member keeps its place',
      target: '{"a":1,"b":2,"c":3}',
      patch: '{"b":0,"d":4}',
      result: '{"a":1,"b":0,"c":3,"d":4}',
    },
    {
      title: 'a scalar target is no object',
      target: '"text"',
      patch: '{"a":{"b":null,"c":1}}',
      result: '{"a":{"c":1}}',
    },
    { title: 'removing what is not there', target: '{"a":1}', patch: '{"b":null}', result: '{"a":1}' },
    { title: 'an empty object makes one', target: '[1]', patch: '{}', result: '{}' },
    {
      title: 'false, 0 and "" are values',
      target: '{"a":1,"b":1,"c":1}',
      patch: '{"a":false,"b":0,"c":""}',
      result: '{"a":false,"b":0,"c":""}',
    },
  ])('$title', ({ target, patch, result }) => {
    expect(merged(target, patch)).toBe(result);
  });
});

describe('a patch that would replace the whole resource by another kind of value', () => {
  test.each([
    { target: '{"a":1}', patch: '{"a":2}', isApplied: true },
    { target: '{}', patch: '{}', isApplied: true },
    { target: '[1]', patch: '[2]', isApplied: true },
    { target: '[1]', patch: '"text"', isApplied: true },
    { target: '1', patch: 'null', isApplied: true },
    { target: '{"a":1}', patch: '[{"op":"replace","path":"/a","value":2}]', isApplied: false },
    { target: '{"a":1}', patch: '[]', isApplied: false },
    { target: '{"a":1}', patch: 'null', isApplied: false },
    { target: '{"a":1}', patch: '"text"', isApplied: false },
    { target: '{"a":1}', patch: 'false', isApplied: false },
    { target: '[1]', patch: '{"0":2}', isApplied: false },
    { target: 'null', patch: '{}', isApplied: false },
  ])('$patch on $target: $isApplied', ({ target, patch, isApplied }) => {
    const apply = () => parseText(mergePatch(), patch)(JSON.parse(target));
    if (isApplied) expect(JSON.stringify(apply())).toBe(patch);
    else expect(refusal(apply)).toMatchObject({ status: 422, code: 'patch-kind' });
    expect(merged(target, patch)).toBe(
      isApplied ? patch : JSON.stringify(applyMergePatch(JSON.parse(target), JSON.parse(patch))),
    );
  });
});

describe('names that objects inherit are plain member names', () => {
  test.each([
    {
      target: '{}',
      patch: '{"__proto__":{"polluted":1},"after":2}',
      result: '{"__proto__":{"polluted":1},"after":2}',
    },
    {
      target: '{"__proto__":{"a":1}}',
      patch: '{"__proto__":{"b":2}}',
      result: '{"__proto__":{"a":1,"b":2}}',
    },
    { target: '{"__proto__":{"a":1},"b":2}', patch: '{"__proto__":null}', result: '{"b":2}' },
    { target: '{"a":1}', patch: '{"__proto__":null}', result: '{"a":1}' },
    {
      target: '{}',
      patch: '{"constructor":{"prototype":{"polluted":1}}}',
      result: '{"constructor":{"prototype":{"polluted":1}}}',
    },
    { target: '{}', patch: '{"toString":null,"hasOwnProperty":1}', result: '{"hasOwnProperty":1}' },
  ])('$target patched with $patch is $result', ({ target, patch, result }) => {
    const value = parseText(mergePatch(), patch)(JSON.parse(target));
    expect(JSON.stringify(value)).toBe(result);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('limits', () => {
  const nested = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

  test('a document of as many levels as the limit is taken', () => {
    expect(JSON.stringify(parseText(mergePatch(), nested(100))({}))).toBe(nested(100));
  });

  test('one level more is 413 limit-depth', () => {
    expect(refusal(() => parseText(mergePatch(), nested(101)))).toMatchObject({
      status: 413,
      code: 'limit-depth',
    });
  });

  test('merging many times nests no deeper than one patch', () => {
    const patch = parseText(mergePatch(), nested(100));
    let value: unknown = {};
    for (let i = 0; i < 100; i++) value = patch(value);
    expect(JSON.stringify(value)).toBe(nested(100));
  });
});

describe('copy-on-write', () => {
  const target = { left: { a: 1 }, right: { b: { c: 2 } }, list: [1] };

  test('what the patch does not touch is shared', () => {
    const result = applyMergePatch(target, { left: { a: 2 } });
    expect(result).toEqual({ left: { a: 2 }, right: { b: { c: 2 } }, list: [1] });
    expect(result).toHaveProperty('right', target.right);
    expect((result as typeof target).right).toBe(target.right);
    expect((result as typeof target).list).toBe(target.list);
    expect(target.left.a).toBe(1);
  });

  test.each([
    { patch: {} },
    { patch: { left: {} } },
    { patch: { left: { a: 1 } } },
    { patch: { none: null, right: { b: { none: null } } } },
  ])('$patch changes nothing, so the result is the target itself', ({ patch }) => {
    expect(applyMergePatch(target, patch)).toBe(target);
  });
});

describe('media types', () => {
  test.each([
    { mediaType: undefined, expected: 'application/merge-patch+json' },
    { mediaType: 'application/json', expected: 'application/json' },
  ])('mergePatch({ mediaType: $mediaType })', ({ mediaType, expected }) => {
    expect(mergePatch(mediaType === undefined ? {} : { mediaType }).mediaType).toBe(expected);
  });
});
