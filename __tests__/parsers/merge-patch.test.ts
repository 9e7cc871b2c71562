import { applyMergePatch, mergePatch } from '../../lib/parsers/merge-patch';
import { parseText, refusal } from '../support/parse-context';

const merged = (target: string, patch: string) =>
  JSON.stringify(parseText(mergePatch(), patch)(JSON.parse(target)));

describe('RFC 7396 Appendix A', () => {
  test.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])('%s patched with %s is %s', (target, patch, result) => {
    expect(merged(target, patch)).toBe(result);
  });
});

describe('RFC 7396 2, beyond the examples', () => {
  test.each([
    ['null in an array is kept', '{"a":1}', '{"a":[null,{"b":null}]}', '{"a":[null,{"b":null}]}'],
    [
      'a replaced member keeps its place',
      '{"a":1,"b":2,"c":3}',
      '{"b":0,"d":4}',
      '{"a":1,"b":0,"c":3,"d":4}',
    ],
    ['a scalar target is no object', '"text"', '{"a":{"b":null,"c":1}}', '{"a":{"c":1}}'],
    ['removing what is not there', '{"a":1}', '{"b":null}', '{"a":1}'],
    ['an empty object makes one', '[1]', '{}', '{}'],
    [
      'false, 0 and "" are values',
      '{"a":1,"b":1,"c":1}',
      '{"a":false,"b":0,"c":""}',
      '{"a":false,"b":0,"c":""}',
    ],
  ])('%s', (_, target, patch, result) => {
    expect(merged(target, patch)).toBe(result);
  });
});

describe('names that objects inherit are plain member names', () => {
  test.each([
    ['{}', '{"__proto__":{"polluted":1},"after":2}', '{"__proto__":{"polluted":1},"after":2}'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"b":2}}', '{"__proto__":{"a":1,"b":2}}'],
    ['{"__proto__":{"a":1},"b":2}', '{"__proto__":null}', '{"b":2}'],
    ['{"a":1}', '{"__proto__":null}', '{"a":1}'],
    ['{}', '{"constructor":{"prototype":{"polluted":1}}}', '{"constructor":{"prototype":{"polluted":1}}}'],
    ['{}', '{"toString":null,"hasOwnProperty":1}', '{"hasOwnProperty":1}'],
  ])('%s patched with %s', (target, patch, result) => {
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

  test.each([[{}], [{ left: {} }], [{ left: { a: 1 } }], [{ none: null, right: { b: { none: null } } }]])(
    '%j changes nothing, so the result is the target itself',
    (patch) => {
      expect(applyMergePatch(target, patch)).toBe(target);
    },
  );
});

describe('media types', () => {
  test.each([
    [undefined, 'application/merge-patch+json'],
    ['application/json', 'application/json'],
  ])('%s', (mediaType, expected) => {
    expect(mergePatch(mediaType === undefined ? {} : { mediaType }).mediaType).toBe(expected);
  });
});
